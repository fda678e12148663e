import type { Violation } from './violation.ts'

/** The kinds of item that a report counts. */
export type CoverageKind = 'status' | 'problem' | 'mediaType' | 'parameter' | 'members'

/** A part of the contract of an operation that tests may cover. */
export interface CoverageItem {
  /** The kind of the part. */
  readonly kind: CoverageKind
  /**
   * A status such as `200`, the name of a problem in the catalog, the media type of a request, or an optional
   * parameter such as `query:page`, `header:X-Trace` or `cookie:session`. For `members`, what a body, parameter or
   * header contained: its place, the pointer with `*` for an element, and `absent`, `null`, `empty`, `non-empty`, a
   * value of an enum or a branch of a union, such as `200 /tags empty` or `request /pet {purr}`. A name without one of
   * these is a value that is not null.
   */
  readonly name: string
  /** The number of exchanges that covered it. */
  readonly count: number
  /** The time of the last of them in milliseconds since 1970; only in reports of production. */
  readonly seen?: number
}

/** A part of a contract, before it is counted. */
export type Item = Pick<CoverageItem, 'kind' | 'name'>

/** The exchanges of one operation. */
export interface OperationReport {
  /** The name of the operation. */
  readonly operationId: string
  /** The method in upper case. */
  readonly method: string
  /** The path as the document names it, such as `/books/{bookId}`. */
  readonly path: string
  /** The number of exchanges. */
  readonly exchanges: number
  /** The time of the last of them in milliseconds since 1970; only in reports of production. */
  readonly seen?: number
  /** The parts of its contract, in the order of the kinds. */
  readonly items: readonly CoverageItem[]
}

/** A test of a suite. */
export interface RunningTest {
  /** The name of the test, with the names of its groups. */
  readonly name: string
  /** The path of the file. */
  readonly file: string
}

/** A violation, with the exchange and the test in which it occurred. */
export interface RecordedViolation extends Violation {
  /** The method of the request. */
  readonly method: string
  /** The URL of the request. */
  readonly url: string
  /** The status of the response. */
  readonly status: number
  /** The test that sent the request; absent if the recorder does not have a `runner`. */
  readonly test?: RunningTest
  /** The number of exchanges with this violation; only in reports of production, which do not list them one by one. */
  readonly count?: number
}

/** The time in which exchanges were recorded, in milliseconds since 1970. */
export interface RecordedPeriod {
  readonly from: number
  readonly to: number
}

/** The record of the exchanges of a test run, as plain JSON. */
export interface ContractReport {
  /** The name and version of this format. */
  readonly format: typeof REPORT_FORMAT
  /** The time that the report is about; only in reports of production. */
  readonly period?: RecordedPeriod
  /** The number of exchanges, except those with ignored paths. */
  readonly exchanges: number
  /** The operations of the document, in its order. */
  readonly operations: readonly OperationReport[]
  /** The problems that operations have only by default, each counted once for the document. */
  readonly problems: readonly CoverageItem[]
  /** The numbers of the items of the kind `members`. */
  readonly members: MembersTotal
  /** The first 1,000 violations, in the order of the exchanges. */
  readonly violations: readonly RecordedViolation[]
  /** The number of all violations. */
  readonly violationCount: number
}

/** The numbers of the members of all operations. */
export interface MembersTotal {
  readonly total: number
  readonly covered: number
  /** The operations with more members than the 500 that count. */
  readonly cut: readonly string[]
}

/** A report of an earlier version, without members. Its default problems are items of each operation. */
export interface EarlierReport extends Omit<ContractReport, 'format' | 'problems' | 'members'> {
  readonly format: 'plumbline-contract/1'
}

/** The name and version of the format of reports. */
export const REPORT_FORMAT = 'plumbline-contract/2'

/** The number of violations that a report lists. A broken handler may cause one for each row of a list. */
export const MOST_VIOLATIONS = 1_000
