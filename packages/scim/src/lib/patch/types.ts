import type { Path } from '../filter/tree.ts'
import type { Definitions } from '../schema/types.ts'
import type { WorkBudget } from '../work-budget.ts'

export type { Path }

/** The kind of a PATCH operation (RFC 7644 §3.5.2). */
export type OperationName = 'add' | 'replace' | 'remove'

/** One operation of a PATCH body (RFC 7644 §3.5.2). */
export interface Operation {
  /** The kind of the operation. */
  readonly op: OperationName
  /** Null without a path. Then the members of `value` name the targets. */
  readonly path: Path | null
  /** Absent only for `remove`. */
  readonly value?: unknown
}

/** Deviation: a departure from the standard, off by default. Each name documents which clients need it. */
export type Tolerance =
  /** A `replace` whose value filter matches nothing creates the element. Entra ID relies on it. */
  | 'replace-creates'
  /** A `remove` that matches nothing succeeds. Clients that retry removals rely on it. */
  | 'remove-missing'
  /**
   * An unknown attribute, member of a value or schema is ignored, as in a POST. Clients with attribute mappings
   * of their own (Entra ID, Okta) rely on it. A malformed path and an unknown name in a filter are still
   * rejected.
   */
  | 'unknown-attributes'

/** The options of `applyPatch` (RFC 7644 §3.5.2). */
export interface ApplyOptions {
  /** The schemas of the resource. The core schema comes first. */
  readonly definitions: Definitions
  /** The departures from the standard to accept; none by default. */
  readonly tolerate?: readonly Tolerance[] | undefined
  /** The work that the operations may cost, such as the budget of the request; 1,000,000 steps by default. */
  readonly budget?: WorkBudget | undefined
  /** How many values a multi-valued attribute other than `members` may have; 5,000 by default. */
  readonly maxValues?: number | undefined
  /** The positions of the operations in the request, from 0, for messages; by default their order in the list. */
  readonly positions?: readonly number[] | undefined
}

/** The options of `planMembership` (RFC 7644 §3.5.2). */
export interface PlanOptions {
  /** `unknown-attributes`, as for `applyPatch`: a member of a group may have sub-attributes of its own. */
  readonly tolerate?: readonly Tolerance[] | undefined
}

/** The options of `parsePatch` (RFC 7644 §3.5.2). */
export interface ParseOptions {
  /** `empty-operations`: a PATCH without operations changes nothing. Validators of providers send it. */
  readonly tolerate?: readonly 'empty-operations'[] | undefined
}
