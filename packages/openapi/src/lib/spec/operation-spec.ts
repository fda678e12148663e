import type { ExternalDocumentation, Link, Paths, SecurityRequirement } from '../openapi.ts'
import type { Output, Schema } from '../schema/standard-schema.ts'
import type { PathParams, PreparedRoute, Route } from './route.ts'
import type { StreamSpec } from './stream-spec.ts'

/** A body: one schema, which accepts `application/json` and `+json`, or a schema for each media type. */
export type BodySpec = Schema | Readonly<Record<string, Schema>>

/** The media types and ranges of a body, in lower case. */
export interface BodyRanges {
  readonly ranges: readonly string[]
  /** Whether it is a file, whatever its media type. */
  readonly isFile: boolean
}

/** An example of a value. The build checks it against the value's schema. */
export interface ExampleSpec {
  /** A summary of the example in one line. */
  readonly summary?: string
  /** A description of the example, which may contain CommonMark. */
  readonly description?: string
  /** The value as it is sent, as JSON: a number for a parameter that is a number. */
  readonly value: unknown
  /** The media type of a body with several; by default the first. */
  readonly mediaType?: string
}

/** Examples by name. */
export type Examples = Readonly<Record<string, ExampleSpec>>

/** A request's examples: those of its body, and those of each parameter by its name. */
export interface RequestExamples {
  /** The examples of the body by name. */
  readonly body?: Examples
  /** The examples of each path parameter. */
  readonly params?: Readonly<Record<string, Examples>>
  /** The examples of each query parameter. */
  readonly query?: Readonly<Record<string, Examples>>
  /** Each header's examples. */
  readonly headers?: Readonly<Record<string, Examples>>
  /** Each cookie's examples. */
  readonly cookies?: Readonly<Record<string, Examples>>
}

/** A header of a response. */
export interface HeaderSpec {
  /** The value's schema. */
  readonly schema: Schema
  /** A description of the header, which may contain CommonMark. */
  readonly description?: string
  /** Whether the header is always sent; false by default. */
  readonly required?: boolean
  /** Examples of the value by name. */
  readonly examples?: Examples
}

/** One response of an operation. */
export interface ResponseSpec {
  /** A description of the response, which may contain CommonMark. */
  readonly description: string
  /** The body; a response without one is empty. */
  readonly body?: BodySpec
  /** The body in parts, made by `events` or `jsonLines` of `/streams`; it may be declared next to `body`. */
  readonly stream?: StreamSpec
  /** The headers by name. */
  readonly headers?: Readonly<Record<string, HeaderSpec>>
  /** Examples of the body by name. */
  readonly examples?: Examples
  /**
   * The requests that may follow, by name, made by `defineLink`.
   */
  readonly links?: Readonly<Record<string, LinkSpec>>
}

/** A status code, a range such as `4XX`, or `default` for all others. */
export type ResponseKey = number | `${1 | 2 | 3 | 4 | 5}XX` | 'default' | `${number}`

/** The lifetime of an operation that clients should stop using. `implement` sends it with each answer. */
export interface Deprecation {
  /** The time since which it is deprecated, for the header `Deprecation` (RFC 9745). */
  readonly since: Date
  /** The time after which it may no longer answer, for the header `Sunset` (RFC 8594). */
  readonly sunset?: Date
  /** The URL of a page about it, for the header `Link`. */
  readonly link?: string
}

/** The exchange of which a runtime expression reads a value. */
export interface Exchange {
  readonly spec: OperationSpec
  readonly route: PreparedRoute
  /** The responses that the exchange may have. */
  readonly responses: readonly (ResponseSpec | undefined)[]
}

/** An expression that does not lead to a value, and why. */
export interface ExpressionFault {
  readonly expression: string
  readonly reason: string
}

/** A request that may follow a response, made by `defineLink`. */
export interface LinkSpec extends Link {
  /** Finds the faults of the link of an exchange to an operation of `paths`. */
  findFaults(exchange: Exchange, paths: Paths): readonly string[]
}

/** A request that an API sends in consequence of an operation. */
export interface CallbackSpec {
  /**
   * The URL, with runtime expressions in braces, such as `{$request.body#/callbackUrl}`, which the build checks.
   */
  readonly url: string
  /** The request, made by `defineWebhook` of `/webhooks`. */
  readonly webhook: CallbackWebhook
}

/** The parts of a webhook that a callback needs. */
export interface CallbackWebhook {
  readonly operationId: string
  readonly spec: OperationSpec
  /** Finds the runtime expressions of an exchange that do not lead to a value. */
  findExpressionFaults(
    expressions: readonly string[],
    exchange: Exchange,
  ): readonly ExpressionFault[]
}

/** The description of an operation. */
export interface OperationSpec {
  /** A summary of the operation in one line. */
  readonly summary: string
  /** A description of the operation, which may contain CommonMark. */
  readonly description?: string
  /** The names of the tags that group the operation with others. */
  readonly tags?: readonly string[]
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocumentation
  /** Whether clients should stop using the operation, or since when and until when; false by default. */
  readonly deprecated?: boolean | Deprecation
  /** An object schema whose keys are exactly the variables of the route. */
  readonly params?: Schema
  /** An object schema with a key for each query parameter. */
  readonly query?: Schema
  /** An object schema with a key for each request header, in any letter case. */
  readonly headers?: Schema
  /** An object schema with a key for each cookie. */
  readonly cookies?: Schema
  /** The request body. */
  readonly body?: BodySpec
  /** Examples of the body and the parameters, which the build checks. */
  readonly examples?: RequestExamples
  /** The most bytes of the body that `implement` accepts; its own `bodyLimit` by default. */
  readonly bodyLimit?: number
  /**
   * The most fields of a form, repeated ones included; 1,000 by default. A form with more is `malformed`: a field
   * costs far more time than its bytes.
   */
  readonly formFields?: number
  /** The responses by status. */
  readonly responses?: { readonly [Key in ResponseKey]?: ResponseSpec }
  /** The requests that the API sends in consequence of the operation, by name. */
  readonly callbacks?: Readonly<Record<string, CallbackSpec>>
  /** The names of its problems in the document's catalog. */
  readonly problems?: readonly string[]
  /**
   * The security requirements, of which a request must satisfy one; an empty list means no
   * authentication.
   */
  readonly security?: readonly SecurityRequirement[]
}

/** The parsed parts of a request; undefined for a part the operation does not declare. */
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
  /** The headers the operation declares. */
  readonly headers: OutputOf<Spec, 'headers'>
  /** The cookies the operation declares. */
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

/** The path parameters a router reads. */
export type RouterParams = Readonly<Record<string, string | undefined>>
