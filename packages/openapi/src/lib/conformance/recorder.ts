import { createMultiMatcher } from '@remix-run/route-pattern/match'
import type { DocumentOperations } from '../document/build.ts'
import { type CheckOptions, checkExchange, undocumented } from './check.ts'
import { type Contract, prepareContracts } from './responses.ts'
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
  violations(): readonly Violation[]
  /** The declared pairs that did not occur; ranges and `default` do not count. */
  uncovered(): readonly DeclaredResponse[]
}

/** Which requests a recorder checks. */
export interface RecorderOptions extends CheckOptions {
  /**
   * Patterns of paths that are not checked, such as `/openapi.json` and `/docs(/*)`; below the base path or
   * at the root.
   */
  readonly ignore?: readonly string[] | undefined
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
  { basePath, ignore = [] }: RecorderOptions = {},
): ConformanceRecorder {
  const ignored = createMultiMatcher<true>()
  for (const pattern of ignore) ignored.add(pattern, true)
  const isIgnored = (request: Request): boolean =>
    [request.url, ...prepareContracts(document).urlsOf(request, basePath)].some(
      (url) => ignored.match(url) !== null,
    )
  const violations: Violation[] = []
  const covered = new Set<string>()
  return {
    middleware: async ({ request }, next) => {
      const response = await next()
      if (isIgnored(request)) return response
      const contract = prepareContracts(document).find(request, basePath)
      if (contract === null) violations.push(undocumented(request))
      else {
        // One by one: a call with many arguments could exceed the stack.
        for (const one of await checkExchange(contract, request, response)) violations.push(one)
        // A response to HEAD does not cover the body that GET declares.
        if (request.method !== 'HEAD' || contract.method === 'head')
          covered.add(`${contract.operationId} ${response.status}`)
      }
      return response
    },
    violations: () => [...violations],
    uncovered: () =>
      prepareContracts(document)
        .all.flatMap(listStatuses)
        .filter(({ operationId, status }) => !covered.has(`${operationId} ${status}`)),
  }
}

function listStatuses({ operationId, responses, problems }: Contract): readonly DeclaredResponse[] {
  const codes = [...responses.keys(), ...problems.keys()].filter((status) => /^\d+$/.test(status))
  return codes.map((status) => ({ operationId, status: Number(status) }))
}
