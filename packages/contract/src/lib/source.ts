import type { OpenAPI } from '@plumbline/openapi'
import type {
  CheckedExchange,
  CheckedStream,
  Checks,
  RouterParams,
} from '@plumbline/openapi/internal'
import type { Result } from '@plumbline/result'

/**
 * An API's operations, which match and check exchanges. All other code in this package works alike for the operations in
 * a program and in any document.
 */
export interface Source extends Checks<SourceOperation> {
  /** All operations and webhooks. A program may add more: then this is another list. */
  operations(): readonly SourceOperation[]
  /** The document with these operations; null for operations without a document. */
  build(): Result<OpenAPI.Document, Error> | null
  /** The methods that operations have at a request's URL. */
  methodsOf(request: Request, basePath: string | undefined): readonly string[]
  /** The status of the problem for every request rejected like this; null without such a problem. */
  defaultStatus(reason: DefaultReason): number | null
}

/** Why a request is rejected before a handler is called. */
export type DefaultReason =
  | 'forbidden'
  | 'malformed'
  | 'methodNotAllowed'
  | 'unauthorized'
  | 'unsupportedMediaType'

/** One operation, and how the values of its exchanges are read. */
export interface SourceOperation {
  readonly operationId: string
  /** In lower case. */
  readonly method: string
  /** The path as written in the document, such as `/books/{bookId}`. */
  readonly path: string
  /** The route with which requests are written, such as `/books/:bookId`. */
  readonly pattern: string
  /** The origin of the route; null for any. */
  readonly origin: string | null
  /** By status code, range or `default`. */
  readonly responses: ReadonlyMap<string, SourceResponse>
  /** The problems by status code. */
  readonly problems: ReadonlyMap<string, readonly SourceProblem[]>
  /** The media types and ranges of the request's body. */
  readonly mediaTypes: readonly string[]
  /** The names of the optional parameters. */
  readonly optional: Readonly<Record<OptionalLocation, readonly string[]>>
  /** Checks a response. Without `isRead`, the body is not read. */
  check(request: Request, response: Response, isRead?: boolean): Promise<CheckedExchange>
  /** Returns the stream declared for a response; null if the response is not such a stream. */
  streamOf(request: Request, response: Response): CheckedStream | null
  /** Returns the declared media type or range of a request's body. */
  mediaTypeOf(request: Request): string | undefined
  /** Returns the status code, range or `default` that declares a response; null for a problem, or if none does. */
  keyOf(response: Response): string | null
  /** Reads the parameters of an accepted request, except in unreadable locations. */
  readParameters(
    request: Request,
    params: RouterParams,
    locations: readonly ParameterLocation[],
  ): ReadonlyMap<ParameterLocation, ReadParameters>
  /** Reads a request's body as its schema receives it, from the bytes if they are given; null if it cannot be read. */
  readBody(request: Request, bytes: ArrayBuffer | null): Promise<SentBody | null>
  /** Reads the text of a response header as its schema receives it. */
  readHeader(key: string, name: string, text: string): unknown
}

/** A declared response. */
export interface SourceResponse {
  /** The media ranges of the body in lower case. */
  readonly ranges: readonly string[]
  readonly stream: SourceStream | undefined
}

/** A response sent in parts. */
export interface SourceStream {
  readonly kind: 'events' | 'lines'
  /** The sent media type. */
  readonly mediaType: string
}

/** An operation's problem. */
export interface SourceProblem {
  readonly name: string
  readonly status: number
  /** Whether the operation does not declare it: the server may answer it as a default. */
  readonly isDefault: boolean
}

/** The request parts with parameters. */
export type ParameterLocation = 'params' | OptionalLocation

/** The request parts with optional parameters. */
export type OptionalLocation = 'query' | 'headers' | 'cookies'

/** The parameters of one request part. */
export interface ReadParameters {
  /** Whether a parameter was sent. */
  has(name: string): boolean
  /** The values as their schema receives them. */
  readonly values: Readonly<Record<string, unknown>>
}

/** An accepted request's body, before the schema transforms it. */
export interface SentBody {
  readonly isAbsent: boolean
  readonly value: unknown
}
