import type { ContractReport, CoverageKind, RecordedViolation } from '../conformance/report.ts'
import type { CheckedCoverage, CheckedItem, CoverageTotal } from './check-coverage.ts'

/** The data that each format writes. */
export interface ReportView extends CheckedCoverage {
  readonly report: ContractReport
}

/** The covered and the total number of items, such as `3/4`; a dash without items. */
export function formatTotal({ total, covered }: CoverageTotal): string {
  return total === 0 ? '-' : `${covered}/${total}`
}

/** A number with its noun. */
export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

/** The one item of a kind, in words: `status 404`, `parameter query:page`. */
export function describeItem({ kind, name }: Pick<CheckedItem, 'kind' | 'name'>): string {
  return `${SINGULAR[kind]} ${name}`
}

/** The parts of a violation as strings. */
export interface ViolationText {
  /** The operation, the method, the URL and the status. */
  readonly exchange: string
  /** The kind, the pointer and the message. */
  readonly fault: string
  /** The file and the name of the test; null if they are not known. */
  readonly test: string | null
}

/** Writes the parts of a violation. */
export function describeViolation(violation: RecordedViolation): ViolationText {
  const { operationId, method, url, status, kind, pointer, message, test } = violation
  return {
    exchange: `${operationId ?? 'no operation'}: ${method} ${url}, status ${status}`,
    fault: `${kind}${pointer ? ` at ${pointer}` : ''}: ${message}`,
    test: test ? `${test.file} > ${test.name}` : null,
  }
}

/** A sentence for the violations that a report counts and does not list; null if it lists all. */
export function describeOthers({ violations, violationCount }: ContractReport): string | null {
  const others = violationCount - violations.length
  return others > 0 ? `${others} more violations are not listed.` : null
}

const SINGULAR: Readonly<Record<CoverageKind, string>> = {
  status: 'status',
  problem: 'problem',
  mediaType: 'media type',
  parameter: 'parameter',
}
