import {
  type ContractReport,
  type CoverageItem,
  REPORT_FORMAT,
  type RecordedViolation,
} from '../report.ts'

/** The violation of a report, in a test with a file. */
export const violation: RecordedViolation = {
  kind: 'body-mismatch',
  operationId: 'readBook',
  message: 'expected string, received number',
  pointer: '/title',
  method: 'GET',
  url: 'http://localhost/books/b1',
  status: 200,
  test: { name: 'books > are read', file: 'test/books.test.ts' },
}

/** The report of a file that lists books and reads one. */
export const report: ContractReport = {
  format: REPORT_FORMAT,
  exchanges: 3,
  operations: [
    {
      operationId: 'listBooks',
      method: 'GET',
      path: '/books',
      exchanges: 2,
      items: [
        { kind: 'status', name: '200', count: 2 },
        { kind: 'problem', name: 'invalid', count: 0 },
        { kind: 'parameter', name: 'query:page', count: 1 },
        { kind: 'parameter', name: 'query:size', count: 0 },
      ],
    },
    {
      operationId: 'createBook',
      method: 'POST',
      path: '/books',
      exchanges: 1,
      items: [
        { kind: 'status', name: '201', count: 1 },
        { kind: 'status', name: '303', count: 0 },
        { kind: 'problem', name: 'invalid', count: 0 },
        { kind: 'mediaType', name: 'application/json', count: 1 },
        { kind: 'mediaType', name: 'multipart/form-data', count: 0 },
      ],
    },
  ],
  problems: [],
  members: { total: 0, covered: 0, cut: [] },
  violations: [],
  violationCount: 0,
}

/** The same report with one violation. */
export const violated: ContractReport = { ...report, violations: [violation], violationCount: 1 }

/** A report of one operation with these items. */
export function reportWith(items: readonly CoverageItem[]): ContractReport {
  const operation = { operationId: 'readBook', method: 'GET', path: '/books/{id}', exchanges: 1 }
  return { ...report, operations: [{ ...operation, items }] }
}
