import type { Scim } from '@plumbline/scim'
import type { Membership, ReplaceRequest, View, WireResource } from '@plumbline/scim/endpoint'
import type { MembershipPlan } from '@plumbline/scim/patch'
import type { ListedPage, Projection, ResourceView } from './list/list.ts'
import type { TenantScope } from './scope.ts'

/** A group change that does not read the members. */
export interface MembersChange {
  /** The group before the change, as `readForUpdate` returned it. */
  readonly current: WireResource
  /** The group after the change, without its members. */
  readonly resource: WireResource
}

/** How to lock a resource before a write. */
export interface Lock {
  readonly isLeaving: boolean
}

/** The resource before a change, as `readForUpdate` returned it, and the attributes the client wants. */
export type Replacement = Pick<ReplaceRequest, 'current' | 'view'>

/** Reads and writes one type's resources. Each function runs inside one transaction. */
export interface ResourceStore {
  /** Whether resources with the attributes a client wants may be read from many rows. */
  isLarge(projection: Projection): boolean
  /** Stores a new resource. A unique constraint rejects an already taken value. */
  create(scope: TenantScope, content: WireResource): Promise<WireResource>
  /**
   * Reads a resource with the attributes the client wants. If `isWanted` returns false for its version, the
   * parts stored in many rows may be omitted.
   */
  read(
    scope: TenantScope,
    id: string,
    projection: Projection,
    isWanted: (version: string) => boolean,
  ): Promise<ResourceView>
  /**
   * Locks a resource until the transaction ends, and reads the attributes the write needs. With `isLeaving`, groups cannot
   * get it as a member meanwhile.
   */
  readForUpdate(scope: TenantScope, id: string, view: View, lock?: Lock): Promise<WireResource>
  /** Replaces a resource from `readForUpdate`; returns the attributes the client wants. */
  replace(
    scope: TenantScope,
    id: string,
    content: WireResource,
    request: Replacement,
  ): Promise<ResourceView>
  /** Deletes a resource, and every reference to it. */
  delete(scope: TenantScope, id: string): Promise<void>
  /** Reads one page of resources, with the attributes the client wants. */
  list(scope: TenantScope, query: Scim.ListQuery): Promise<ListedPage<ResourceView>>
  /** Changes a group's members without reading the others. */
  readonly changeMembers?: (
    scope: TenantScope,
    id: string,
    plan: MembershipPlan,
    change: MembersChange,
  ) => Promise<void>
  /** Filters the values, and returns only a group's members. */
  readonly findMembers?: (
    scope: TenantScope,
    id: string,
    values: readonly string[],
  ) => Promise<readonly string[]>
  /** Returns the groups with these resources as direct members, each with the member's id. */
  readonly findHolders?: (
    scope: TenantScope,
    ids: readonly string[],
  ) => Promise<readonly Membership[]>
}
