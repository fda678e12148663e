import { ScimError } from '@plumbline/scim'
import { rawSql } from '@remix-run/data-table'
import { chunksOf } from '../chunks.ts'
import type { WireResource } from '../list/list.ts'
import type { NewResource, TenantScope } from '../scope.ts'
import type { IndexedAttributes } from './indexed-attributes.ts'
import type { ValueTables } from './translate-values.ts'
import { storedValue, type ValueRow, valueRows } from './value-rows.ts'

/** The table of an index, and the attributes whose values it contains. */
type ValueIndex = Pick<ValueTables, 'values' | 'attributes'>

/** Inserts the values of new resources into the index. The database deletes them with the resource. */
export async function insertValues(
  scope: Pick<TenantScope, 'db' | 'tenantId'>,
  { values, attributes: { all } }: ValueIndex,
  made: readonly Pick<NewResource<WireResource>, 'id' | 'resource'>[],
): Promise<void> {
  const rows = made.flatMap(({ id, resource }) => owned(id, boundedRows(all, resource)))
  await insertRows(scope, values, rows)
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
  { values, attributes: { all } }: ValueIndex,
  { id, before, after }: Change,
): Promise<void> {
  const changed = all.filter((attribute) => {
    const [old, next] = [before, after].map((one) => JSON.stringify(storedValue(attribute, one)))
    return old !== next
  })
  if (changed.length === 0) return
  for (const { start, end } of changed) await deleteRows(scope, values, id, start, end)
  // The limit is on the rows of all attributes together.
  const starts = new Set(changed.map(({ start }) => start))
  const rows = boundedRows(all, after).filter(({ attribute }) => starts.has(startOf(attribute)))
  await insertRows(scope, values, owned(id, rows))
}

/** Throws `400 tooMany` if a resource has too many rows. */
function boundedRows(all: IndexedAttributes['all'], resource: WireResource): readonly ValueRow[] {
  const rows = valueRows(all, resource)
  if (rows.length <= MOST_ROWS) return rows
  throw new ScimError(
    400,
    `the multi-valued attributes have more than ${MOST_ROWS} values of sub-attributes together`,
    { scimType: 'tooMany' },
  )
}

function owned(id: string, rows: readonly ValueRow[]): readonly OwnedRow[] {
  return rows.map((row) => ({ ...row, id }))
}

/** A row of the index and the id of its resource. */
type OwnedRow = ValueRow & { readonly id: string }

/** Inserts rows of the index. */
export async function insertRows(
  { db, tenantId }: Pick<TenantScope, 'db' | 'tenantId'>,
  table: string,
  rows: readonly OwnedRow[],
): Promise<void> {
  for (const some of chunksOf(rows, MOST_TOGETHER)) {
    const values = some.flatMap((row) => [
      ...[tenantId, row.id, row.attribute, row.position, row.value_key, row.type_key],
      // SQLite does not have booleans.
      row.is_primary === null ? null : Number(row.is_primary),
    ])
    // A statement by hand: building it with the query library would take longer than running it.
    const text = `insert into ${table} (${COLUMNS}) values ${Array(some.length).fill(ROW).join(', ')}`
    await db.exec(rawSql(text, values))
  }
}

async function deleteRows(
  { db, tenantId }: TenantScope,
  table: string,
  id: string,
  start: string,
  end: string,
): Promise<void> {
  const text = `delete from ${table}
    where tenant_id = ? and resource_id = ? and attribute >= ? and attribute < ?`
  await db.exec(rawSql(text, [tenantId, id, start, end]))
}

/** The start of the paths of an attribute. */
function startOf(path: string): string {
  return path.slice(0, path.indexOf('#') + 1)
}

const COLUMNS = 'tenant_id, resource_id, attribute, position, value_key, type_key, is_primary'
const ROW = '(?, ?, ?, ?, ?, ?, ?)'
/** A SQLite statement accepts 32,766 values. */
const MOST_TOGETHER = 4_000
/** The maximum number of rows of a resource: the thread that serves requests inserts them in about 0.1 s. */
const MOST_ROWS = 20_000
