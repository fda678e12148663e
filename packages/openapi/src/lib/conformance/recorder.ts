import { defined, type Forms, requireOptions, STRING, STRINGS } from '@plumbline/base'
import { createMultiMatcher } from '@remix-run/route-pattern/match'
import type { DocumentOperations } from '../document/builder.ts'
import type { CheckOptions } from './check.ts'
import { checkReceived, countChecked, followStream, receiveRequest } from './count-response.ts'
import { type Counts, createCounts, hasStatus, reportOf } from './counts.ts'
import { planMembers } from './members/plan.ts'
import type { ContractReport, RecordedViolation, RunningTest } from './report.ts'
import { type Contract, isStatusCode, prepareContracts } from './responses.ts'
import type { Violation } from './violation.ts'

/** A declared pair: an operation and a status. */
export interface DeclaredResponse {
  /** The declaring operation. */
  readonly operationId: string
  /** The response's status code. */
  readonly status: number
}

/** Checks every exchange in a test run, and lists the declared responses that did not occur. */
export interface ConformanceRecorder {
  /**
   * Records exchanges. Install it first, so it sees the final response. It does not catch exceptions from handlers. A
   * stream's events are checked and counted while the client reads them. It also works as `middleware` for
   * `createSender`. The request body is read from a copy, unless the context has `readBytes`, as with `implement`.
   */
  readonly middleware: (
    context: {
      readonly request: Request
      readonly webhook?: string
      readonly readBytes?: () => ArrayBuffer | null
    },
    next: () => Promise<Response>,
  ) => Promise<Response>
  /** All violations so far, in the order in which they were found. */
  violations(): readonly RecordedViolation[]
  /** The declared pairs that did not occur; ranges and `default` do not count. */
  uncovered(): readonly DeclaredResponse[]
  /** The record so far as plain JSON. `mergeReports` joins the reports from several test files. */
  report(): ContractReport
}

/** The test runner around a recorder. */
export interface TestRunner {
  /** Returns the running test; null between tests. */
  currentTest(): RunningTest | null
  /** Is called once, when the recorder is created; `report` returns the report so far. */
  onCreate?(report: () => ContractReport): void
}

/** Which requests a recorder checks. */
export interface RecorderOptions extends CheckOptions {
  /**
   * Patterns for paths to ignore, such as `/openapi.json` and `/docs(/*)`; below the base path or at the root.
   */
  readonly ignore?: readonly string[] | undefined
  /** The test runner, so violations name their test; for example, `vitestRunner` from `/vitest`. */
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
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('deleteBook', 'DELETE /books/:bookId', {
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
  options: RecorderOptions = {},
): ConformanceRecorder {
  requireOptions<RecorderOptions>('createConformanceRecorder', options, FORMS)
  const { basePath, ignore, runner } = options
  const isIgnored = compileIgnore(document, { basePath, ignore })
  const violations: RecordedViolation[] = []
  const counts = createCounts()
  const find = (request: Request, webhook: string | undefined) => {
    const { all, routes } = prepareContracts(document)
    if (webhook === undefined) return routes.find(request, basePath)
    const value = all.find(({ operationId }) => operationId === webhook)
    return value === undefined ? null : { value, params: {} }
  }
  const report = () => {
    const { all: contracts } = prepareContracts(document)
    return reportOf(counts, { contracts, membersOf: planMembers(document), violations })
  }
  runner?.onCreate?.(report)
  return {
    middleware: async ({ request, webhook, readBytes }, next) => {
      const test = runner?.currentTest() ?? undefined
      if (webhook === undefined && isIgnored(request)) return await next()
      const received = receiveRequest(document, request, find(request, webhook), readBytes)
      const response = await next()
      const { method, url } = request
      const exchange = { method, url, status: response.status, test }
      const checked = await checkReceived(document, received, response)
      countChecked(counts, checked)
      // One by one: a call with many arguments could exceed the stack.
      const add = (found: readonly Violation[]) => {
        for (const one of found) violations.push(defined({ ...one, ...exchange }))
      }
      add(checked.violations)
      return followStream(document, received, response, counts, add)
    },
    violations: () => [...violations],
    uncovered: () => prepareContracts(document).all.flatMap((one) => listUncovered(one, counts)),
    report,
  }
}

/** Compiles the ignored paths to a test for requests. */
export function compileIgnore(
  document: DocumentOperations,
  { basePath, ignore = [] }: RecorderOptions,
): (request: Request) => boolean {
  if (ignore.length === 0) return () => false
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
  return statuses
    .filter((name) => !hasStatus(counts, operationId, name))
    .map((status) => ({ operationId, status: Number(status) }))
}

const FORMS: Forms<RecorderOptions> = {
  basePath: STRING,
  ignore: STRINGS,
  runner: [
    'an object with currentTest',
    (value) => typeof Object(value).currentTest === 'function',
  ],
}
