import {
  type ContractReport,
  type CoverageItem,
  MOST_VIOLATIONS,
  type OperationReport,
  REPORT_FORMAT,
} from '../conformance/report.ts'

/**
 * Joins the reports of several recorders: of test files, workers, processes or shards. An exchange that one
 * of them recorded is counted once, so do not pass a report twice.
 *
 * Operations are joined by name, method and path, and are listed in the order of their first report.
 * Violations are listed in the order of the reports, the first 1,000 of them.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { createConformanceRecorder, mergeReports } from '@plumbline/openapi/testing'
 *
 * const route = { method: 'DELETE', pattern: '/books/:bookId' } as const
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('deleteBook', route, {
 *     summary: 'Delete a book',
 *     responses: { 204: { description: 'Deleted' }, 404: { description: 'Book not found' } },
 *   }),
 * )
 * const reports = []
 * for (const status of [204, 404]) {
 *   const recorder = createConformanceRecorder(builder)
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
export function mergeReports(reports: readonly ContractReport[]): ContractReport {
  const operations = new Map<string, OperationReport>()
  for (const operation of reports.flatMap((report) => report.operations)) {
    const key = JSON.stringify([operation.operationId, operation.method, operation.path])
    const known = operations.get(key)
    operations.set(key, known ? joinOperations(known, operation) : operation)
  }
  return {
    format: REPORT_FORMAT,
    exchanges: sum(reports.map(({ exchanges }) => exchanges)),
    operations: [...operations.values()],
    violations: reports.flatMap(({ violations }) => violations).slice(0, MOST_VIOLATIONS),
    violationCount: sum(reports.map(({ violationCount }) => violationCount)),
  }
}

/** A file may define an operation differently, so an item may be absent from one of the reports. */
function joinOperations(a: OperationReport, b: OperationReport): OperationReport {
  const items = new Map<string, CoverageItem>()
  for (const item of [...a.items, ...b.items]) {
    const key = `${item.kind} ${item.name}`
    items.set(key, { ...item, count: item.count + (items.get(key)?.count ?? 0) })
  }
  return { ...a, exchanges: a.exchanges + b.exchanges, items: [...items.values()] }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
