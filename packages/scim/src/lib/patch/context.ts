import type { Draft } from './draft.ts'
import type { ValueRules } from './rules.ts'
import type { Tolerance } from './types.ts'

/** The state that all operations in a request share. */
export interface Context {
  readonly draft: Draft
  readonly tolerate: readonly Tolerance[]
  readonly rules: ValueRules
}
