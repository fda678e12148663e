import type { Draft } from './draft.ts'
import type { ValueRules } from './rules.ts'
import type { Tolerance } from './types.ts'

/** The state shared by all operations in a request. */
export interface Context {
  readonly draft: Draft
  readonly tolerate: readonly Tolerance[]
  readonly rules: ValueRules
}
