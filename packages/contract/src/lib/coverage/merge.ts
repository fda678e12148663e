import {
  type ContractReport,
  type CoverageItem,
  type EarlierReport,
  MAX_VIOLATIONS,
  type OperationReport,
  REPORT_FORMAT,
  type RecordedViolation,
} from '../report.ts'
import { totalMembers } from '../total-members.ts'

/**
 * Joins reports from several recorders: test files, workers, processes or shards. Counts are added up, so do not pass a
 * report twice.
 *
 * Operations are joined by name, method and path, and are listed as they first appear. Reports from earlier versions
 * can be joined with others. The first 1,000 violations are listed in the reports' order.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { createContractRecorder, mergeReports } from '@plumbline/contract'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('deleteBook', 'DELETE /books/:bookId', {
 *     summary: 'Delete a book',
 *     responses: { 204: { description: 'Deleted' }, 404: { description: 'Book not found' } },
 *   }),
 * )
 * const reports = []
 * for (const status of [204, 404]) {
 *   const recorder = createContractRecorder(builder)
 *   const request = new Request('http://localhost/books/b1', { method: 'DELETE' })
 *   await recorder.middleware({ request }, async () => new Response(null, { status }))
 *   reports.push(recorder.report())
 * }
 * mergeReports(reports).operations[0]?.items //=> [
 * //     { kind: 'status', name: '204', count: 1 },
 * //     { kind: 'status', name: '404', count: 1 },
 * //   ]
 * ```
 */
export function mergeReports(reports: readonly (ContractReport | EarlierReport)[]): ContractReport {
  const upgraded = reports.map(upgradeReport)
  const operations = new Map<string, OperationReport>()
  for (const operation of reports.flatMap((report) => report.operations)) {
    const key = JSON.stringify([operation.operationId, operation.method, operation.path])
    const known = operations.get(key)
    operations.set(key, known ? joinOperations(known, operation) : operation)
  }
  const joined = [...operations.values()]
  const cut = upgraded.flatMap(({ members }) => members.cut)
  return {
    format: REPORT_FORMAT,
    ...joinPeriods(upgraded),
    exchanges: sum(reports.map(({ exchanges }) => exchanges)),
    operations: joined,
    problems: joinItems(upgraded.flatMap(({ problems }) => problems)),
    members: totalMembers(joined, cut),
    violations: joinViolations(reports.flatMap(({ violations }) => violations)).slice(
      0,
      MAX_VIOLATIONS,
    ),
    violationCount: sum(reports.map(({ violationCount }) => violationCount)),
  }
}

/** Joins two reports on one operation. A file may define it differently, so an item may be absent from one report. */
function joinOperations(a: OperationReport, b: OperationReport): OperationReport {
  const exchanges = a.exchanges + b.exchanges
  const cut = (a.cut ?? 0) + (b.cut ?? 0)
  return {
    ...a,
    ...lastOf([a, b]),
    exchanges,
    items: joinItems([...a.items, ...b.items]),
    ...(cut > 0 ? { cut } : {}),
  }
}

function joinItems(all: readonly CoverageItem[]): readonly CoverageItem[] {
  const items = new Map<string, CoverageItem>()
  for (const item of all) {
    const key = `${item.kind} ${item.name}`
    const known = items.get(key)
    const { count = 0 } = known ?? {}
    items.set(key, {
      ...item,
      count: item.count + count,
      ...lastOf(known ? [item, known] : [item]),
    })
  }
  return [...items.values()]
}

/** The latest exchange time, if any is known. */
function lastOf(all: readonly { readonly seen?: number }[]): { readonly seen?: number } {
  const times = all.flatMap(({ seen }) => seen ?? [])
  return times.length > 0 ? { seen: Math.max(...times) } : {}
}

/** Joins violations counted in production; violations in tests are listed one by one. */
function joinViolations(all: readonly RecordedViolation[]): readonly RecordedViolation[] {
  const joined = new Map<string, RecordedViolation>()
  for (const [at, violation] of all.entries()) {
    const { count, ...rest } = violation
    if (count === undefined) joined.set(String(at), violation)
    else {
      const key = JSON.stringify(Object.entries(rest).sort())
      joined.set(key, { ...violation, count: count + (joined.get(key)?.count ?? 0) })
    }
  }
  return [...joined.values()]
}

/** The time from the first report to the last, if any is known. */
function joinPeriods(reports: readonly ContractReport[]): Pick<ContractReport, 'period'> {
  const periods = reports.flatMap(({ period }) => period ?? [])
  if (periods.length === 0) return {}
  const from = Math.min(...periods.map((one) => one.from))
  return { period: { from, to: Math.max(...periods.map((one) => one.to)) } }
}

/** Converts a report to this version's format. */
function upgradeReport(report: ContractReport | EarlierReport): ContractReport {
  if (report.format === REPORT_FORMAT) return report
  return { ...report, format: REPORT_FORMAT, problems: [], members: totalMembers([], []) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
