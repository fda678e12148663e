import type { WireResource } from '../../endpoint/store.ts'
import { joinFragments, type SqlValue, sql } from '../fragment.ts'
import type { IndexRow } from '../value-index/rows.ts'
import { encodeColumn } from './codec.ts'
import { bindList, chunk, type Session } from './session.ts'
import { ownRows } from './write-values.ts'

/** Inserts the rows of a new resource into the index of multi-valued attributes. */
export async function insertIndexed<Context>(
  session: Session<Context>,
  id: string,
  rows: readonly IndexRow[],
  context: Context,
): Promise<void> {
  const { map, rules, name, options } = session
  if (map.index === null || rows.length === 0) return
  const { table, key, tenantColumn } = map.index
  const owner: readonly (readonly [column: string, value: SqlValue])[] = [
    [key, encodeColumn(map.id, id, 'id', rules)],
    ...(tenantColumn === null || options.tenant === undefined
      ? []
      : [[tenantColumn, options.tenant.value(context)] as const]),
  ]
  const names = [...owner.map(([column]) => column), ...COLUMNS]
  const columns = joinFragments(names.map(name), ', ')
  for (const some of chunk(rows)) {
    const lists = some.map(
      (row) =>
        sql`(${bindList([...owner.map(([, value]) => value), ...COLUMNS.map((one) => row[one])])})`,
    )
    await session.run(
      sql`insert into ${name(table)} (${columns}) values ${joinFragments(lists, ', ')}`,
      context,
    )
  }
}

/** Rewrites the rows of the attributes that a change of a resource has changed. */
export async function updateIndexed<Context>(
  session: Session<Context>,
  id: string,
  { before, after }: { readonly before: WireResource; readonly after: WireResource },
  context: Context,
): Promise<void> {
  const { map, name } = session
  if (map.index === null) return
  const { ranges, rows } = map.index.changeOf(before, after)
  const attribute = name('attribute')
  for (const { start, end } of ranges) {
    const own = ownRows(session, map.index, id, context)
    const range = sql`${attribute} >= ${start} and ${attribute} < ${end}`
    await session.run(sql`delete from ${name(map.index.table)} where ${own} and ${range}`, context)
  }
  await insertIndexed(session, id, rows, context)
}

/** Deletes the rows of a resource. */
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

const COLUMNS = ['attribute', 'position', 'value_key', 'type_key', 'is_primary'] as const
