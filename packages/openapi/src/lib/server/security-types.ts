import type { SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { FORBIDDEN, Forbidden } from './forbidden.ts'

/** A request's credentials, with the facts a verifier needs to check them. */
export type Credentials<Sent = unknown> = Sent & {
  /** The scopes the operation requires of the scheme. */
  readonly scopes: readonly string[]
  /** The request; its body must not be read. */
  readonly request: Request
}

/** A token of the scheme `bearer`, of OAuth 2.0 or of OpenID Connect. */
export interface BearerToken {
  /** The token as it was sent (RFC 6750 §2.1). */
  readonly token: string
}

/** A user name and a password (RFC 7617). */
export interface UserAndPassword {
  /** The user name; it does not contain a colon. */
  readonly username: string
  /** The password. */
  readonly password: string
}

/** A key in a header, a query parameter or a cookie. */
export interface ApiKey {
  /** The key as it was sent. */
  readonly key: string
}

/** The credentials of another scheme of the `Authorization` header. */
export interface OtherCredentials {
  /** The text after the scheme's name. */
  readonly credentials: string
}

/** A scheme's credentials. Those of a client certificate are known only to the server's platform. */
type SentOf<Scheme> = Scheme extends { readonly type: 'oauth2' | 'openIdConnect' }
  ? BearerToken
  : Scheme extends { readonly type: 'apiKey' }
    ? ApiKey
    : Scheme extends { readonly type: 'http'; readonly scheme: infer Name extends string }
      ? string extends Name
        ? BearerToken | UserAndPassword | OtherCredentials
        : Lowercase<Name> extends 'bearer'
          ? BearerToken
          : Lowercase<Name> extends 'basic'
            ? UserAndPassword
            : OtherCredentials
      : unknown

/**
 * One verifier for each security scheme. It returns the principal of valid credentials, null, undefined
 * or false for others (401), or `FORBIDDEN` or `forbidden(detail)` if they are valid but do not permit the operation (403).
 */
export type Verifiers<Schemes extends SecuritySchemes> = {
  readonly [Name in keyof Schemes]: (credentials: Credentials<SentOf<Schemes[Name]>>) => unknown
}

/** The principal a verifier returns. */
type PrincipalOf<Verify> = Verify extends (...credentials: never) => infer Returned
  ? Exclude<Awaited<Returned>, null | undefined | false | typeof FORBIDDEN | Forbidden>
  : never

/**
 * An operation's principal: that of the scheme whose credentials were valid; for a requirement of
 * several schemes, an object of their principals by name; null without credentials.
 */
export type OperationPrincipal<
  Spec,
  Security extends readonly SecurityRequirement[],
  Verifying,
> = Spec extends { readonly security: infer Own extends readonly SecurityRequirement[] }
  ? PrincipalOfAny<Own, Verifying>
  : PrincipalOfAny<Security, Verifying>

type PrincipalOfAny<
  Requirements extends readonly SecurityRequirement[],
  Verifying,
> = Requirements extends readonly []
  ? null
  : Requirements[number] extends infer Requirement
    ? Requirement extends SecurityRequirement
      ? PrincipalOfAll<Requirement, Verifying>
      : never
    : never

type PrincipalOfAll<Requirement, Verifying> = [keyof Requirement] extends [never]
  ? null
  : string extends keyof Requirement
    ? unknown
    : IsOne<keyof Requirement> extends true
      ? PrincipalOf<Verifying[keyof Requirement & keyof Verifying]>
      : {
          readonly [Name in keyof Requirement]: PrincipalOf<Verifying[Name & keyof Verifying]>
        }

/** Whether a union has one member. */
type IsOne<Union, Member = Union> = Member extends unknown
  ? [Union] extends [Member]
    ? true
    : false
  : never
