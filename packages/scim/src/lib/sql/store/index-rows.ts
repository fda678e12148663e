import type { WireResource } from '../../endpoint/options/store.ts'
import type { Fragment } from '../fragment.ts'
import { sql } from '../fragment.ts'
import { insertRows, type RowOwner } from '../value-index/statements.ts'
import { encodeColumn } from './codec.ts'
import type { Session, StatementsFor } from './session.ts'
import { ownRows } from './write-values.ts'

/** Prepares a new resource's rows in the value index. Throws `400 tooMany` for too many. */
export function prepareIndexed(session: Session, resource: WireResource): StatementsFor {
  const { map, options } = session
  const { index } = map
  if (index === null) return () => []
  const rows = index.rowsOf(resource)
  return (id) => {
    const owner = ownerOf(session, id)
    return insertRows(
      index.table,
      rows.map((row) => ({ owner, row })),
      options.dialect,
    )
  }
}

/** Prepares the statements that rewrite changed attributes in the value index. Throws `400 tooMany` for too many rows. */
export function prepareIndexUpdate(
  session: Session,
  id: string,
  change: { readonly before: WireResource; readonly after: WireResource },
): readonly Fragment[] {
  const owner = ownerOf(session, id)
  return session.map.index?.update({ owner, ...change }, session.options.dialect) ?? []
}

/** Deletes a resource's rows from the value index. */
export async function deleteIndexed(session: Session, id: string): Promise<void> {
  const { map, name } = session
  if (map.index === null) return
  const own = ownRows(session, map.index, id)
  await session.run(sql`delete from ${name(map.index.table)} where ${own}`)
}

function ownerOf({ map, rules, tenant }: Session, id: string): RowOwner {
  const { index } = map
  if (index === null) return {}
  const own = { [index.key]: encodeColumn(map.id, id, 'id', rules) }
  return index.tenantColumn === null ? own : { ...own, [index.tenantColumn]: tenant() }
}
