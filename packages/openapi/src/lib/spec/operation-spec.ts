import type { SecurityRequirement } from '../openapi.ts'
import type { Output, Schema } from '../schema/standard-schema.ts'
import type { PathParams, Route } from './route.ts'

/** A body: one schema, which accepts `application/json` and `+json`, or a schema for each media type. */
export type BodySpec = Schema | Readonly<Record<string, Schema>>

/** A header of a response. */
export interface HeaderSpec {
  /** The schema of the value. */
  readonly schema: Schema
  /** A description of the header, which may contain CommonMark. */
  readonly description?: string
  /** Whether the header is always sent; false by default. */
  readonly required?: boolean
}

/** One response of an operation. */
export interface ResponseSpec {
  /** A description of the response, which may contain CommonMark. */
  readonly description: string
  /** The body; a response without one is empty. */
  readonly body?: BodySpec
  /** The headers by name. */
  readonly headers?: Readonly<Record<string, HeaderSpec>>
}

/** A status code, a range such as `4XX`, or `default` for all others. */
export type ResponseKey = number | `${1 | 2 | 3 | 4 | 5}XX` | 'default' | `${number}`

/** The description of an operation. */
export interface OperationSpec {
  /** A summary of the operation in one line. */
  readonly summary: string
  /** A description of the operation, which may contain CommonMark. */
  readonly description?: string
  /** The names of the tags that group the operation with others. */
  readonly tags?: readonly string[]
  /** Whether clients should stop using the operation; false by default. */
  readonly deprecated?: boolean
  /** An object schema whose keys are exactly the variables of the route. */
  readonly params?: Schema
  /** An object schema with a key for each query parameter. */
  readonly query?: Schema
  /** An object schema with a key for each request header, in any letter case. */
  readonly headers?: Schema
  /** An object schema with a key for each cookie. */
  readonly cookies?: Schema
  /** The body of the request. */
  readonly body?: BodySpec
  /** The responses by status. */
  readonly responses?: { readonly [Key in ResponseKey]?: ResponseSpec }
  /** The names of its problems in the document's catalog. */
  readonly problems?: readonly string[]
  /**
   * The security requirements, of which a request must satisfy one; an empty list means no
   * authentication.
   */
  readonly security?: readonly SecurityRequirement[]
}

/** The parsed parts of a request; undefined for a part that the operation does not declare. */
export interface ParsedRequest<
  Of extends Route = Route,
  Spec extends OperationSpec = OperationSpec,
> {
  /** The path parameters. */
  readonly params: Spec extends { readonly params: infer Params extends Schema }
    ? Output<Params>
    : PathParams<Of>
  /** The query parameters. */
  readonly query: OutputOf<Spec, 'query'>
  /** The headers that the operation declares. */
  readonly headers: OutputOf<Spec, 'headers'>
  /** The cookies that the operation declares. */
  readonly cookies: OutputOf<Spec, 'cookies'>
  /** The body. */
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

/** The path parameters that a router reads. */
export type RouterParams = Readonly<Record<string, string | undefined>>
