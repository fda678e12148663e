import type { Scim } from '@plumbline/scim'
import type { Patch } from '@plumbline/scim/patch'
import type { ListedPage, Projection, ResourceView, WireResource } from './list/list.ts'
import type { TenantScope } from './scope.ts'

/** Throws a ScimError if a resource with this entity tag must not be changed. */
export type Precondition = (version: string) => void

/** Reads and writes the resources of one type. Each function runs inside one transaction. */
export interface ResourceStore {
  /** Whether resources with the attributes that a client wants may be read from many rows. */
  isLarge(projection: Projection): boolean
  /** Stores a new resource. A unique constraint rejects a value that is already taken. */
  create(scope: TenantScope, content: WireResource): Promise<WireResource>
  /**
   * Reads a resource with the attributes that the client wants. If `isWanted` returns false for its version, the
   * parts that are in many rows may be omitted.
   */
  read(
    scope: TenantScope,
    id: string,
    projection: Projection,
    isWanted: (version: string) => boolean,
  ): Promise<ResourceView>
  /** Replaces a resource; `check` is called before anything is written. */
  replace(
    scope: TenantScope,
    id: string,
    check: Precondition,
    content: WireResource,
  ): Promise<WireResource>
  /** Applies a PATCH. Returns null if the resource may be so large that it was not read whole. */
  patch(
    scope: TenantScope,
    id: string,
    check: Precondition,
    operations: readonly Patch.Operation[],
  ): Promise<WireResource | null>
  /** Deletes a resource, and every reference to it. */
  delete(scope: TenantScope, id: string, check: Precondition): Promise<void>
  /** One page of resources, with the attributes that the client wants. */
  list(scope: TenantScope, query: Scim.ListQuery): Promise<ListedPage<ResourceView>>
}
