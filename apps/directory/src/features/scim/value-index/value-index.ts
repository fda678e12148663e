import { hash } from 'node:crypto'
import type { Discovery } from '@plumbline/scim/discovery'
import { type RowOwner, type ValueIndex, valueIndex } from '@plumbline/scim/internal'
import { sha256 } from '../../../kernel/store/sha256.ts'
import type { TenantScope } from '../scope.ts'

/** Describes a table's index for multi-valued attributes. */
export function createValueIndex(
  definitions: Discovery.Definitions,
  table: string,
  { most }: { readonly most?: number } = {},
): ValueIndex {
  return valueIndex(definitions, {
    table,
    on: { tenant_id: 'tenant_id', resource_id: 'id' },
    hash: (text) => hash('sha256', Buffer.from(text, 'utf16le'), 'base64url'),
    hashName: sha256,
    most,
  })
}

/** The columns connecting index rows to a resource. */
export function ownerOf({ tenantId }: Pick<TenantScope, 'tenantId'>, id: string): RowOwner {
  return { tenant_id: tenantId, resource_id: id }
}
