import { isJsonObject, optionFault } from '@plumbline/base'
import type { Result } from '@plumbline/result'
import { rangesOf } from './http/body-ranges.ts'
import type { OperationInputError } from './request/input-error.ts'
import { parseRequest } from './request/parse.ts'
import type { CheckNames, CheckParams } from './spec/check-spec.ts'
import type {
  BodyRanges,
  BodySpec,
  OperationSpec,
  ParsedRequest,
  RouterParams,
} from './spec/operation-spec.ts'
import { type PathParams, type Route, type RouteOf, type RouteText, routeOf } from './spec/route.ts'

/** One API operation: a route with its published and enforced contract. */
export interface Operation<
  Of extends Route = Route,
  Spec extends OperationSpec = OperationSpec,
  Name extends string = string,
> {
  /** The operation's name, unique in the document. */
  readonly operationId: Name
  /** The method and the path's pattern. */
  readonly route: Of
  /** The schemas, responses, problems and security. */
  readonly spec: Spec
  /** Finds the media types and ranges for a body. Clients call it, because they do not convert schemas. */
  rangesOf(body: BodySpec): BodyRanges
  /**
   * Reads a request: params, query, headers, cookies, then body, up to the first rejected part.
   *
   * No request makes it throw or reject. If a schema throws, the exception is the error's `cause`. An already read body
   * is a bug in the caller: the promise rejects with a TypeError.
   *
   * @param params The path parameters the router has read. Optional only if the pattern does not have variables or is
   * not known at compile time.
   */
  parse(
    request: Request,
    ...params: ParamsArgument<Of>
  ): Promise<Result<ParsedRequest<Of, Spec>, OperationInputError>>
}

type ParamsArgument<Of extends Route> = string extends keyof PathParams<Of>
  ? [params?: RouterParams]
  : [keyof PathParams<Of>] extends [never]
    ? [params?: RouterParams]
    : [params: RouterParams]

/** An operation with any route and schemas, and with problems from `ProblemName`. */
export interface AnyOperation<ProblemName extends string = string> {
  /** The operation's name, unique in the document. */
  readonly operationId: string
  /** The method and the path's pattern. */
  readonly route: Route
  /** The schemas, responses, problems and security. */
  readonly spec: OperationSpec & { readonly problems?: readonly ProblemName[] }
  /** Finds the media types and ranges for a body. */
  rangesOf(body: BodySpec): BodyRanges
  /** Reads a request, as `Operation.parse` does. */
  parse(request: Request, params?: RouterParams): Promise<Result<unknown, OperationInputError>>
}

/**
 * Defines an operation: binds one route to its schemas, responses, problem types and security. The route comes from a
 * route map, or is an object with a method and a pattern, or a string such as `GET /books/:bookId`.
 *
 * Params whose keys differ from the route's variables do not compile, nor do unknown fields. The document's `build`
 * rejects faults not expressible in types. Throws a TypeError for arguments of other types, such as a route without a
 * pattern.
 *
 * @example
 * ```ts
 * import { defineOperation } from '@plumbline/openapi'
 * import { unwrap } from '@plumbline/result'
 * import { z } from 'zod'
 *
 * const readBook = defineOperation('readBook', 'GET /books/:bookId', {
 *   summary: 'Read a book',
 *   query: z.object({ page: z.int().min(1).optional() }),
 *   responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
 * })
 * const request = new Request('http://localhost/books/b1?page=2')
 * const { params, query } = unwrap(await readBook.parse(request, { bookId: 'b1' }))
 * params.bookId //=> 'b1'
 * query.page //=> 2
 * ```
 */
export function defineOperation<
  const Name extends string,
  const Of extends Route | RouteText,
  const Spec extends OperationSpec,
>(
  operationId: Name,
  route: Of,
  spec: Spec & CheckParams<RouteOf<Of>, Spec> & CheckNames<Spec>,
): Operation<RouteOf<Of>, Spec, Name> {
  requireArguments(operationId, route, spec)
  return {
    operationId,
    route: routeOf(route),
    spec,
    rangesOf,
    parse: (request: Request, params: RouterParams = {}) => {
      try {
        // The parsing schemas are the ones named in the spec's type.
        const parsing = parseRequest(spec, request, params) as Result<
          ParsedRequest<RouteOf<Of>, Spec>,
          OperationInputError
        >
        // An `async` function would make two promises more, a tenth of the time of a small request.
        return Promise.resolve(parsing)
      } catch (error) {
        return Promise.reject(error)
      }
    },
  }
}

/** Throws for what a program without types may write, such as `path` in place of `pattern`. */
function requireArguments(operationId: string, route: unknown, spec: unknown): void {
  const { method, pattern } = Object(route) as { readonly [name: string]: unknown }
  const source = typeof pattern === 'string' ? pattern : Object(pattern).source
  if (typeof route !== 'string' && (typeof method !== 'string' || typeof source !== 'string')) {
    throw optionFault(`${operationId}: the route`, ROUTE, route)
  }
  if (!isJsonObject(spec)) throw optionFault(`${operationId}: the spec`, 'an object', spec)
}

const ROUTE = 'text such as GET /books/:id, or have a method and a pattern'
