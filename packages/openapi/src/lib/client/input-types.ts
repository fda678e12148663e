import type { AnyOperation } from '../operation.ts'
import type { Input, Schema } from '../schema/standard-schema.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import type { PathParams, Route } from '../spec/route.ts'
import type { StreamOf, StreamSpec } from '../spec/stream-spec.ts'
import type { StreamInit } from './stream-init.ts'
import type { Bytes } from './write-request.ts'

/** An operation's request parts. A part may be left out if all its members are optional. */
export type ClientInput<Of extends AnyOperation> = Flat<
  ParamsInput<Of['route'], Of['spec']> &
    PartInput<Of['spec'], 'query'> &
    PartInput<Of['spec'], 'headers'> &
    PartInput<Of['spec'], 'cookies'>
> &
  BodyInput<Of['spec']> &
  AcceptInput<Of['spec']>

/** The arguments of a client function. */
export type ClientArguments<Of extends AnyOperation> =
  Empty extends ClientInput<Of>
    ? [input?: ClientInput<Of>, init?: InitOf<Of>]
    : [input: ClientInput<Of>, init?: InitOf<Of>]

type InitOf<Of extends AnyOperation> = [StreamOf<Of['spec']>] extends [never]
  ? ClientInit
  : ClientInit & StreamInit

/** Options for one request: a signal, credentials, and headers the operation does not declare. */
export type ClientInit = Omit<RequestInit, 'method' | 'body'>

type ParamsInput<Of extends Route, Spec extends OperationSpec> = Spec extends {
  readonly params: infer Params extends Schema
}
  ? Part<'params', Input<Params>>
  : Part<'params', PathParams<Of>>

type PartInput<Spec, Name extends string> = Spec extends {
  readonly [Key in Name]: infer Given extends Schema
}
  ? Part<Name, Input<Given>>
  : unknown

/** A part is optional if the type accepts an empty object. */
type Part<Name extends string, Value> = Empty extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value }

type BodyInput<Spec> = Spec extends { readonly body: infer Body }
  ? Body extends Schema
    ? Content<Input<Body>, { readonly contentType?: MediaType }>
    : {
        [Type in keyof Body]: Body[Type] extends Schema
          ? Content<Input<Body[Type]>, ContentType<Type & string, IsUnion<keyof Body>>>
          : never
      }[keyof Body]
  : unknown

type Content<Value, Type> = (undefined extends Value
  ? { readonly body?: Sendable<Value> }
  : { readonly body: Sendable<Value> }) &
  Type

/** A file may be sent as any object with the file's bytes. */
type Sendable<Value> = File extends Value ? Value | Bytes : Value

/** If a body has only one exact media type, it is the default. */
type ContentType<
  Type extends string,
  IsOneOfMany extends boolean,
> = Type extends `${string}*${string}`
  ? { readonly contentType: Matching<Type> }
  : IsOneOfMany extends true
    ? { readonly contentType: Type }
    : { readonly contentType?: Type }

type Matching<Range extends string> = Range extends `${infer Kind}/*`
  ? Kind extends '*'
    ? MediaType
    : `${Kind}/${string}`
  : MediaType

/** A response with several media types lets the caller choose one. */
type AcceptInput<Spec> = Spec extends { readonly responses: infer Responses }
  ? [ChosenType<Responses[keyof Responses]>] extends [never]
    ? unknown
    : {
        /** The media type to ask for. By default, a loop asks for the stream and `await` for the body. */
        readonly accept?: ChosenType<Responses[keyof Responses]>
      }
  : unknown

type ChosenType<Response> = Response extends { readonly stream: infer Stream extends StreamSpec }
  ? Stream['mediaTypes'][number] | BodyType<Response, 'application/json'>
  : BodyType<Response, never>

type BodyType<Response, Single> = Response extends { readonly body: infer Body }
  ? Body extends Schema
    ? Single
    : AcceptedType<keyof Body & string>
  : never

type AcceptedType<Range extends string> = Range extends `${string}*${string}`
  ? Matching<Range>
  : Range

type MediaType = `${string}/${string}`

type IsUnion<Names, Each = Names> = Names extends unknown
  ? [Each] extends [Names]
    ? false
    : true
  : never

type Empty = Record<never, never>
type Flat<Type> = { [Name in keyof Type]: Type[Name] }
