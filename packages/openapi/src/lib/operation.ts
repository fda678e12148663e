import type { Result } from '@plumbline/result'
import type { SecurityRequirement } from './openapi.ts'
import { type PreparedContract, prepareContract } from './request/contract.ts'
import type { OperationInputError } from './request/input-error.ts'
import { parseRequest } from './request/parse.ts'
import type { Input, Output, Schema } from './schema/standard-schema.ts'
import type { PathParams, Route } from './spec/route.ts'

/** A body: one schema, which accepts `application/json` and `+json`, or a schema for each media type. */
export type BodySpec = Schema | Readonly<Record<string, Schema>>

/** A header of a response. */
export interface HeaderSpec {
  readonly schema: Schema
  readonly description?: string
  /** False by default. */
  readonly required?: boolean
}

/** One response of an operation. */
export interface ResponseSpec {
  readonly description: string
  readonly body?: BodySpec
  readonly headers?: Readonly<Record<string, HeaderSpec>>
}

/** A status code, a range such as `4XX`, or `default` for all others. */
export type ResponseKey = number | `${1 | 2 | 3 | 4 | 5}XX` | 'default' | `${number}`

/** The description of an operation. */
export interface OperationSpec {
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** False by default. */
  readonly deprecated?: boolean
  /** An object schema whose keys are exactly the variables of the route. */
  readonly params?: Schema
  /** An object schema with a key for each query parameter. */
  readonly query?: Schema
  /** An object schema with a key for each request header, in any letter case. */
  readonly headers?: Schema
  /** An object schema with a key for each cookie. */
  readonly cookies?: Schema
  readonly body?: BodySpec
  readonly responses?: { readonly [Key in ResponseKey]?: ResponseSpec }
  /** Names of the document's problem catalog. */
  readonly problems?: readonly string[]
  /** Scheme names with the scopes each has to grant; an empty list means no authentication. */
  readonly security?: readonly SecurityRequirement[]
}

/** The parsed parts of a request; undefined for a part that the operation does not declare. */
export interface ParsedRequest<
  Of extends Route = Route,
  Spec extends OperationSpec = OperationSpec,
> {
  readonly params: Spec extends { readonly params: infer Params extends Schema }
    ? Output<Params>
    : PathParams<Of>
  readonly query: OutputOf<Spec, 'query'>
  readonly headers: OutputOf<Spec, 'headers'>
  readonly cookies: OutputOf<Spec, 'cookies'>
  readonly body: Spec extends { readonly body: infer Body }
    ? Body extends Schema
      ? Output<Body>
      : Body extends Readonly<Record<string, Schema>>
        ? { readonly [Type in keyof Body]: Output<Body[Type]> }[keyof Body]
        : undefined
    : undefined
}

type OutputOf<Spec, Part extends string> = Spec extends {
  readonly [Name in Part]: infer Given extends Schema
}
  ? Output<Given>
  : undefined

/** One operation of an API: a route with the contract that is published and enforced. */
export interface Operation<
  Of extends Route = Route,
  Spec extends OperationSpec = OperationSpec,
  Name extends string = string,
> {
  readonly operationId: Name
  readonly route: Of
  readonly spec: Spec
  /**
   * Reads a request: params, query, headers, cookies, then body, up to the first that is rejected.
   *
   * No request makes it throw or reject. If a schema throws, its exception is the `cause` of the error.
   * A body that was already read is a bug of the caller: the promise rejects with a TypeError.
   *
   * @param params The path parameters that the router read. Optional only if the pattern does not have
   * variables or is not known at compile time.
   */
  parse(
    request: Request,
    ...params: ParamsArgument<Of>
  ): Promise<Result<ParsedRequest<Of, Spec>, OperationInputError>>
}

/** The path parameters that a router reads. */
export type RouterParams = Readonly<Record<string, string | undefined>>

type ParamsArgument<Of extends Route> = string extends keyof PathParams<Of>
  ? [params?: RouterParams]
  : [keyof PathParams<Of>] extends [never]
    ? [params?: RouterParams]
    : [params: RouterParams]

/** An operation with any route and schemas, and with problems of `ProblemName`. */
export interface AnyOperation<ProblemName extends string = string> {
  readonly operationId: string
  readonly route: Route
  readonly spec: OperationSpec & { readonly problems?: readonly ProblemName[] }
  parse(request: Request, params?: RouterParams): Promise<Result<unknown, OperationInputError>>
}

/** Rejects at compile time params whose keys are not the variables of the route. */
export type CheckParams<Of extends Route, Spec> = Spec extends {
  readonly params: infer Params extends Schema
}
  ? string extends keyof PathParams<Of> | KeysOf<Input<Params>>
    ? unknown
    : [keyof PathParams<Of>, KeysOf<Input<Params>>] extends [
          KeysOf<Input<Params>>,
          keyof PathParams<Of>,
        ]
      ? unknown
      : {
          readonly params: `the keys of params must be the variables of the route: ${keyof PathParams<Of> & string}`
        }
  : unknown

/** `Record<string, never>` is an object without keys. */
type KeysOf<Object> = string extends keyof Object
  ? [Object[keyof Object]] extends [never]
    ? never
    : keyof Object
  : keyof Object

/** Rejects at compile time an unknown field of a spec: a misspelt `query` would not be validated. */
export type CheckNames<Spec> = {
  readonly [Name in Exclude<
    keyof Spec,
    keyof OperationSpec
  >]: `unknown field of an operation: ${Name & string}`
} & (Spec extends { readonly responses: infer Responses } ? CheckResponses<Responses> : unknown)

type CheckResponses<Responses> = {
  readonly responses: {
    readonly [Status in Exclude<
      keyof Responses,
      ResponseKey
    >]: `${Status & string} is not a status: write one such as 200, 4XX or default`
  } & {
    readonly [Status in keyof Responses as [FaultOf<Responses[Status]>] extends [never]
      ? never
      : Status]: FaultOf<Responses[Status]>
  }
}

type FaultOf<Response> =
  | `unknown field of a response: ${OddNames<Response, ResponseSpec>}`
  | (Response extends { readonly headers: infer Headers }
      ? {
          [Name in keyof Headers]: `unknown field of a header: ${OddNames<Headers[Name], HeaderSpec>}`
        }[keyof Headers]
      : never)

type OddNames<Given, Known> = Exclude<keyof Given, keyof Known> & string

/**
 * Defines an operation: binds one route to its schemas, responses, problem types and security.
 *
 * Params whose keys differ from the variables of the route do not compile, nor do unknown fields. `build`
 * of the document rejects faults that the types cannot express.
 *
 * @example
 * ```ts
 * import { defineOperation } from '@plumbline/openapi'
 * import { unwrap } from '@plumbline/result'
 * import { z } from 'zod'
 *
 * const route = { method: 'GET', pattern: '/books/:bookId' } as const
 * const readBook = defineOperation('readBook', route, {
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
  const Of extends Route,
  const Spec extends OperationSpec,
>(
  operationId: Name,
  route: Of,
  spec: Spec & CheckParams<Of, Spec> & CheckNames<Spec>,
): Operation<Of, Spec, Name> {
  // Prepared at the first request, so that an operation which is only documented is not prepared.
  let prepared: PreparedContract | undefined
  const contract = () => {
    prepared ??= prepareContract(spec)
    return prepared
  }
  return {
    operationId,
    route,
    spec,
    // The schemas of the contract are those that the type of the spec names.
    parse: (request, ...[params = {}]) =>
      parseRequest(contract, request, params) as Promise<
        Result<ParsedRequest<Of, Spec>, OperationInputError>
      >,
  }
}
