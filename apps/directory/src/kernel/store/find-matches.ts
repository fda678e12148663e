import { bindList, chunkRows, raw, sql } from '@plumbline/scim/internal'
import { type Database, readRows } from './database.ts'
import { rowsOf } from './tenant-rows.ts'

/** A resource type's table, and the column with names in lower case. */
export interface MatchedTable {
  readonly table: string
  readonly nameColumn: string
}

/** The keys that find resources. */
export interface MatchKeys {
  readonly ids: readonly string[]
  readonly externalIds: readonly string[]
  /** In lower case. */
  readonly names: readonly string[]
}

/** A matching resource. */
export interface Match {
  readonly id: string
  readonly externalId: string | null
  /** In lower case. */
  readonly name: string
}

/** Finds a tenant's resources with one of the ids, external ids or names, ordered by id. */
export async function findMatches(
  db: Database,
  tenantId: string,
  { table, nameColumn }: MatchedTable,
  keys: MatchKeys,
): Promise<readonly Match[]> {
  const wanted: readonly (readonly [column: string, values: readonly string[]])[] = [
    ['id', keys.ids],
    ['external_id', keys.externalIds],
    [nameColumn, keys.names],
  ]
  const found = new Map<string, Match>()
  for (const [column, values] of wanted) {
    for (const some of chunkRows([...new Set(values)])) {
      const rows = await readRows<Match>(
        db,
        sql`select id, external_id as "externalId", ${raw(nameColumn)} as name
          from ${rowsOf(tenantId, table)} and ${raw(column)} in (${bindList(some)})`,
      )
      for (const row of rows) found.set(row.id, row)
    }
  }
  return [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}
