import type { SecurityRequirement } from '../openapi.ts'
import type { Output, Schema } from '../schema/standard-schema.ts'
import type { PathParams, Route } from './route.ts'

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

/** The path parameters that a router reads. */
export type RouterParams = Readonly<Record<string, string | undefined>>
