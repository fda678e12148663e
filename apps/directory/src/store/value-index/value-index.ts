import { hash } from 'node:crypto'
import type { Discovery } from '@plumbline/scim/discovery'
import { type IndexRow, raw, sql, type ValueIndex, valueIndex } from '@plumbline/scim/sql'
import { chunksOf } from '../chunks.ts'
import { insertRows } from '../database.ts'
import type { WireResource } from '../list/list.ts'
import type { NewResource, TenantScope } from '../scope.ts'
import { sha256 } from '../sha256.ts'

/** Describes the index of multi-valued attributes in a table. */
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

/** Inserts the values of new resources. The database deletes them with the resource. */
export async function insertValues(
  scope: Pick<TenantScope, 'db' | 'tenantId'>,
  index: ValueIndex,
  made: readonly Pick<NewResource<WireResource>, 'id' | 'resource'>[],
): Promise<void> {
  const rows = made.flatMap(({ id, resource }) => owned(id, index.rowsOf(resource)))
  await insertOwned(scope, index.table, rows)
}

/** A resource before and after a change. */
interface Change {
  readonly id: string
  readonly before: WireResource
  readonly after: WireResource
}

/** Rewrites the rows of the attributes that a change of a resource has changed. */
export async function updateValues(
  scope: TenantScope,
  index: ValueIndex,
  { id, before, after }: Change,
): Promise<void> {
  const { ranges, rows } = index.changeOf(before, after)
  for (const { start, end } of ranges) {
    await scope.db.exec(
      sql`delete from ${raw(index.table)} where tenant_id = ${scope.tenantId}
        and resource_id = ${id} and attribute >= ${start} and attribute < ${end}`,
    )
  }
  await insertOwned(scope, index.table, owned(id, rows))
}

function owned(id: string, rows: readonly IndexRow[]): readonly OwnedRow[] {
  return rows.map((row) => ({ ...row, id }))
}

/** A row of the index and the id of its resource. */
type OwnedRow = IndexRow & { readonly id: string }

async function insertOwned(
  { db, tenantId }: Pick<TenantScope, 'db' | 'tenantId'>,
  table: string,
  rows: readonly OwnedRow[],
): Promise<void> {
  for (const some of chunksOf(rows, MOST_TOGETHER)) {
    // SQLite does not have booleans.
    const stored = some.map(({ id, is_primary, ...row }) => ({
      tenant_id: tenantId,
      resource_id: id,
      ...row,
      is_primary: is_primary === null ? null : Number(is_primary),
    }))
    await insertRows(db, table, stored)
  }
}

/** A SQLite statement accepts 32,766 values. */
const MOST_TOGETHER = 4_000
