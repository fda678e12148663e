import { createMultiMatcher } from '@remix-run/route-pattern/match'
import type { DocumentOperations } from '../document/builder.ts'
import type { RouteMatch } from '../routing/route-match.ts'
import type { ReadPart } from '../spec/stream-spec.ts'
import {
  type CheckedExchange,
  type CheckOptions,
  checkExchange,
  findDeclaredResponse,
  findStream,
  undocumented,
} from './check.ts'
import { createPartChecker } from './check-parts.ts'
import { observeStream } from './observe-stream.ts'
import { type Contract, prepareContracts } from './responses.ts'
import type { Violation } from './violation.ts'

/** Which requests a recorder checks. */
export interface RecorderOptions extends CheckOptions {
  /**
   * Patterns for paths to ignore, such as `/openapi.json` and `/docs(/*)`; below the base path or at the root.
   */
  readonly ignore?: readonly string[] | undefined
}

/** An exchange before it is answered. */
export interface RecordedContext {
  readonly request: Request
  /** The webhook's name, if the request delivers one. */
  readonly webhook?: string
  /** The operation that answers the request, if the caller knows it; by default, the path and the method decide. */
  readonly operationId?: string
  /** Returns the body's bytes as the handler reads them, without a copy; null if it has not read them. */
  readonly readBytes?: () => ArrayBuffer | null
}

/** The operation a request matches. */
export type Found = Pick<RouteMatch<Contract>, 'value' | 'params'>

/** Receives one exchange while it is checked. */
export interface Watching {
  /** Receives the violations of the exchange, and later those of each event in a stream. */
  violations(found: readonly Violation[], response: Response): void
  /** Receives the checked exchange before the client does. */
  exchange?(checked: CheckedExchange, response: Response): Promise<void> | void
  /** Receives a stream's part without violations. `key` is the response's status code, range or `default`. */
  part?(part: ReadPart, key: string): void
}

/** Starts to watch an exchange before it is answered. `found` is null if the request matches no operation. */
export type Watch = (context: RecordedContext, found: Found | null) => Watching

/** Creates the middleware of a recorder, which checks each exchange with a document's operations. */
export function createMiddleware(
  document: DocumentOperations,
  { basePath, ignore }: RecorderOptions,
  watch: Watch,
): (context: RecordedContext, next: () => Promise<Response>) => Promise<Response> {
  const isIgnored = compileIgnore(document, { basePath, ignore })
  return async (context, next) => {
    const { request, webhook } = context
    if (webhook === undefined && isIgnored(request)) return await next()
    const found = findOperation(document, context, basePath)
    const watching = watch(context, found)
    const response = await next()
    const checked = await checkFound(found?.value ?? null, request, response)
    await watching.exchange?.(checked, response)
    watching.violations(checked.violations, response)
    return found === null ? response : followStream(found.value, request, response, watching)
  }
}

/** Finds an exchange's operation. */
export function findOperation(
  document: DocumentOperations,
  { request, webhook, operationId: known }: RecordedContext,
  basePath: string | undefined,
): Found | null {
  const { all, routes } = prepareContracts(document)
  const found = webhook === undefined ? routes.find(request, basePath) : null
  const name = webhook ?? known
  if (name === undefined || found?.value.operationId === name) return found
  // `implement` may answer below another router, whose paths the document does not have.
  const value = all.find(({ operationId }) => operationId === name)
  return value === undefined ? null : { value, params: {} }
}

/** Checks a response with the operation of its request; without one, that is the violation. */
export async function checkFound(
  contract: Contract | null,
  request: Request,
  response: Response,
  isRead = true,
): Promise<CheckedExchange> {
  if (contract !== null) return await checkExchange(contract, request, response, isRead)
  return { violations: [undocumented(request)], problem: null, content: null }
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

/** Checks a stream's parts while the client reads them. */
function followStream(
  contract: Contract,
  request: Request,
  response: Response,
  watching: Watching,
): Response {
  const stream = findStream(contract, request, response)
  if (stream === null) return response
  const { key } = Object(findDeclaredResponse(contract, response)) as { readonly key: string }
  const check = createPartChecker(contract.operationId, stream)
  return observeStream(response, stream, async (part) => {
    const violations = await check(part)
    if (violations.length > 0) watching.violations(violations, response)
    else watching.part?.(part, key)
  })
}
