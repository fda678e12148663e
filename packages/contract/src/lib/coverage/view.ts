import type { ContractReport, CoverageKind, RecordedViolation } from '../report.ts'
import type { CheckedCoverage, CheckedItem, CoverageTotal } from './check-coverage.ts'

/** The data each format writes. */
export interface ReportView extends CheckedCoverage {
  readonly report: ContractReport
}

/** A titled group of items: an operation's items, or the default problems. */
export interface ItemGroup {
  readonly title: string
  readonly items: readonly CheckedItem[]
}

/** Groups the items by operation, with a group for default problems. */
export function groupsOf({ operations, problems }: CheckedCoverage): readonly ItemGroup[] {
  const ofOperations = operations.map(({ operationId, items }) => ({ title: operationId, items }))
  const shared = { title: 'default problems', items: problems }
  return problems.length > 0 ? [shared, ...ofOperations] : ofOperations
}

/** Writes a sentence for each operation whose members were not all counted. */
export function describeCut({ members, operations }: ContractReport): readonly string[] {
  return members.cut.map((operationId) => {
    const found = operations.filter((one) => one.operationId === operationId)
    const cut = found.reduce((total, one) => total + (one.cut ?? 0), 0)
    if (cut === 0) return `${operationId} has more members than the 500 that count.`
    const exchanges = cut === 1 ? '1 exchange was' : `${cut} exchanges were`
    return `${operationId}: ${exchanges} too large or too deep to count all members.`
  })
}

/** Lists the names of uncovered items: the first 20, and how many more exist. */
export function listUncovered(items: readonly CheckedItem[]): readonly string[] {
  const names = items.flatMap(({ name, state }) => (state === 'uncovered' ? [name] : []))
  const others = names.length - MAX_NAMES
  return others > 0 ? [...names.slice(0, MAX_NAMES), `… ${others} more`] : names
}

/** Writes covered and total counts, such as `3/4`; a dash without items. */
export function formatTotal({ total, covered }: CoverageTotal): string {
  return total === 0 ? '-' : `${covered}/${total}`
}

/** Writes a number with its noun in singular or plural. */
export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

/** Writes an item in words: `status 404`, `parameter query:page`. */
export function describeItem({ kind, name }: Pick<CheckedItem, 'kind' | 'name'>): string {
  return `${SINGULAR[kind]} ${name}`
}

/** A violation's parts as strings. */
export interface ViolationText {
  /** The operation, the method, the URL and the status. */
  readonly exchange: string
  /** The kind, the pointer and the message. */
  readonly fault: string
  /** The file and the test's name; null if they are not known. */
  readonly test: string | null
}

/** Writes a violation's parts. */
export function describeViolation(violation: RecordedViolation): ViolationText {
  const { operationId, method, url, status, kind, pointer, message, test } = violation
  return {
    exchange: `${operationId ?? 'no operation'}: ${method} ${url}, status ${status}`,
    fault: `${kind}${pointer ? ` at ${pointer}` : ''}: ${message}`,
    test: test ? `${test.file} > ${test.name}` : null,
  }
}

/** Writes a sentence for violations counted but not listed in a report; null if it lists all. */
export function describeOthers({ violations, violationCount }: ContractReport): string | null {
  const others = violationCount - violations.length
  return others > 0 ? `${others} more violations are not listed.` : null
}

const SINGULAR: Readonly<Record<CoverageKind, string>> = {
  status: 'status',
  problem: 'problem',
  mediaType: 'media type',
  parameter: 'parameter',
  members: 'members',
}

/** How many names a table line lists. HTML, JSON and JUnit list all. */
const MAX_NAMES = 20

/** Escapes control characters: a message may quote a response, and they could change a terminal. */
export function escapeControls(line: string): string {
  return line.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const CONTROLS = /[\p{Cc}\u2028\u2029]/gu
