import type { Path } from '../filter/tree.ts'
import type { Rejection } from '../rejection.ts'
import type { Definitions } from '../schema/types.ts'
import type { WorkBudget } from '../work-budget.ts'

export type { Path }

/** A PATCH operation's kind (RFC 7644 §3.5.2). */
export type OperationName = 'add' | 'replace' | 'remove'

/** One PATCH operation (RFC 7644 §3.5.2). */
export interface Operation {
  /** The operation's kind. */
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
  /** A `remove` without a match succeeds. Clients that retry removals rely on it. */
  | 'remove-missing'
  /**
   * An unknown attribute, an unknown member in a value and an unknown schema are ignored, as in a POST. Clients with
   * their own attribute mappings (Entra ID, Okta) rely on it. A malformed path and an unknown name in a filter are
   * still rejected.
   */
  | 'unknown-attributes'
  /**
   * Together with `unknown-attributes`, an `add` or `replace` whose value filter names an unknown sub-attribute is
   * ignored, such as `emails[primary eq true].value` if a table does not have a column for `primary`. Entra ID's
   * attribute mappings rely on it. A `remove` with such a filter is still rejected.
   */
  | 'unknown-value-filters'
  /**
   * A `replace` of a single-valued complex attribute removes the unnamed sub-attributes, where RFC 7644 §3.5.2.3 keeps
   * them. Clients of the interoperability profile rely on it.
   */
  | 'replace-whole'

/** The `applyPatch` options (RFC 7644 §3.5.2). */
export interface ApplyOptions {
  /** The resource's schemas. The core schema comes first. */
  readonly definitions: Definitions
  /** The departures from the standard to accept; none by default. */
  readonly tolerate?: readonly Tolerance[] | undefined
  /** Requests to reject although the standard permits them; none by default. */
  readonly reject?: readonly Rejection[] | undefined
  /**
   * Receives the path of each attribute or member `unknown-attributes` ignores, such as `emails.valu`, for a log. A
   * path may be received several times, and is as long as the client has sent it.
   */
  readonly onIgnored?: ((path: string) => void) | undefined
  /** The work the operations may cost, such as the request's budget; 1,000,000 steps by default. */
  readonly budget?: WorkBudget | undefined
  /** How many values a multi-valued attribute other than `members` may have; 5,000 by default. */
  readonly maxValues?: number | undefined
  /** The operations' positions in the request, from 0, for messages; by default their order in the list. */
  readonly positions?: readonly number[] | undefined
}

/** The `planMembership` options (RFC 7644 §3.5.2). */
export interface PlanOptions {
  /** `unknown-attributes`, as for `applyPatch`: a group member may have unknown sub-attributes. */
  readonly tolerate?: readonly Tolerance[] | undefined
  /** `unknown-attributes`, as for `applyPatch`. */
  readonly reject?: readonly Rejection[] | undefined
  /** Receives the path of each member `unknown-attributes` ignores, as for `applyPatch`. */
  readonly onIgnored?: ((path: string) => void) | undefined
}

/** The `parsePatch` options (RFC 7644 §3.5.2). */
export interface ParseOptions {
  /** `empty-operations`: a PATCH without operations changes nothing. Provider validators send it. */
  readonly tolerate?: readonly 'empty-operations'[] | undefined
  /** `missing-path`: each operation needs a path. */
  readonly reject?: readonly Rejection[] | undefined
}
