import type { Path } from '../filter/tree.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import type { WorkBudget } from '../work-budget.ts'
import type { ValueRules } from './coerce.ts'
import type { Draft } from './draft.ts'
import type { Operation, Tolerance } from './types.ts'

/** What every operation of a request works on. */
export interface Context {
  readonly draft: Draft
  readonly tolerate: readonly Tolerance[]
  readonly rules: ValueRules
  readonly budget: WorkBudget
}

/** One operation whose target is found. */
export interface Write {
  readonly op: Operation['op']
  readonly node: AttributeNode
  /** The sub-attribute that is named. */
  readonly part: AttributeNode | null
  readonly filter: Path['filter']
  readonly value: unknown
  /** What messages call the target. */
  readonly place: string
}
