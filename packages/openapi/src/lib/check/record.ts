import { createMultiMatcher } from '@remix-run/route-pattern/match'
import type { RouteMatch } from '../routing/route-match.ts'
import type { ReadPart } from '../spec/stream-spec.ts'
import type { CheckedExchange, CheckOptions } from './check.ts'
import type { CheckedStream } from './check-parts.ts'
import { observeStream } from './observe-stream.ts'
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
export type Found<Operation> = Pick<RouteMatch<Operation>, 'value' | 'params'>

/** How exchanges are matched with operations and checked: with those of a builder, or of any document. */
export interface Checks<Operation> {
  /** Finds an exchange's operation. */
  find(context: RecordedContext, basePath: string | undefined): Found<Operation> | null
  /** The URLs to match: below `basePath`, or below each server's path and at the root. */
  urlsOf(request: Request, basePath: string | undefined): readonly string[]
  /** Checks a response. Without an operation, that is the violation. Without `isRead`, the body is not read. */
  check(
    operation: Operation | null,
    request: Request,
    response: Response,
    isRead?: boolean,
  ): Promise<CheckedExchange>
  /** Returns the stream declared for a response; null if the response is not such a stream. */
  streamOf(operation: Operation, request: Request, response: Response): CheckedStream | null
}

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
export type Watch<Operation> = (
  context: RecordedContext,
  found: Found<Operation> | null,
) => Watching

/** Creates a recorder's middleware, which checks each exchange. */
export function createMiddleware<Operation>(
  checks: Checks<Operation>,
  { basePath, ignore }: RecorderOptions,
  watch: Watch<Operation>,
): (context: RecordedContext, next: () => Promise<Response>) => Promise<Response> {
  const isIgnored = compileIgnore(checks, { basePath, ignore })
  return async (context, next) => {
    const { request, webhook } = context
    if (webhook === undefined && isIgnored(request)) return await next()
    const found = checks.find(context, basePath)
    const watching = watch(context, found)
    const response = await next()
    const operation = found?.value ?? null
    const checked = await checks.check(operation, request, response)
    await watching.exchange?.(checked, response)
    watching.violations(checked.violations, response)
    const stream = operation && checks.streamOf(operation, request, response)
    return stream === null ? response : followStream(stream, response, watching)
  }
}

/** Compiles the ignored paths to a test for requests. */
export function compileIgnore(
  { urlsOf }: Pick<Checks<never>, 'urlsOf'>,
  { basePath, ignore = [] }: RecorderOptions,
): (request: Request) => boolean {
  if (ignore.length === 0) return () => false
  const ignored = createMultiMatcher<true>()
  for (const pattern of ignore) ignored.add(pattern, true)
  return (request) =>
    [request.url, ...urlsOf(request, basePath)].some((url) => ignored.match(url) !== null)
}

/** Checks a stream's parts while the client reads them. */
function followStream(stream: CheckedStream, response: Response, watching: Watching): Response {
  const check = stream.createCheck()
  return observeStream(response, stream.createReader(), async (part) => {
    const violations = await check(part)
    if (violations.length > 0) watching.violations(violations, response)
    else watching.part?.(part, stream.key)
  })
}
