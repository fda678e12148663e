import type { AnyProblemCatalog, Issue, ProblemDetails } from '@plumbline/problem'
import type { DefaultProblemName } from '../document/defaults.ts'
import type { AnyOperation } from '../operation.ts'
import type { Input, IsFile, Schema } from '../schema/standard-schema.ts'
import type { ReceivedPart, StreamSpec } from '../spec/stream-spec.ts'

/**
 * An operation's answers: a union discriminated by `status`, and by `contentType` if a response has several media
 * types. A problem's `problem` is its name in the catalog, and `body.type` is its URI. With `HasDefaults`, which is
 * true for a document's client, the server may also answer any other problem in the catalog: a document's types do not
 * name the default problems.
 */
export type ClientAnswer<
  Of extends AnyOperation,
  Problems extends AnyProblemCatalog = AnyProblemCatalog,
  HasDefaults extends boolean = false,
> = Resolved<
  | DeclaredAnswer<Of>
  | ProblemAnswer<Of, Problems, HasDefaults extends true ? keyof Problems : NamesOf<Of>>
  | (HasDefaults extends true ? BlankAnswer<Of, Problems> : never)
>

/** Members shared by every answer. */
interface AnswerBase {
  /** The response headers. */
  readonly headers: Headers
  /** The response. Its body was already read. */
  readonly response: Response
}

type DeclaredAnswer<Of extends AnyOperation> = Of['spec'] extends {
  readonly responses: infer Responses
}
  ? {
      [Key in keyof Responses]: AnswerOf<
        StatusOf<Key, keyof Responses>,
        IsHead<Of> extends true ? unknown : Responses[Key]
      >
    }[keyof Responses]
  : never

type AnswerOf<Status, Declared> =
  | (Declared extends { readonly stream: unknown; readonly body?: undefined }
      ? never
      : ContentAnswer<Status, Declared>)
  | (Declared extends { readonly stream: infer Stream extends StreamSpec }
      ? Answer<Status, Stream['mediaTypes'][number], AsyncIterable<ReceivedPart<Stream>>>
      : never)

type ContentAnswer<Status, Declared> = Declared extends { readonly body: infer Body }
  ? Body extends Schema
    ? SingleAnswer<Status, Input<Body>>
    : {
        [Type in keyof Body]: Body[Type] extends Schema
          ? Answer<
              Status,
              Matching<Type & string>,
              Decoded<Lowercase<Type & string>, Input<Body[Type]>>
            >
          : never
      }[keyof Body]
  : Answer<Status, undefined, undefined>

/** A single schema is JSON, or a file with any media type. */
type SingleAnswer<Status, Value> =
  IsFile<Value> extends true
    ? Answer<Status, string, Blob>
    : Answer<Status, 'application/json' | `${string}+json`, Value>

interface Answer<Status, Type, Body> extends AnswerBase {
  /** The status code. */
  readonly status: Status
  /** The media type in lower case, without parameters; undefined without a body. */
  readonly contentType: Type
  /** JSON is parsed; text is a string; event streams and JSON lines are streams; the rest is a file. */
  readonly body: Body
  /** The problem's name, if the answer is a problem. */
  readonly problem?: undefined
}

type ProblemAnswer<Of extends AnyOperation, Problems, Names> = {
  [One in Names & keyof Problems]: ProblemOf<One, Problems[One], IsHead<Of>>
}[Names & keyof Problems]

type NamesOf<Of extends AnyOperation> = Of['spec'] extends {
  readonly problems: readonly (infer Name)[]
}
  ? Name
  : never

/** The `about:blank` problems, for reasons without a catalog entry. */
type BlankAnswer<Of extends AnyOperation, Problems> = {
  [Reason in Exclude<keyof BlankStatuses, keyof Problems>]: ProblemOf<
    Reason,
    BlankEntry<Reason>,
    IsHead<Of>
  >
}[Exclude<keyof BlankStatuses, keyof Problems>]

type BlankEntry<Reason extends keyof BlankStatuses> = {
  readonly status: BlankStatuses[Reason]
  readonly type: 'about:blank'
} & (Reason extends 'invalid'
  ? (options: { readonly extensions: BlankIssues }) => Response
  : unknown)

interface BlankIssues {
  readonly errors: readonly Issue[]
}

/** RFC 9457 §4.2.1. The router answers the other two reasons, for requests without an operation. */
interface BlankStatuses
  extends Record<Exclude<DefaultProblemName, 'notFound' | 'methodNotAllowed'>, number> {
  readonly malformed: 400
  readonly unauthorized: 401
  readonly forbidden: 403
  readonly tooLarge: 413
  readonly unsupportedMediaType: 415
  readonly invalid: 422
  readonly internal: 500
}

interface ProblemOf<Name, Entry, IsEmpty> extends AnswerBase {
  readonly status: Entry extends { readonly status: infer Status } ? Status : number
  readonly contentType: 'application/problem+json'
  /** The problem document (RFC 9457 §3.1) with the type's extension members. */
  readonly body: IsEmpty extends true
    ? undefined
    : ProblemDetails & TypeOf<Entry> & ExtensionsOf<Entry>
  /** The problem's name in the catalog, which represents its `type`. */
  readonly problem: Name
}

/** A problem's `type`, which discriminates bodies with the same status. */
type TypeOf<Entry> = Entry extends { readonly type: infer Type; readonly status: infer Status }
  ? { readonly type: Type; readonly status: Status }
  : unknown

type ExtensionsOf<Entry> = Entry extends (...options: infer Options) => Response
  ? Options[0] extends { readonly extensions?: infer Extensions } | undefined
    ? [Exclude<Extensions, undefined>] extends [never]
      ? unknown
      : Exclude<Extensions, undefined>
    : unknown
  : unknown

type IsHead<Of extends AnyOperation> =
  Uppercase<Of['route']['method']> extends 'HEAD' ? true : false

/** The statuses a key in `responses` declares, without those covered by more specific keys. */
type StatusOf<Key, Keys> = Key extends number
  ? Key
  : Key extends `${infer Status extends number}`
    ? Status
    : Key extends `${infer Hundreds extends '1' | '2' | '3' | '4' | '5'}XX`
      ? Exclude<InRange<Hundreds>, Exact<Keys>>
      : Exclude<InRange<'1' | '2' | '3' | '4' | '5'>, Exact<Keys> | Ranged<Keys>>

type Exact<Keys> = Keys extends number
  ? Keys
  : Keys extends `${infer Status extends number}`
    ? Status
    : never
type Ranged<Keys> = Keys extends `${infer Hundreds extends '1' | '2' | '3' | '4' | '5'}XX`
  ? InRange<Hundreds>
  : never
type InRange<Hundreds extends string> =
  `${Hundreds}${Digit}${Digit}` extends `${infer Status extends number}` ? Status : never
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** The value a client decodes from a body, by media type. */
type Decoded<Type extends string, Value> = Type extends 'application/json' | `${string}+json`
  ? Value
  : Type extends Sequence
    ? ReadableStream<Uint8Array<ArrayBuffer>>
    : Type extends Text
      ? Value extends string
        ? Value
        : string
      : Type extends '*/*' | 'application/*'
        ? unknown
        : Blob

type Sequence =
  | 'text/event-stream'
  | 'application/jsonl'
  | 'application/x-ndjson'
  | 'application/json-seq'
type Text =
  | `text/${string}`
  | `${string}+xml`
  | `${string}+yaml`
  | 'application/xml'
  | 'application/yaml'
  | 'application/x-www-form-urlencoded'

type Matching<Type extends string> = Type extends `${infer Kind}/*`
  ? Kind extends '*'
    ? string
    : `${Lowercase<Kind>}/${string}`
  : Lowercase<Type>

/** Writes out an intersection or a union, so editors show its members. */
type Resolved<Type> = Type extends unknown ? { [Name in keyof Type]: Type[Name] } : never
