import type { Input, Schema } from '../schema/standard-schema.ts'
import type { HeaderSpec, OperationSpec, ResponseKey, ResponseSpec } from './operation-spec.ts'
import type { PathParams, Route } from './route.ts'

/** Rejects params at compile time if their keys aren't the route's variables, and variables in braces. */
export type CheckParams<Of extends Route, Spec> = [InBraces<Of['pattern']>] extends [never]
  ? CheckKeys<Of, Spec>
  : { readonly params: `write :${InBraces<Of['pattern']>} in the route, not in braces` }

/** The first name in braces, as OpenAPI writes variables. A backslash makes a brace text. A query is a build fault. */
type InBraces<Pattern> = Pattern extends `${infer Before}{${infer Name}}${string}`
  ? Before extends `${string}\\` | `${string}?${string}=`
    ? never
    : Name
  : never

type CheckKeys<Of extends Route, Spec> = Spec extends {
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

/** Rejects unknown spec fields at compile time: a misspelt `query` would not be validated. */
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
    readonly [Status in keyof Responses as [ResponseFault<Responses[Status]>] extends [never]
      ? never
      : Status]: ResponseFault<Responses[Status]>
  }
}

type ResponseFault<Response> =
  | `unknown field of a response: ${UnknownNames<Response, ResponseSpec>}`
  | (Response extends { readonly headers: infer Headers }
      ? {
          [Name in keyof Headers]: `unknown field of a header: ${UnknownNames<Headers[Name], HeaderSpec>}`
        }[keyof Headers]
      : never)

type UnknownNames<Given, Known> = Exclude<keyof Given, keyof Known> & string
