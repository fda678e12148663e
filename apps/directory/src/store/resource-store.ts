import type { Scim } from '@plumbline/scim'
import type { ReplaceRequest, View, WireResource } from '@plumbline/scim/endpoint'
import type { MembershipPlan } from '@plumbline/scim/patch'
import type { ListedPage, Projection, ResourceView } from './list/list.ts'
import type { TenantScope } from './scope.ts'

/** A change to a group that does not read its members. */
export interface MembersChange {
  /** The group before the change, as `readForUpdate` returned it. */
  readonly current: WireResource
  /** The group after the change, without its members. */
  readonly resource: WireResource
}

/** The resource before a change, as `readForUpdate` returned it, and the attributes the client wants. */
export type Replacement = Pick<ReplaceRequest, 'current' | 'view'>

/** Reads and writes the resources of one type. Each function runs inside one transaction. */
export interface ResourceStore {
  /** Whether resources with the attributes a client wants may be read from many rows. */
  isLarge(projection: Projection): boolean
  /** Stores a new resource. A unique constraint rejects a value that is already taken. */
  create(scope: TenantScope, content: WireResource): Promise<WireResource>
  /**
   * Reads a resource with the attributes the client wants. If `isWanted` returns false for its version, the
   * parts that are in many rows may be omitted.
   */
  read(
    scope: TenantScope,
    id: string,
    projection: Projection,
    isWanted: (version: string) => boolean,
  ): Promise<ResourceView>
  /** Locks a resource until the transaction ends, and reads the attributes the write needs. */
  readForUpdate(scope: TenantScope, id: string, view: View): Promise<WireResource>
  /** Replaces a resource that `readForUpdate` has returned; returns the attributes the client wants. */
  replace(
    scope: TenantScope,
    id: string,
    content: WireResource,
    request: Replacement,
  ): Promise<ResourceView>
  /** Deletes a resource, and every reference to it. */
  delete(scope: TenantScope, id: string): Promise<void>
  /** One page of resources, with the attributes the client wants. */
  list(scope: TenantScope, query: Scim.ListQuery): Promise<ListedPage<ResourceView>>
  /** Changes the members of a group without reading the others. */
  readonly changeMembers?: (
    scope: TenantScope,
    id: string,
    plan: MembershipPlan,
    change: MembersChange,
  ) => Promise<void>
  /** Returns those of the values that are members of a group. */
  readonly findMembers?: (
    scope: TenantScope,
    id: string,
    values: readonly string[],
  ) => Promise<readonly string[]>
}
