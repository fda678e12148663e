import type { RecordedViolation as ConformanceViolation } from '@plumbline/openapi/testing'

/** The kinds of item a report counts. */
export type CoverageKind = 'status' | 'problem' | 'mediaType' | 'parameter' | 'members'

/** One thing in an operation's contract, which tests may cover. */
export interface CoverageItem {
  /** The item's kind. */
  readonly kind: CoverageKind
  /**
   * A status such as `200`, a problem's name in the catalog, a request's media type, or an optional parameter such as
   * `query:page`, `header:X-Trace` or `cookie:session`. For `members`, what a body, parameter or header contained: the
   * place, the pointer with `*` for an element, and `absent`, `null`, `empty`, `non-empty`, an enum value or a union
   * branch, such as `200 /tags empty` or `request /pet {purr}`. A name without such an ending is any non-null value.
   */
  readonly name: string
  /** How many exchanges covered it. */
  readonly count: number
  /** When it was last covered, in milliseconds since 1970; only in production reports. */
  readonly seen?: number
}

/** A coverage item before it is counted. */
export type Item = Pick<CoverageItem, 'kind' | 'name'>

/** One operation's exchanges. */
export interface OperationReport {
  /** The operation's name. */
  readonly operationId: string
  /** The method in upper case. */
  readonly method: string
  /** The path as written in the document, such as `/books/{bookId}`. */
  readonly path: string
  /** The number of exchanges. */
  readonly exchanges: number
  /**
   * How many exchanges may have covered more members: examining their values took too many steps or too much time, or a
   * body was not read because it is too long or already used. Absent if none.
   */
  readonly cut?: number
  /** When the last exchange happened, in milliseconds since 1970; only in production reports. */
  readonly seen?: number
  /** The contract's items, sorted by kind. */
  readonly items: readonly CoverageItem[]
}

/** A test in a test suite. */
export interface RunningTest {
  /** The test's name, including group names. */
  readonly name: string
  /** The file's path. */
  readonly file: string
}

/** A violation, with the exchange and the test in which it occurred. */
export interface RecordedViolation extends ConformanceViolation {
  /** The test that sent the request; absent if the recorder does not have a `runner`. */
  readonly test?: RunningTest
  /** How many exchanges had this violation; only in production reports, which do not list each occurrence. */
  readonly count?: number
}

/** When exchanges were recorded: start and end in milliseconds since 1970. */
export interface RecordedPeriod {
  readonly from: number
  readonly to: number
}

/** The exchanges recorded in a test run or in production, as plain JSON. */
export interface ContractReport {
  /** This format's name and version. */
  readonly format: typeof REPORT_FORMAT
  /** The period the report covers; only in production reports. */
  readonly period?: RecordedPeriod
  /** The number of exchanges, except those with ignored paths. */
  readonly exchanges: number
  /** The operations, in the document's order. */
  readonly operations: readonly OperationReport[]
  /** The problems operations have only as defaults, each listed once for the whole document. */
  readonly problems: readonly CoverageItem[]
  /** Totals for the items whose kind is `members`. */
  readonly members: MembersTotal
  /** The first 1,000 violations, in the order in which they were found. */
  readonly violations: readonly RecordedViolation[]
  /** The total number of violations. */
  readonly violationCount: number
}

/** The member counts for all operations together. */
export interface MembersTotal {
  readonly total: number
  readonly covered: number
  /** The operations with more members than the 500 that count, or with exchanges that were not examined whole. */
  readonly cut: readonly string[]
}

/** A report from an earlier version, without members. Default problems are items in each operation. */
export interface EarlierReport extends Omit<ContractReport, 'format' | 'problems' | 'members'> {
  readonly format: 'plumbline-contract/1'
}

/** The report format's name and version. */
export const REPORT_FORMAT = 'plumbline-contract/2'

/** How many violations a report lists at most. A broken handler may cause one for each row in a list. */
export const MAX_VIOLATIONS = 1_000
