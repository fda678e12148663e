import type { ExternalDocumentation, Link, Paths, SecurityRequirement } from '../openapi.ts'
import type { Output, Schema } from '../schema/standard-schema.ts'
import type { PathParams, PreparedRoute, Route } from './route.ts'
import type { StreamSpec } from './stream-spec.ts'

/** A body: one schema for `application/json` and `+json`, or a schema per media type. */
export type BodySpec = Schema | (NotASchema & Readonly<Record<string, Schema>>)

/** Tells the compiler's readers what to do with a schema that does not convert itself to JSON Schema. */
interface NotASchema {
  readonly '~standard'?: 'call toStandardJsonSchema: of @valibot/to-json-schema for Valibot, of @plumbline/problem/zod-mini for zod Mini' &
    Schema
}

/** A body's media types and ranges, in lower case. */
export interface BodyRanges {
  readonly ranges: readonly string[]
  /** Whether it is a file, whatever its media type. */
  readonly isFile: boolean
}

/** An example value. The build checks it against the value's schema. */
export interface ExampleSpec {
  /** A one-line summary of the example. */
  readonly summary?: string
  /** A description, which may contain CommonMark. */
  readonly description?: string
  /** The value as sent, as JSON: a number for a numeric parameter. */
  readonly value: unknown
  /** The media type, if the body has several; defaults to the first. */
  readonly mediaType?: string
}

/** Examples by name. */
export type Examples = Readonly<Record<string, ExampleSpec>>

/** A request's examples: for the body, and for each parameter by name. */
export interface RequestExamples {
  /** The body's examples by name. */
  readonly body?: Examples
  /** Examples for each path parameter. */
  readonly params?: Readonly<Record<string, Examples>>
  /** Examples for each query parameter. */
  readonly query?: Readonly<Record<string, Examples>>
  /** Each header's examples. */
  readonly headers?: Readonly<Record<string, Examples>>
  /** Each cookie's examples. */
  readonly cookies?: Readonly<Record<string, Examples>>
}

/** A response header. */
export interface HeaderSpec {
  /** The value's schema. */
  readonly schema: Schema
  /** A description, which may contain CommonMark. */
  readonly description?: string
  /** Whether the header is always sent; defaults to false. */
  readonly required?: boolean
  /** Example values by name. */
  readonly examples?: Examples
}

/** A response to an operation. */
export interface ResponseSpec {
  /** A description, which may contain CommonMark. */
  readonly description: string
  /** The body; a response without one is empty. */
  readonly body?: BodySpec
  /** The body in parts, made with `events` or `jsonLines` from `/streams`; it may be declared next to `body`. */
  readonly stream?: StreamSpec
  /** The headers by name. */
  readonly headers?: Readonly<Record<string, HeaderSpec>>
  /** The body's examples by name. */
  readonly examples?: Examples
  /** The requests that may follow, by name, made with `defineLink`. */
  readonly links?: Readonly<Record<string, LinkSpec>>
}

/** A status code, a range such as `4XX`, or `default` for all others. */
export type ResponseKey = number | `${1 | 2 | 3 | 4 | 5}XX` | 'default' | `${number}`

/** The lifetime of an operation clients should stop using. `implement` sends it with each answer. */
export interface Deprecation {
  /** When it was deprecated, for the header `Deprecation` (RFC 9745). */
  readonly since: Date
  /** When it may stop answering, for the header `Sunset` (RFC 8594). */
  readonly sunset?: Date
  /** The URL of a page about it, for the header `Link`. */
  readonly link?: string
}

/** The exchange from which a runtime expression reads a value. */
export interface Exchange {
  readonly spec: OperationSpec
  readonly route: PreparedRoute
  /** The responses the exchange may have. */
  readonly responses: readonly (ResponseSpec | undefined)[]
}

/** An expression that does not lead to a value, and why. */
export interface ExpressionFault {
  readonly expression: string
  readonly reason: string
}

/** A request that may follow a response, made with `defineLink`. */
export interface LinkSpec extends Link {
  /** Finds faults in the link from an exchange to an operation in `paths`. */
  findFaults(exchange: Exchange, paths: Paths): readonly string[]
}

/** A request an API sends in consequence of an operation. */
export interface CallbackSpec {
  /**
   * The URL: a runtime expression, or text with expressions in braces, such as `{$request.body#/callbackUrl}`. The
   * build checks it.
   */
  readonly url: string
  /** The request, made with `defineWebhook` from `/webhooks`. */
  readonly webhook: CallbackWebhook
}

/** The webhook members a callback needs. */
export interface CallbackWebhook {
  readonly operationId: string
  readonly spec: OperationSpec
  /** Finds faults in a callback's URL, such as an expression that does not lead to a value in the exchange. */
  findUrlFaults(url: string, exchange: Exchange): readonly ExpressionFault[]
}

/** The description of an operation. */
export interface OperationSpec {
  /** A one-line summary of the operation. */
  readonly summary: string
  /** A description, which may contain CommonMark. */
  readonly description?: string
  /** Tag names, which group the operation with others. */
  readonly tags?: readonly string[]
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocumentation
  /** Whether clients should stop using the operation, or since when and until when; defaults to false. */
  readonly deprecated?: boolean | Deprecation
  /** An object schema whose keys are exactly the route's variables. */
  readonly params?: Schema
  /** An object schema with a key for each query parameter. */
  readonly query?: Schema
  /** An object schema with a key for each request header, in any letter case. */
  readonly headers?: Schema
  /** An object schema with a key for each cookie. */
  readonly cookies?: Schema
  /** The request body. */
  readonly body?: BodySpec
  /** Examples for the body and the parameters, which the build checks. */
  readonly examples?: RequestExamples
  /** The most body bytes `implement` accepts; defaults to the `bodyLimit` of `implement`. */
  readonly bodyLimit?: number
  /**
   * The most form fields, including repeated ones; defaults to 1,000. A form with more is `malformed`: a field costs
   * far more time than the bytes.
   */
  readonly formFields?: number
  /** The responses by status. */
  readonly responses?: { readonly [Key in ResponseKey]?: ResponseSpec }
  /** The requests the API sends in consequence of the operation, by name. */
  readonly callbacks?: Readonly<Record<string, CallbackSpec>>
  /** The operation's problem names in the document's catalog. */
  readonly problems?: readonly string[]
  /** The security requirements: a request must satisfy one. An empty list means no authentication. */
  readonly security?: readonly SecurityRequirement[]
}

/** The parsed request parts; undefined for parts the operation does not declare. */
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
