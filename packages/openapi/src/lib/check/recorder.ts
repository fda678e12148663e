import { type Forms, requireOptions, STRING, STRINGS } from '@plumbline/base'
import type { DocumentOperations } from '../document/builder.ts'
import { isCounted } from './check.ts'
import { checksOf } from './own-checks.ts'
import { createMiddleware, type RecordedContext, type RecorderOptions } from './record.ts'
import { isStatusCode, prepareContracts } from './responses.ts'
import type { Violation } from './violation.ts'

/** A declared pair: an operation and a status. */
export interface DeclaredResponse {
  /** The declaring operation. */
  readonly operationId: string
  /** The response's status code. */
  readonly status: number
}

/** A violation, with the exchange in which it occurred. */
export interface RecordedViolation extends Violation {
  /** The request's method. */
  readonly method: string
  /** The request's URL. */
  readonly url: string
  /** The response's status. */
  readonly status: number
}

/** Checks every exchange in a test run, and lists the declared responses that did not occur. */
export interface ConformanceRecorder {
  /**
   * Records exchanges. Install it first, so it sees the final response. It does not catch exceptions from handlers. A
   * stream's events are checked while the client reads them. It also works as `middleware` for `implement` and
   * `createSender`.
   */
  readonly middleware: (
    context: RecordedContext,
    next: () => Promise<Response>,
  ) => Promise<Response>
  /** All violations so far, in the order in which they were found. */
  violations(): readonly RecordedViolation[]
  /** The declared pairs that did not occur; ranges and `default` do not count. */
  uncovered(): readonly DeclaredResponse[]
}

/**
 * Creates a recorder that checks each exchange as `checkResponse` does. `@plumbline/contract` has one that also
 * counts what a test run covers.
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
  requireOptions<RecorderOptions>('createConformanceRecorder', options, RECORDER_FORMS)
  const violations: RecordedViolation[] = []
  const seen = new Set<string>()
  const middleware = createMiddleware(checksOf(document), options, ({ request }, found) => ({
    exchange: (_, { status }) => {
      if (found && isCounted(found.value, request)) seen.add(pairOf(found.value, status))
    },
    violations: (added, { status }) => {
      const { method, url } = request
      // One by one: a call with many arguments could exceed the stack.
      for (const one of added) violations.push({ ...one, method, url, status })
    },
  }))
  return {
    middleware,
    violations: () => [...violations],
    uncovered: () =>
      listResponses(prepareContracts(document).all).filter(
        ({ operationId, status }) => !seen.has(pairOf({ operationId }, status)),
      ),
  }
}

/** An operation's responses and problems by status code, range or `default`. */
interface DeclaredResponses {
  readonly operationId: string
  readonly responses: ReadonlyMap<string, unknown>
  readonly problems: ReadonlyMap<string, unknown>
}

/** Lists the declared pairs of operation and status. */
export function listResponses(
  operations: readonly DeclaredResponses[],
): readonly DeclaredResponse[] {
  return operations.flatMap(({ operationId, responses, problems }) =>
    [...responses.keys(), ...problems.keys()]
      .filter(isStatusCode)
      .map((status) => ({ operationId, status: Number(status) })),
  )
}

function pairOf({ operationId }: Pick<DeclaredResponse, 'operationId'>, status: number): string {
  return `${status} ${operationId}`
}

/** The forms of a recorder's options. */
export const RECORDER_FORMS: Forms<RecorderOptions> = { basePath: STRING, ignore: STRINGS }
