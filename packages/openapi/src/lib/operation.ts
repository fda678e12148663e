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

/** A status code, a range such as `4XX`, or `default`: what no other response declares. */
export type ResponseKey = number | `${1 | 2 | 3 | 4 | 5}XX` | 'default' | `${number}`

/** What an operation says of itself. */
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

/** What `operation.parse` gives: each part as its schema gives it, undefined where there is none. */
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

/** One operation of an API: a route with everything that is published and enforced about it. */
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
   * Nothing that a client sends makes it throw or reject. If a schema throws, the error has its
   * exception as `cause`. A body that was read before is a mistake of the program and rejects with a
   * TypeError.
   *
   * @param params What the router read from the path. They can only be left out if the pattern has no
   * variables, or is not known at compile time.
   */
  parse(
    request: Request,
    ...params: ParamsArgument<Of>
  ): Promise<Result<ParsedRequest<Of, Spec>, OperationInputError>>
}

/** What a router reads from a path. */
export type RouterParams = Readonly<Record<string, string | undefined>>

type ParamsArgument<Of extends Route> = string extends keyof PathParams<Of>
  ? [params?: RouterParams]
  : [keyof PathParams<Of>] extends [never]
    ? [params?: RouterParams]
    : [params: RouterParams]

/** An operation whatever its route and schemas, that names no problem beyond `ProblemName`. */
export interface AnyOperation<ProblemName extends string = string> {
  readonly operationId: string
  readonly route: Route
  readonly spec: OperationSpec & { readonly problems?: readonly ProblemName[] }
  parse(request: Request, params?: RouterParams): Promise<Result<unknown, OperationInputError>>
}

/** Refuses, when it compiles, params whose keys are not the variables of the route. */
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

/** An object without keys may be written as a record of nothing. */
type KeysOf<Object> = string extends keyof Object
  ? [Object[keyof Object]] extends [never]
    ? never
    : keyof Object
  : keyof Object

/** Refuses, when it compiles, what a spec has no field for: a misspelt `query` would validate nothing. */
export type CheckNames<Spec> = {
  readonly [Name in Exclude<keyof Spec, keyof OperationSpec>]: `an operation has no field ${Name &
    string}`
} & (Spec extends { readonly responses: infer Responses } ? CheckResponses<Responses> : unknown)

type CheckResponses<Responses> = {
  readonly responses: {
    readonly [Status in Exclude<
      keyof Responses,
      ResponseKey
    >]: `${Status & string} is no status: write one such as 200, 4XX or default`
  } & {
    readonly [Status in keyof Responses as [FaultOf<Responses[Status]>] extends [never]
      ? never
      : Status]: FaultOf<Responses[Status]>
  }
}

type FaultOf<Response> =
  | `a response has no field ${OddNames<Response, ResponseSpec>}`
  | (Response extends { readonly headers: infer Headers }
      ? {
          [Name in keyof Headers]: `a header has no field ${OddNames<Headers[Name], HeaderSpec>}`
        }[keyof Headers]
      : never)

type OddNames<Given, Known> = Exclude<keyof Given, keyof Known> & string

/**
 * Defines an operation: binds one route to its schemas, responses, problem types and security.
 *
 * Params whose keys differ from the variables of the route do not compile, nor do names that a spec has
 * no field for; what the types cannot see, `build` of the document refuses.
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
  // Prepared at the first request, so that defining an operation costs nothing where it only documents.
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
