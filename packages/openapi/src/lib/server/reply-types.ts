import type { Input, IsFile, Schema } from '../schema/standard-schema.ts'
import type { ResponseSpec } from '../spec/operation-spec.ts'
import type { StreamPart } from '../spec/stream-spec.ts'
import type { Answer } from './answer.ts'

/**
 * Makes an operation's response. Undeclared statuses, bodies and headers do not compile. If they are only
 * known at run time, it throws a TypeError.
 */
export type Reply<OperationId extends string, Responses> = <const Status extends number>(
  status: CheckStatus<OperationId, Responses, Status>,
  ...content: ReplyContent<ResponseOf<Responses, Status>, Status>
) => Answer<OperationId>

/** The status, or the reason why the operation cannot answer it. */
type CheckStatus<OperationId extends string, Responses, Status extends number> =
  Status extends DeclaredStatus<Responses>
    ? Status
    : `operation "${OperationId}" does not declare status ${Status}`

/** The statuses an operation declares: codes, the codes in ranges, and all numbers for `default`. */
type DeclaredStatus<Responses> = {
  [Key in keyof Responses]: Key extends number
    ? Key
    : Key extends `${infer Code extends number}`
      ? Code
      : Key extends `${infer Class}XX`
        ? StatusOfClass<Class>
        : number
}[keyof Responses]

type StatusOfClass<Class extends string> =
  `${Class}${Digit}${Digit}` extends `${infer Code extends number}` ? Code : never

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** The response for a status (OpenAPI 3.1.1 §4.8.16): by code, then by range, then the default. */
type ResponseOf<Responses, Status extends number> = Status extends keyof Responses
  ? Responses[Status]
  : `${Status}` extends keyof Responses
    ? Responses[`${Status}`]
    : RangeOf<Status> extends keyof Responses
      ? Responses[RangeOf<Status>]
      : Responses extends { readonly default: infer Default }
        ? Default
        : never

type RangeOf<Status extends number> = `${Status}` extends `${infer Class}${Digit}${Digit}`
  ? `${Class}XX`
  : never

/** The body and an answer's options. Both may be omitted if neither is required. */
type ReplyContent<Response, Status extends number> = Response extends ResponseSpec
  ? ContentOf<BodyOf<Response>, HeadersOption<Response, Status>>
  : []

type ContentOf<Body, Options> = [Body] extends [never]
  ? Empty extends Options
    ? [body?: null, options?: Options]
    : [body: null | undefined, options: Options]
  : Body extends ReplyBody
    ? Empty extends Options & Body['options']
      ? [body: Body['body'], options?: Options & Body['options']]
      : [body: Body['body'], options: Options & Body['options']]
    : never

type Empty = Record<never, never>

/** A body a response declares, and the options that go with it. */
interface ReplyBody {
  readonly body: unknown
  readonly options: object
}

/** The bodies by media type, and the stream's parts; never if the response has neither. */
type BodyOf<Response> = ContentBody<Response> | StreamBody<Response>

type StreamBody<Response> = Response extends { readonly stream: infer Stream }
  ? { body: AsyncIterable<StreamPart<Stream>>; options: Empty }
  : never

type ContentBody<Response> = Response extends { readonly body: infer Body }
  ? Body extends Schema
    ? SingleBody<Input<Body>>
    : IsOne<keyof Body> extends true
      ? { [Type in keyof Body]: BodyOfType<Type, Body[Type], false> }[keyof Body]
      : { [Type in keyof Body]: BodyOfType<Type, Body[Type], true> }[keyof Body] | BodyOfAll<Body>
  : never

/**
 * A single schema is JSON or a file. A file's media type is the file's own, the one named in the options, or the
 * schema's.
 */
type SingleBody<Value> =
  IsFile<Value> extends true
    ? { body: Value | Bytes; options: { readonly contentType?: string } }
    : { body: Value; options: { readonly contentType?: JsonType } }

/** A body every declared media type accepts: the request's Accept header selects the type. */
interface BodyOfAll<Body> {
  body: Intersection<{ [Type in keyof Body]: InputOf<Body[Type]> }[keyof Body]>
  options: { readonly contentType?: undefined }
}

type InputOf<Of> = Of extends Schema ? Input<Of> : never

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

type JsonType = 'application/json' | `${string}+json`

/** Whether a union has one member. */
type IsOne<Union, Member = Union> = Member extends unknown
  ? [Union] extends [Member]
    ? true
    : false
  : never

type BodyOfType<Type, Of, IsNamed extends boolean> = Of extends Schema
  ? {
      body: IsJson<Type> extends true ? Input<Of> : Input<Of> | Bytes
      options: ContentTypeOption<Type, IsNamed>
    }
  : never

type IsJson<Type> = Type extends `application/json${string}` | `${string}+json${string}`
  ? true
  : false

/** A media type is named if there are several, or if only a range is declared. */
type ContentTypeOption<Type, IsNamed extends boolean> = Type extends `${infer Start}*${string}`
  ? { readonly contentType: Start extends '*/' | '' ? string : `${Start}${string}` }
  : IsNamed extends true
    ? { readonly contentType: Type }
    : { readonly contentType?: Type }

/** Body content other than JSON: a file, bytes or a stream. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

type HeadersOption<Response, Status extends number> =
  Empty extends DeclaredHeaders<Response, Status>
    ? { readonly headers?: DeclaredHeaders<Response, Status> & OtherHeaders }
    : { readonly headers: DeclaredHeaders<Response, Status> & OtherHeaders }

type DeclaredHeaders<Response, Status extends number> = (Response extends {
  readonly headers: infer Headers
}
  ? {
      readonly [Name in keyof Headers as IsRequired<Headers[Name]> extends true
        ? Name
        : never]: HeaderInput<Headers[Name]>
    } & {
      readonly [Name in keyof Headers as IsRequired<Headers[Name]> extends true
        ? never
        : Name]?: HeaderInput<Headers[Name]>
    }
  : unknown) &
  // RFC 9110 §15.4: a redirect without a location does not lead anywhere.
  (Status extends 301 | 302 | 303 | 307 | 308 ? { readonly Location: string } : unknown)

type IsRequired<Header> = Header extends { readonly required: true } ? true : false

type HeaderInput<Header> = Header extends { readonly schema: infer Of extends Schema }
  ? Input<Of>
  : never

/** A header's value. A list is written with commas; `Set-Cookie` once for each element. */
export type HeaderValue = string | number | boolean | readonly (string | number | boolean)[]

interface OtherHeaders {
  readonly [name: string]: HeaderValue | undefined
}
