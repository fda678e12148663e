import type { Path } from '../filter/tree.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import type { ValueRules } from './coerce.ts'
import type { Draft } from './draft.ts'
import type { Operation, Tolerance } from './types.ts'

/** The state that all operations of a request share. */
export interface Context {
  readonly draft: Draft
  readonly tolerate: readonly Tolerance[]
  readonly rules: ValueRules
}

/** One operation with its resolved target. */
export interface Write {
  readonly op: Operation['op']
  readonly node: AttributeNode
  /** The sub-attribute that the path names. */
  readonly part: AttributeNode | null
  readonly filter: Path['filter']
  readonly value: unknown
  /** The name of the target in messages. */
  readonly place: string
}
