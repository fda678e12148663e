import type { WireResource } from '../../endpoint/store.ts'
import type { Fragment } from '../fragment.ts'
import { sql } from '../fragment.ts'
import { insertRows, type RowOwner } from '../value-index/statements.ts'
import { encodeColumn } from './codec.ts'
import type { StatementsFor } from './run-statements.ts'
import type { Session } from './session.ts'
import { ownRows } from './write-values.ts'

/** Prepares a new resource's rows in the value index. Throws `400 tooMany` for too many. */
export function prepareIndexed<Context>(
  session: Session<Context>,
  resource: WireResource,
  context: Context,
): StatementsFor {
  const { map, options } = session
  const { index } = map
  if (index === null) return () => []
  const rows = index.rowsOf(resource)
  return (id) => {
    const owner = ownerOf(session, id, context)
    return insertRows(
      index.table,
      rows.map((row) => ({ owner, row })),
      options.dialect,
    )
  }
}

/** Prepares the statements that rewrite changed attributes in the value index. Throws `400 tooMany` for too many rows. */
export function prepareIndexUpdate<Context>(
  session: Session<Context>,
  id: string,
  change: { readonly before: WireResource; readonly after: WireResource },
  context: Context,
): readonly Fragment[] {
  const owner = ownerOf(session, id, context)
  return session.map.index?.update({ owner, ...change }, session.options.dialect) ?? []
}

/** Deletes a resource's rows from the value index. */
export async function deleteIndexed<Context>(
  session: Session<Context>,
  id: string,
  context: Context,
): Promise<void> {
  const { map, name } = session
  if (map.index === null) return
  const own = ownRows(session, map.index, id, context)
  await session.run(sql`delete from ${name(map.index.table)} where ${own}`, context)
}

function ownerOf<Context>(
  { map, options, rules }: Session<Context>,
  id: string,
  context: Context,
): RowOwner {
  const { index } = map
  if (index === null) return {}
  const own = { [index.key]: encodeColumn(map.id, id, 'id', rules) }
  if (index.tenantColumn === null || options.tenant === undefined) return own
  return { ...own, [index.tenantColumn]: options.tenant.value(context) }
}
