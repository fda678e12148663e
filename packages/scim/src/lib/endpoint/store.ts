import type { Expression } from '../filter/tree.ts'
import type { RawJson } from '../message/raw-json.ts'
import type { MembershipPlan } from '../patch/membership-plan.ts'
import type { WorkBudget } from '../work-budget.ts'

/** A resource with the attribute names of the wire format (RFC 7643 §3). */
export type WireResource = Record<string, unknown>

/** The facts about the HTTP request a call of a store serves. */
export interface StoreRequest {
  /** The base URL of the endpoint, without a trailing slash, such as `https://example.com/scim/v2`. */
  readonly base: string
  /**
   * Aborted if the client closes the connection, and in a write also if `limits.writeTime` has passed. Cancel the
   * statement then: a write that is answered later does not wait for it longer than a second.
   */
  readonly signal: AbortSignal
  /** The work that this request may still cost. Pass it to `compileFilter` and `applyPatch`. */
  readonly budget: WorkBudget
}

/**
 * The attributes a request needs: those the client wants, and those of its filter and its order. A
 * store that omits other attributes sets `meta.version`.
 */
export interface View {
  /** The only attributes the client wants, in addition to those that are always returned. */
  readonly attributes?: readonly string[] | undefined
  /** The attributes the client does not want (RFC 7644 §3.9). */
  readonly excludedAttributes?: readonly string[] | undefined
  /**
   * Returns whether the request needs an attribute or one of its sub-attributes. A store may omit every other
   * attribute, such as a large group's members.
   *
   * @param attribute an attribute such as `members`, or with a URN for an extension
   */
  needs(attribute: string): boolean
}

/** A request for one resource. */
export interface ReadRequest extends StoreRequest {
  /** The attributes the request needs. */
  readonly view: View
  /** Whether the resource is about to be written in this transaction, so its row should be locked. */
  readonly isForUpdate: boolean
  /**
   * Returns whether the client still wants a resource with this entity tag (RFC 7644 §3.14). If not, the store
   * may omit everything but `meta`.
   */
  isWanted(version: string): boolean
}

/** A request for a list of resources (RFC 7644 §3.4.2). */
export interface ListRequest extends StoreRequest {
  /** The attributes the request needs. */
  readonly view: View
  /** The filter each resource must match. It is valid for the definitions. Null without a filter. */
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
   * Adds `schemas`, `meta.resourceType` and `meta.location` to a resource if the filter or the order names them. A store
   * that filters or sorts in memory evaluates the result.
   */
  complete(resource: WireResource): WireResource
}

/** A step of a list request a store has done itself. */
export type AppliedStep = 'filter' | 'sort' | 'page'

/** The answer of a store to a list request. */
export interface ListAnswer {
  /** The resources. They may be more than those that match, unless `applied` has `filter`. */
  readonly resources: readonly StoredResource[]
  /**
   * The steps the store has done. The endpoint does the others in memory. `page` requires `filter`, and
   * `sort` if the request has an order. None by default.
   */
  readonly applied?: readonly AppliedStep[] | undefined
  /** How many resources match on all pages. Required for a page by index if `applied` has `page`. */
  readonly totalResults?: number | undefined
  /** The cursor of the next page. Absent on the last page. */
  readonly nextCursor?: string | undefined
  /** The previous page's cursor. */
  readonly previousCursor?: string | undefined
}

/** A request to replace a resource. */
export interface ReplaceRequest extends StoreRequest {
  /** The resource before the change, as `read` returned it in this transaction. */
  readonly current: WireResource
  /** The attributes the response needs, for a store that returns a `PreparedResource`. */
  readonly view: View
}

/** A change to a group that leaves most of its members as they are (RFC 7644 §3.5.2). */
export interface MembersRequest extends ReplaceRequest {
  /** The group after the change, without its members. */
  readonly resource: WireResource
}

/** The deletion of a resource to which resources of another store may refer. */
export interface ReferenceRequest extends StoreRequest {
  /** The name of the type of the deleted resource, such as `User`. */
  readonly resourceType: string
  /** The store of the deleted resource. */
  readonly store: object
}

/** A resource from a store: a wire resource, or a prepared representation of one. */
export type StoredResource = WireResource | PreparedResource

/** The parts of a prepared resource. */
export interface PreparedParts {
  /** The JSON, with the attributes the view wants and with `meta`. Pieces are sent one after the other. */
  readonly body: RawJson | readonly string[]
  /**
   * The entity tag of this representation. If read-only attributes other than `id` and `meta` are shown, it differs
   * from the content's version: `W/"<content>-<digest>"`. The digest is the first 16 hexadecimal digits of the
   * SHA-256 of the JSON of these attributes, such as `{"groups":[…]}`.
   */
  readonly version: string
}

/**
 * A resource the store has projected and written as JSON itself. The endpoint sends it unchanged. A store
 * may return it from `read` if `isForUpdate` is false, from `replace`, and from `list` if it has applied every step.
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

/** The cursors of a store (RFC 9865 §4). */
export interface CursorSupport {
  /** How long (s) a cursor is valid at least. Unlimited if absent. */
  readonly timeout?: number | undefined
}

/**
 * Reads and writes the resources of one type. Five functions make a correct endpoint; a store becomes faster by
 * doing more itself.
 *
 * A resource has an `id`. The endpoint adds `schemas` and the `meta` members the store does not set: the
 * `resourceType`, the `location`, and a `version` computed from the whole resource. A `meta.version` of the
 * store is the version of the attributes a client can write: the endpoint adds a digest of the read-only
 * attributes a response shows. A write may throw a `ScimError`, such as `409 uniqueness`; each other error
 * is a `500`.
 */
export interface ResourceStore<in Context = unknown> {
  /**
   * Present if `list` reads the cursor of a request (RFC 9865): it returns a page, or all candidates without a page,
   * which the endpoint pages by cursor in memory. If absent, the endpoint asks for pages by index: a cursor is an index
   * if `list` pages itself, and a position in the sorted candidates if it does not.
   */
  readonly cursors?: CursorSupport | undefined
  /** Reads a resource; null if it does not exist. */
  read(id: string, context: Context, request: ReadRequest): Promise<StoredResource | null>
  /** Lists resources. It may return all of them. */
  list(context: Context, request: ListRequest): Promise<ListAnswer>
  /** Stores a new resource and returns it with its new `id`. A password is as the client sent it: store its hash. */
  create(resource: WireResource, context: Context, request: StoreRequest): Promise<WireResource>
  /**
   * Replaces all attributes of a resource and returns it; null if it does not exist. A write-only attribute, such as a
   * password, is absent if the client did not send it and `read` does not return it. Then its value stays.
   */
  replace(
    id: string,
    resource: WireResource,
    context: Context,
    request: ReplaceRequest,
  ): Promise<StoredResource | null>
  /** Deletes a resource. Returns false if it does not exist. */
  delete(id: string, context: Context, request: StoreRequest): Promise<boolean>
  /** Changes the members of a group without loading them. Requires `findMembers`. Returns false if the group does not exist. */
  changeMembers?(
    id: string,
    plan: MembershipPlan,
    context: Context,
    request: MembersRequest,
  ): Promise<boolean>
  /** Returns those of the values that are members of the group. */
  findMembers?(
    id: string,
    values: readonly string[],
    context: Context,
    request: StoreRequest,
  ): Promise<readonly string[]>
  /**
   * Removes a resource that is about to be deleted from the resources of this store that refer to it, such as a user
   * from the members of all groups. The endpoint calls it in the write that deletes the resource, after it has read
   * the resource for update. Not needed if the database does it, such as by `on delete cascade`.
   */
  removeReferences?(id: string, context: Context, request: ReferenceRequest): Promise<void>
  /**
   * The groups of attributes stored in one place, which therefore always have one value, such as
   * `[['userName', 'emails[work].value']]`. The endpoint ignores it. `storeContract` of `@plumbline/doctor/testing`
   * expects it.
   */
  readonly sharedColumns?: readonly (readonly string[])[] | undefined
  /** The common attributes that are not stored, such as `['externalId']`. Only `storeContract` reads it. */
  readonly ignoredAttributes?: readonly string[] | undefined
}
