import { badRequest } from '../../error.ts'
import type { NamedColumn } from '../../predicate/columns.ts'
import { fold } from '../../values/fold.ts'
import { cellOf, keyText, textOf } from '../cells.ts'
import {
  bindList,
  chunkRows,
  type Fragment,
  joinFragments,
  type SqlValue,
  sql,
} from '../fragment.ts'
import { writeColumn } from '../names.ts'
import { encodeColumn } from './codec.ts'
import { decodeColumn } from './decode.ts'
import type { Values } from './fields.ts'
import type { Session } from './session.ts'
import type { SqlRow } from './types.ts'

/** The maximum number of values one request reads from an attribute's table. */
export const MAX_VALUES = 100_000

/** Reads an attribute's values from the table, keyed by resource id. */
export async function readValues(
  session: Session,
  values: Values,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const { columns, node, key, table } = values
  const display = table.target?.display
  const names = [key, ...[...columns.values()].map(({ name }) => name)]
  const selected = names.map((name, at) => aliased(session, 'element', name, `c${at}`))
  if (display !== undefined) selected.push(aliased(session, 'target', display, 'shown'))
  const found = new Map<string, unknown[]>()
  let count = 0
  for (const some of chunkRows(ids)) {
    const statement = sql`select ${joinFragments(selected, ', ')} from ${source(session, values)} where ${ofResources(session, values, some)} order by 1, ${orderOf(session, values)} limit ${MAX_VALUES + 1}`
    const rows = await session.run(statement)
    count += rows.length
    if (count > MAX_VALUES) throw badRequest('tooMany', `${node.name} has too many values`)
    for (const row of rows) {
      const parts = [...columns].map(
        ([name, column], at) =>
          [name, decodeColumn(column, cellOf(row, `c${at + 1}`), table.table)] as const,
      )
      const shown = display === undefined ? undefined : (cellOf(row, 'shown') ?? undefined)
      const assigned = [...parts, ['display', shown] as const].filter(
        ([, value]) => value !== undefined,
      )
      const element = node.type === 'complex' ? Object.fromEntries(assigned) : assigned[0]?.[1]
      const id = keyText(cellOf(row, 'c0'), `${table.table}.${key}`)
      const list = found.get(id)
      if (list) list.push(element)
      else found.set(id, [element])
    }
  }
  return found
}

/** Counts an attribute's values for each resource id. */
export async function countValues(
  session: Session,
  values: Values,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const key = aliased(session, 'element', values.key, 'c0')
  const counts = new Map<string, number>()
  for (const some of chunkRows(ids)) {
    const statement = sql`select ${key}, count(*) as ${session.name('total')} from ${session.name(values.table.table)} as ${session.name('element')} where ${ofResources(session, values, some)} group by 1`
    for (const row of await session.run(statement)) {
      counts.set(
        keyText(cellOf(row, 'c0'), `${values.table.table}.${values.key}`),
        Number(cellOf(row, 'total')),
      )
    }
  }
  return counts
}

/** Returns the wanted values the resource has. With null, returns all its values in order. */
export async function findValues(
  session: Session,
  values: Values,
  id: string,
  wanted: readonly string[] | null,
): Promise<readonly string[]> {
  const column = valueColumn(values)
  const selected = aliased(session, 'element', column.name, 'c0')
  const from = sql`select ${selected} from ${session.name(values.table.table)} as ${session.name('element')} where ${ofResources(session, values, [id])}`
  const statements =
    wanted === null
      ? [sql`${from} order by ${orderOf(session, values)}`]
      : chunkRows(keysOf(session, values, wanted)).map(
          (some) => sql`${from} and ${elementColumn(session, column.name)} in (${bindList(some)})`,
        )
  const found: string[] = []
  for (const statement of statements) {
    for (const row of await session.run(statement)) found.push(valueIn(values, row))
  }
  return found
}

/** Returns a row's value in the column `c0`. A row of another program may have null. */
function valueIn(values: Values, row: SqlRow): string {
  const stored = cellOf(row, 'c0')
  return stored === null ? 'null' : textOf(stored, placeOf(values))
}

/** Returns the table and column of the value itself, for errors. */
export function placeOf(values: Values): string {
  return `${values.table.table}.${valueColumn(values).name}`
}

/** Converts values to keys, and omits values no row can have. */
export function keysOf(
  { rules }: Session,
  values: Values,
  wanted: readonly string[],
): readonly SqlValue[] {
  const column = valueColumn(values)
  // A client may spell a key in another letter case than the database.
  const spellings = new Set(wanted.flatMap((value) => [value, fold(value)]))
  return [...spellings].flatMap((value) => {
    try {
      return encodeColumn(column, value, values.node.name, rules)
    } catch {
      return []
    }
  })
}

/** Returns the column of the value itself. */
export function valueColumn({ node, columns }: Values): NamedColumn {
  const column = columns.get('value')
  if (column === undefined) throw new TypeError(`${node.name} must have a column for value`)
  return column
}

/** Selects the rows of resources. */
export function ofResources(
  session: Session,
  { key, tenantColumn }: Values,
  ids: readonly string[],
): Fragment {
  const { map, rules } = session
  const column = (name: string): Fragment => elementColumn(session, name)
  const keys = ids.map((id) => encodeColumn(map.id, id, 'id', rules))
  return inTenant(session, sql`${column(key)} in (${bindList(keys)})`, tenantColumn, column)
}

/** Limits a condition on another table to the client's tenant, if the table has a tenant column. */
export function inTenant(
  session: Session,
  condition: Fragment,
  column: string | null | undefined,
  write: (name: string) => Fragment = session.name,
): Fragment {
  const tenant = session.tenant()
  if (tenant === null || column == null) return condition
  return sql`${condition} and ${write(column)} = ${tenant}`
}

/** Orders a resource's values by the order column and by the map's first column. */
function orderOf(session: Session, { order, columns }: Values): Fragment {
  const [first] = columns.values()
  const names = [...(order === null ? [] : [order.column]), ...(first ? [first.name] : [])]
  return joinFragments(
    names.map((name) => elementColumn(session, name)),
    ', ',
  )
}

function elementColumn({ rules }: Session, name: string): Fragment {
  return writeColumn(name, 'element', rules)
}

function aliased({ rules, name }: Session, table: string, column: string, alias: string): Fragment {
  return sql`${writeColumn(column, table, rules)} as ${name(alias)}`
}

/** The value table, joined with its target if `display` is read. */
function source(session: Session, values: Values): Fragment {
  const { target, table } = values.table
  const { name, rules } = session
  const from = sql`${name(table)} as ${name('element')}`
  if (target?.display === undefined) return from
  const column = (one: string): Fragment => writeColumn(one, 'target', rules)
  const pair = sql`${column(target.id)} = ${elementColumn(session, valueColumn(values).name)}`
  const on = inTenant(session, pair, target.tenant, column)
  return sql`${from} left join ${name(target.table)} as ${name('target')} on ${on}`
}
