import type { ScimError } from '../error.ts'
import type { AuthenticationScheme, SecurityEvents } from '../schema/types.ts'
import type { OnChange } from './changes/report-changes.ts'
import type { Transaction } from './core/transaction.ts'
import type { FailureOptions } from './failures.ts'
import type { GivenLimits } from './options/limits.ts'
import type { Outbox } from './options/outbox.ts'
import type { Profile, ProfileName } from './options/profiles.ts'
import type { ResourceType } from './options/resource-type.ts'

/** An endpoint's options (RFC 7644). The context is what an application knows about an authenticated client. */
export interface ScimEndpointOptions<Context extends object> {
  /** The resource types, in the order in which a search over all types visits them. */
  readonly resourceTypes: readonly ResourceType<NoInfer<Context>>[]
  /**
   * Returns the client's context, an object passed to every store call, as `bearerTokens` does. Null answers `401`, and
   * so does any other falsy value. `true`, a string, a list or an Error is an internal error and never a client. It may
   * throw a ScimError, such as `403`. Any other thrown error is a `500`, also that of an expired token: catch it and
   * return null.
   */
  readonly authenticate: (request: Request) => Promise<Context | null>
  /**
   * The endpoint's path in request URLs, such as `/scim/v2`, or `/` if it has a host of its own. Required without
   * `base`. A function returns each request's path, if the endpoint has several, such as `/tenants/acme/scim/v2`.
   */
  readonly basePath?: string | ((request: Request) => string) | undefined
  /**
   * The endpoint's public URL, which locations start with, such as `https://example.com/scim/v2`. By default, it is the
   * request's origin with `basePath`. A client may send any Host header, and a proxy another one, so set it on a public
   * server. A framework that removes the path from a request's URL, such as Express, needs it in place of `basePath`.
   */
  readonly base?: string | ((request: Request) => string) | undefined
  /**
   * Runs each write together with its precondition check. The context it passes to the work, such as
   * `{ ...context, tx }`, reaches the store. Then the context type that `authenticate` returns needs an optional `tx`.
   * It must return the work's value, and may run the work again after a failure, such as a deadlock. The work always
   * ends: it rejects about a second after `limits.writeTime` or after the client has hung up, so that the transaction
   * can roll back and release the connection. Without `transaction`, writes to one resource run one after another
   * within this process. Stores whose writes change several tables require it.
   */
  readonly transaction?: Transaction<NoInfer<Context>> | undefined
  /** The deviations from the standard that a client needs; `standard` by default. */
  readonly profile?:
    | ProfileName
    | Profile
    | ((context: NoInfer<Context>) => ProfileName | Profile)
    | undefined
  /** The resource behind `/Me` for a client (RFC 7644 §3.11). Without it, `/Me` is `501`. */
  readonly me?: MeOptions<NoInfer<Context>> | undefined
  /** Returns the key under which a client's unread responses are counted; by default, one key for all. */
  readonly client?: ((context: NoInfer<Context>) => string) | undefined
  /**
   * Waits until a client may use the event loop. It is called with a body's size in bytes before the body is parsed,
   * and with 0 before each bulk operation. It returns undefined if the client need not wait. A server can let its
   * tenants take turns here. By default, each body above 64 KiB waits for a separate turn.
   */
  readonly turn?:
    | ((context: NoInfer<Context>, bytes: number) => Promise<void> | undefined)
    | undefined
  /** Shares the limits `unread` and `unreadByClient` with other endpoints; an outbox of its own by default. */
  readonly outbox?: Outbox | undefined
  /** The limits that differ from the default. */
  readonly limits?: GivenLimits | undefined
  /**
   * Returns extra headers for each answer, such as `X-Request-Id`; none by default. They must not be headers the
   * endpoint sets itself. A request is a `500` if HTTP cannot carry them. Setting them on the finished response costs
   * more: it makes many runtimes build its headers twice.
   */
  readonly headers?: ((request: Request) => Readonly<Record<string, string>>) | undefined
  /**
   * Receives each error behind a `5xx` but `501`, including those of bulk operations; `console.error` by default.
   * Clients do not see it. Without `base`, it also receives, once, that a proxy received a request at another origin.
   */
  readonly onError?: FailureOptions<NoInfer<Context>>['onError']
  /** Receives each answer's facts, for a log; it is called before the answer is sent. */
  readonly onAnswer?: ((answered: Answered<NoInfer<Context>>) => void) | undefined
  /**
   * Receives the changes each write makes, inside its transaction: an inserted row is committed with the write,
   * or not at all. Requires `transaction`. If it throws, the write is undone and answered `500`, or with the thrown
   * ScimError, such as `409 uniqueness`. It is not called for a write without changes. While it is set, a deletion
   * reads the resource and lists the groups it is a member of, and a `replace` of all group members reads them.
   */
  readonly onChange?: OnChange<NoInfer<Context>> | undefined
  /** Returns the `requestId` of a request's changes; a random UUID by default. */
  readonly requestId?: ((request: Request) => string) | undefined
  /** Translates a store or transaction error other than a ScimError; null for an internal error. */
  readonly toScimError?: FailureOptions<unknown>['toScimError']
  /** The value of `WWW-Authenticate` in a `401` (RFC 9110 §11.6.1); `Bearer` by default. */
  readonly challenge?: string | undefined
  /** The URL of help for people, in the ServiceProviderConfig (RFC 7643 §5). */
  readonly documentationUri?: string | undefined
  /** The authentication schemes in the ServiceProviderConfig; a bearer token by default. */
  readonly authenticationSchemes?: readonly AuthenticationScheme[] | undefined
  /** Whether clients can change passwords, in the ServiceProviderConfig; false by default. */
  readonly changePassword?: boolean | undefined
  /** The Security Event Tokens the application issues, in the ServiceProviderConfig (RFC 9967 §4). */
  readonly securityEvents?: SecurityEvents | undefined
}

/** A resource type whose writes change one table. */
export interface OneTable {
  /** The type's name. */
  readonly name: string
  /** Absent: several tables need a `transaction`. */
  readonly writesTo?: 'createScimEndpoint needs the option transaction for these tables'
}

/** Either a `transaction`, or only resource types whose writes change one table each. */
export type TransactionIfNeeded =
  | { readonly transaction: object }
  // The type of a list that is also a tuple keeps the type of each element.
  | { readonly resourceTypes: readonly OneTable[] | readonly [OneTable, ...OneTable[]] }

/** An answer's facts, for a log. */
export interface Answered<Context> {
  readonly request: Request
  /** Null if the client is not authenticated. */
  readonly context: Context | null
  /** The route below the endpoint, such as `/Users/:id`. Null if the path or the method is not supported. */
  readonly route: string | null
  /** The id in the path, decoded; empty without one. */
  readonly id: string
  readonly status: number
  /** The error that was answered, or null. */
  readonly error: ScimError | null
  /**
   * The request's JSON body, if it was read and is valid; otherwise undefined. It may contain passwords, and the
   * answered resource may share parts with it: do not change it.
   */
  readonly body: unknown
  /**
   * The paths a write ignored because of the profile: attributes in a PATCH that do not exist (`unknown-attributes`),
   * such as `emails.valu`, and values the store cannot keep (`elements-without-a-place`), such as
   * `phoneNumbers[type eq "fax"]`. The first 20 different paths, each up to 200 code units long; empty for other
   * requests and for a rejected write. A path is what the client sent, so it may be any text.
   */
  readonly ignored: readonly string[]
}

/** The resource behind `/Me` for a client (RFC 7644 §3.11). */
export interface MeOptions<Context> {
  /** The type's name; `User` by default. */
  readonly resourceType?: string | undefined
  /** Returns the resource's id; null answers `404`. */
  readonly id: (context: Context) => string | null
}

/** The default authentication scheme (RFC 6750). */
export const BEARER_SCHEME: AuthenticationScheme = {
  type: 'oauthbearertoken',
  name: 'Bearer token',
  description: 'A token in the Authorization header (RFC 6750)',
  specUri: 'https://www.rfc-editor.org/info/rfc6750',
  primary: true,
}
