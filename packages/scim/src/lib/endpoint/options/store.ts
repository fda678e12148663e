import type { Expression } from '../../filter/tree.ts'
import type { RawJson } from '../../message/raw-json.ts'
import type { MembershipPlan } from '../../patch/membership-plan.ts'
import type { WorkBudget } from '../../work-budget.ts'

/** A resource with the attribute names of the wire format (RFC 7643 §3). */
export type WireResource = Record<string, unknown>

/** The facts about the HTTP request a store call serves. */
export interface StoreRequest {
  /** The base URL of the endpoint, without a trailing slash, such as `https://example.com/scim/v2`. */
  readonly base: string
  /**
   * Aborted if the client closes the connection, and in a write also if `limits.writeTime` has passed. Cancel the
   * statement then: the endpoint waits at most one more second for a late write.
   */
  readonly signal: AbortSignal
  /** The work this request may still cost. Pass it to `compileFilter` and `applyPatch`. */
  readonly budget: WorkBudget
}

/**
 * The attributes a request needs: those the client wants, and those in the filter and the order. A store omitting other
 * attributes sets `meta.version`.
 */
export interface View {
  /** The only attributes the client wants, in addition to the always returned ones. */
  readonly attributes?: readonly string[] | undefined
  /** The attributes the client does not want (RFC 7644 §3.9). */
  readonly excludedAttributes?: readonly string[] | undefined
  /**
   * Returns whether the request needs an attribute or a sub-attribute in it. A store may omit every other attribute,
   * such as a large group's members.
   *
   * @param attribute an attribute such as `members`, or with a URN for an extension
   */
  needs(attribute: string): boolean
}

/** A request for one resource. */
export interface ReadRequest extends StoreRequest {
  /** The attributes the request needs. */
  readonly view: View
  /** Whether the resource is about to be written in this transaction, so the row should be locked. */
  readonly isForUpdate: boolean
  /** True if the resource is read to be deleted. Until the transaction ends, no group may add it as a member. */
  readonly isForDelete?: boolean
  /**
   * Returns whether the client still wants a resource with this entity tag (RFC 7644 §3.14). If not, the store may omit
   * everything but `meta`.
   */
  isWanted(version: string): boolean
}

/** A request for a list of resources (RFC 7644 §3.4.2). */
export interface ListRequest extends StoreRequest {
  /** The attributes the request needs. */
  readonly view: View
  /** The filter each resource must match, valid for the definitions. Null without a filter. */
  readonly filter: Expression | null
  /** The path that sorts the resources. Null without an order. */
  readonly sortBy: string | null
  /** The order of `sortBy`. */
  readonly sortOrder: 'ascending' | 'descending'
  /** The position of the first resource, from 1. */
  readonly startIndex: number
  /** The maximum number of resources. */
  readonly count: number
  /** The page's cursor, empty for the first page. Null for a page by index (RFC 9865 §2), and without `cursors`. */
  readonly cursor: string | null
  /**
   * Adds `schemas`, `meta.resourceType` and `meta.location` to a resource if the filter or the order names them. A
   * store filtering or sorting in memory evaluates the result.
   */
  complete(resource: WireResource): WireResource
}

/** A step of a list request a store has done itself. */
export type AppliedStep = 'filter' | 'sort' | 'page'

/** A store's answer to a list request. */
export interface ListAnswer {
  /** The resources. Not all of them need to match, unless `applied` has `filter`. */
  readonly resources: readonly StoredResource[]
  /**
   * The steps the store has done. The endpoint does the others in memory. `page` requires `filter`, and `sort` if the
   * request has an order. None by default.
   */
  readonly applied?: readonly AppliedStep[] | undefined
  /** How many resources match on all pages. Required for a page by index if `applied` has `page`. */
  readonly totalResults?: number | undefined
  /** The next page's cursor. Absent on the last page. */
  readonly nextCursor?: string | undefined
  /** The previous page's cursor. */
  readonly previousCursor?: string | undefined
}

/** A request to replace a resource. */
export interface ReplaceRequest extends StoreRequest {
  /** The resource before the change, as `read` returned it in this transaction. */
  readonly current: WireResource
  /** The attributes the response needs, for a store returning a `PreparedResource`. */
  readonly view: View
}

/** A change to a group, with most members unchanged (RFC 7644 §3.5.2). */
export interface MembersRequest extends ReplaceRequest {
  /** The group after the change, without its members. */
  readonly resource: WireResource
}

/** A membership: the ids of a group and its member. */
export interface Membership {
  readonly value: string
  readonly group: string
}

/**
 * A request about resources referenced from another store. It names their type, because ids of two types may be equal.
 */
export interface ReferenceRequest extends StoreRequest {
  /** The referenced resources' type, such as `User`. */
  readonly resourceType: string
  /** The referenced resources' store. */
  readonly store: object
}

/** A resource from a store: a wire resource, or a prepared representation of one. */
export type StoredResource = WireResource | PreparedResource

/** The parts of a prepared resource. */
export interface PreparedParts {
  /** The JSON, with the attributes the view wants and with `meta`. Pieces are sent one after the other. */
  readonly body: RawJson | readonly string[]
  /**
   * This representation's entity tag. If read-only attributes other than `id` and `meta` are shown, it differs from the
   * content's version: `W/"<content>-<digest>"`. The digest is the first 16 hexadecimal digits of the SHA-256 over
   * these attributes' JSON, such as `{"groups":[…]}`.
   */
  readonly version: string
}

/**
 * A resource the store has already projected and written as JSON. The endpoint sends it unchanged. A store may return
 * it from `read` if `isForUpdate` is false, from `replace`, and from `list` if it has applied every step.
 */
export class PreparedResource {
  /** The JSON, or its pieces. */
  readonly body: RawJson | readonly string[]
  /** The entity tag. */
  readonly version: string

  constructor({ body, version }: PreparedParts) {
    this.body = body
    this.version = version
  }
}

/** A store's own cursors (RFC 9865 §4). */
export interface CursorSupport {
  /** How long (s) a cursor is valid at least. Unlimited if absent. */
  readonly timeout?: number | undefined
}

/**
 * Reads and writes the resources of one type. Five functions make a correct endpoint; a store that does more itself is
 * faster.
 *
 * A resource has an `id`. The endpoint adds `schemas` and the `meta` members the store does not set: the
 * `resourceType`, the `location`, and a `version` computed from the attributes clients may read. Passwords and other
 * attributes that are never returned are ignored: their digest could be guessed. A store that keeps such values sets
 * `meta.version` to a revision, so a conditional write notices their changes too. A `meta.version` from the store is
 * the version of the client-writable attributes: the endpoint adds a digest of the read-only attributes shown in a
 * response. A write may throw a `ScimError`, such as `409 uniqueness`; each other error is a `500`.
 */
export interface ResourceStore<in Context = unknown> {
  /**
   * Present if `list` reads a request's cursor (RFC 9865): it returns a page, or all candidates without a page, and the
   * endpoint pages these by cursor in memory. If absent, the endpoint asks for pages by index: a cursor is an index if
   * `list` pages itself, and otherwise a position in the sorted candidates.
   */
  readonly cursors?: CursorSupport | undefined
  /** Reads a resource; null if it does not exist. */
  read(id: string, context: Context, request: ReadRequest): Promise<StoredResource | null>
  /** Lists resources. It may return all of them. */
  list(context: Context, request: ListRequest): Promise<ListAnswer>
  /** Stores a new resource and returns it with its new `id`. A password is as the client sent it: store its hash. */
  create(resource: WireResource, context: Context, request: StoreRequest): Promise<WireResource>
  /**
   * Replaces all of a resource's attributes and returns it; null if it does not exist. A write-only attribute, such as
   * a password, is absent if the client did not send it and `read` does not return it. Then the stored value stays.
   */
  replace(
    id: string,
    resource: WireResource,
    context: Context,
    request: ReplaceRequest,
  ): Promise<StoredResource | null>
  /** Deletes a resource. Returns false if it does not exist. */
  delete(id: string, context: Context, request: StoreRequest): Promise<boolean>
  /**
   * Changes a group's members without loading them. Requires `findMembers`. Returns false if the group does not exist.
   */
  changeMembers?(
    id: string,
    plan: MembershipPlan,
    context: Context,
    request: MembersRequest,
  ): Promise<boolean>
  /** Returns only the values found among the group's members. */
  findMembers?(
    id: string,
    values: readonly string[],
    context: Context,
    request: StoreRequest,
  ): Promise<readonly string[]>
  /**
   * Finds the groups in this store with a resource among `values` as a direct member. Without it, the endpoint lists
   * each resource's groups one resource at a time if an application asks for the groups of many. A deletion also calls
   * it before the transaction begins, with the client's context, to lock the groups in their order.
   *
   * @param values at most 100 different ids, all from one resource type
   */
  findHolders?(
    values: readonly string[],
    context: Context,
    request: ReferenceRequest,
  ): Promise<readonly Membership[]>
  /**
   * Locks resource rows until the transaction ends, in the same order as other calls. Ids without a resource are
   * ignored. Without `lock`, the endpoint reads each resource for update. An application locks users when their groups
   * change.
   */
  lock?(ids: readonly string[], context: Context, request: StoreRequest): Promise<void>
  /**
   * Before a resource is deleted, removes it from the resources in this store that reference it, such as a user from
   * the members of all groups. The endpoint calls it in the deleting write, after reading the resource for update. Not
   * needed if the database does it, such as with `on delete cascade`.
   */
  removeReferences?(id: string, context: Context, request: ReferenceRequest): Promise<void>
  /**
   * Whether writes to one resource must run one after another also in a `transaction`, because it does not isolate this
   * store, as it does not isolate `memoryStore`. The endpoint does it within this process.
   */
  readonly needsTurns?: boolean | undefined
  /**
   * Groups of attributes stored in one place, which therefore always have one value, such as
   * `[['userName', 'emails[work].value']]`. The endpoint ignores it. `storeContract` in `@plumbline/doctor/testing`
   * expects it.
   */
  readonly sharedColumns?: readonly (readonly string[])[] | undefined
  /**
   * The types for each of which the store has a place for one element, keyed by attribute path, such as
   * `{ phoneNumbers: ['work', 'mobile'] }`. The store rejects other elements of these attributes. With the tolerance
   * `elements-without-a-place`, the endpoint removes them before it calls the store.
   */
  readonly places?: Readonly<Record<string, readonly string[]>> | undefined
  /** The common attributes the store does not keep, such as `['externalId']`. Only `storeContract` reads it. */
  readonly ignoredAttributes?: readonly string[] | undefined
}
