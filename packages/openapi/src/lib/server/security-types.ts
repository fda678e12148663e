import type { SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { FORBIDDEN, Forbidden } from './forbidden.ts'

/** A request's credentials, with the facts a verifier needs to check them. */
export type Credentials<Sent = unknown> = Sent & {
  /** The scopes the operation requires for this scheme. */
  readonly scopes: readonly string[]
  /** The request. The body must not be read. */
  readonly request: Request
}

/** A token for the scheme `bearer`, for OAuth 2.0 or for OpenID Connect. */
export interface BearerToken {
  /** The token as sent (RFC 6750 §2.1). */
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
  /** The key as sent. */
  readonly key: string
}

/** Credentials for another scheme in the `Authorization` header. */
export interface OtherCredentials {
  /** The text after the scheme's name. */
  readonly credentials: string
}

/** A scheme's credentials. Only the server's platform knows a client certificate's. */
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
 * One verifier per security scheme. It returns the principal for valid credentials, or null, undefined or false for
 * invalid ones (401). If valid credentials do not permit the operation, it returns `FORBIDDEN` or `forbidden(detail)`
 * (403).
 *
 * If the principal has a member `scopes`, a `readonly string[]`, each scope the operation requires for the scheme must
 * be in it. Otherwise the answer is 403, with `insufficient_scope` (RFC 6750 §3.1) and a detail that names the missing
 * scopes. Scopes of another type do not compile, and are a TypeError (500). Without the member, the verifier compares
 * `scopes` itself.
 */
export type Verifiers<Schemes extends SecuritySchemes> = {
  readonly [Name in keyof Schemes]: (
    credentials: Credentials<SentOf<Schemes[Name]>>,
  ) => VerifierResult | Promise<VerifierResult>
}

/**
 * Verifiers before they are checked. Some may be missing, and their results may have any scopes, so that principals are
 * known in a program with such a mistake.
 */
export type SomeVerifiers<Schemes extends SecuritySchemes, Result = unknown> = {
  readonly [Name in keyof Schemes]?: (credentials: Credentials<SentOf<Schemes[Name]>>) => Result
}

/** Any value. Only its `scopes` have a type, if it has any. */
type VerifierResult =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  // A promise is not itself a result.
  | (object & { readonly scopes?: readonly string[]; readonly then?: never })

/**
 * The verifiers before the compiler has read them. It chooses `implement` without the functions first. If members were
 * missing then, it would report each principal as unknown, next to the one real mistake.
 */
export type Unread<Schemes extends SecuritySchemes> = [keyof Schemes] extends [never]
  ? Verifiers<Schemes>
  : SomeVerifiers<Schemes, AnyPrincipal> & { readonly 'not read yet'?: never }

/** Requires a member for each name, once the compiler has read the verifiers. */
export type RequiredOnceRead<Named, Verifying> = 'not read yet' extends keyof Verifying
  ? unknown
  : { readonly [Name in keyof Named]: object }

/** The verifiers, with one for each scheme without one, so that the principals of those are not mistakes, too. */
export type Completed<
  Schemes extends SecuritySchemes,
  Verifying,
> = keyof Schemes extends keyof Verifying
  ? Verifying
  : Verifying & { readonly [Name in Exclude<keyof Schemes, keyof Verifying>]: () => AnyPrincipal }

/** Has any member. A program with such a principal does not compile, because a verifier is missing. */
type AnyPrincipal = ReturnType<JSON['parse']>

/** The principal a verifier returns. */
type PrincipalOf<Verify> = Verify extends (...credentials: never) => infer Returned
  ? Exclude<Awaited<Returned>, null | undefined | false | typeof FORBIDDEN | Forbidden>
  : never

/**
 * An operation's principal, from the scheme with valid credentials. For a requirement with several schemes, an object
 * with their principals by name. Null without credentials.
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
