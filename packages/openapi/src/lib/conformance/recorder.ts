import { createMultiMatcher } from '@remix-run/route-pattern/match'
import type { DocumentOperations } from '../document/builder.ts'
import { defined } from '../json/defined.ts'
import { type CheckOptions, checkExchange, undocumented } from './check.ts'
import { type Counts, countExchange, createCounts, keyOf, reportOf } from './counts.ts'
import type { ContractReport, RecordedViolation, RunningTest } from './report.ts'
import { type Contract, isStatusCode, prepareContracts } from './responses.ts'
import type { Violation } from './violation.ts'

/** A declared pair of operation and status. */
export interface DeclaredResponse {
  /** The operation that declares the response. */
  readonly operationId: string
  /** The status code of the response. */
  readonly status: number
}

/** Checks every exchange of a test run, and lists the declared responses that did not occur. */
export interface ConformanceRecorder {
  /** Install it first, so that it sees the final response. It does not catch exceptions of handlers. */
  readonly middleware: (
    context: { readonly request: Request },
    next: () => Promise<Response>,
  ) => Promise<Response>
  /** All violations so far, in the order of the exchanges. */
  violations(): readonly RecordedViolation[]
  /** The declared pairs that did not occur; ranges and `default` do not count. */
  uncovered(): readonly DeclaredResponse[]
  /** The record so far as plain JSON, which `mergeReports` joins with those of other test files. */
  report(): ContractReport
}

/** The test runner that a recorder runs in. */
export interface TestRunner {
  /** Returns the test that is running; null between tests. */
  currentTest(): RunningTest | null
  /** Is called once, when the recorder is created, with a function that returns its report. */
  onCreate?(report: () => ContractReport): void
}

/** Which requests a recorder checks. */
export interface RecorderOptions extends CheckOptions {
  /**
   * Patterns of paths that are not checked, such as `/openapi.json` and `/docs(/*)`; below the base path or
   * at the root.
   */
  readonly ignore?: readonly string[] | undefined
  /** The test runner, so that violations name their test; `vitestRunner` of `/vitest` is one. */
  readonly runner?: TestRunner | undefined
}

/**
 * Creates a recorder that checks each exchange as `checkResponse` does.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { createConformanceRecorder } from '@plumbline/openapi/testing'
 *
 * const route = { method: 'DELETE', pattern: '/books/:bookId' } as const
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('deleteBook', route, {
 *     summary: 'Delete a book',
 *     responses: { 204: { description: 'Gone' }, 404: { description: 'No such book' } },
 *   }),
 * )
 * const recorder = createConformanceRecorder(builder)
 * const request = new Request('http://localhost/books/b1', { method: 'DELETE' })
 * await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
 *
 * recorder.violations() //=> []
 * recorder.uncovered() //=> [{ operationId: 'deleteBook', status: 404 }]
 * ```
 */
export function createConformanceRecorder(
  document: DocumentOperations,
  { basePath, ignore, runner }: RecorderOptions = {},
): ConformanceRecorder {
  const isIgnored = compileIgnore(document, { basePath, ignore })
  const violations: RecordedViolation[] = []
  const counts = createCounts()
  const check = async (request: Request, response: Response): Promise<readonly Violation[]> => {
    counts.exchanges += 1
    const contract = prepareContracts(document).routes.find(request, basePath)?.value
    if (contract === undefined) return [undocumented(request)]
    const { violations, problem } = await checkExchange(contract, request, response)
    // A response to HEAD does not cover the body that GET declares.
    if (request.method !== 'HEAD' || contract.method === 'head') {
      countExchange(counts, contract, { request, status: response.status, problem })
    }
    return violations
  }
  const report = () => reportOf(counts, prepareContracts(document).all, violations)
  runner?.onCreate?.(report)
  return {
    middleware: async ({ request }, next) => {
      const test = runner?.currentTest() ?? undefined
      const response = await next()
      if (isIgnored(request)) return response
      const { method, url } = request
      const exchange = { method, url, status: response.status, test }
      // One by one: a call with many arguments could exceed the stack.
      for (const one of await check(request, response)) {
        violations.push(defined({ ...one, ...exchange }))
      }
      return response
    },
    violations: () => [...violations],
    uncovered: () => prepareContracts(document).all.flatMap((one) => listUncovered(one, counts)),
    report,
  }
}

function compileIgnore(
  document: DocumentOperations,
  { basePath, ignore = [] }: RecorderOptions,
): (request: Request) => boolean {
  const ignored = createMultiMatcher<true>()
  for (const pattern of ignore) ignored.add(pattern, true)
  return (request) =>
    [request.url, ...prepareContracts(document).routes.urlsOf(request, basePath)].some(
      (url) => ignored.match(url) !== null,
    )
}

function listUncovered(
  { operationId, responses, problems }: Contract,
  counts: Counts,
): readonly DeclaredResponse[] {
  const statuses = [...responses.keys(), ...problems.keys()].filter(isStatusCode)
  const covered = counts.operations.get(operationId)?.items
  return statuses
    .filter((name) => !covered?.has(keyOf({ kind: 'status', name })))
    .map((status) => ({ operationId, status: Number(status) }))
}
