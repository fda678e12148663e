import type { Path } from '../filter/tree.ts'
import type { Definitions } from '../schema/types.ts'
import type { WorkBudget } from '../work-budget.ts'

export type { Path }

/** What a PATCH operation does (RFC 7644 §3.5.2). */
export type OperationName = 'add' | 'replace' | 'remove'

/** One operation of a PATCH body. */
export interface Operation {
  readonly op: OperationName
  /** Null where the operation has no path: the members of `value` name the targets. */
  readonly path: Path | null
  /** Absent only for `remove`. */
  readonly value?: unknown
}

/** Deviation: what bends the standard is off unless it is named; each name says who needs it. */
export type Tolerance =
  /** A `replace` whose value filter matches nothing creates the element: Entra ID relies on it. */
  | 'replace-creates'
  /** A `remove` that matches nothing succeeds: clients that retry removals rely on it. */
  | 'remove-missing'
  /**
   * An attribute, a member of a value or a schema that no definition has is ignored, as in a POST: clients with
   * attribute mappings of their own (Entra ID, Okta) rely on it. A malformed path and an unknown name in a
   * filter are still rejected.
   */
  | 'unknown-attributes'

export interface ApplyOptions {
  /** The schemas of the resource; the core schema first. */
  readonly definitions: Definitions
  /** The departures from the standard to take; none by default. */
  readonly tolerate?: readonly Tolerance[] | undefined
  /** The work that the operations may cost, such as the budget of the request; 1,000,000 steps by default. */
  readonly budget?: WorkBudget | undefined
  /** How many values a multi-valued attribute other than `members` may have; 5,000 by default. */
  readonly maxValues?: number | undefined
  /** Where the operations stand in the request, from 0, for messages; by default as they are listed. */
  readonly positions?: readonly number[] | undefined
}

export interface PlanOptions {
  /** `unknown-attributes`, as for `applyPatch`: a member of a group may have sub-attributes of its own. */
  readonly tolerate?: readonly Tolerance[] | undefined
}

export interface ParseOptions {
  /** `empty-operations`: a PATCH without operations changes nothing; validators of providers send it. */
  readonly tolerate?: readonly 'empty-operations'[] | undefined
}
