import { invalidValue } from '../../error.ts'
import { isJsonObject, own } from '../../json.ts'
import { stringifyCanonical } from '../../values/canonical.ts'
import {
  bindList,
  chunkRows,
  type Fragment,
  joinFragments,
  type SqlValue,
  sql,
} from '../fragment.ts'
import { encodeColumn } from './codec.ts'
import type { Connection, Values } from './fields.ts'
import type { Session } from './session.ts'
import { findValues, keysOf, valueColumn } from './values.ts'

/** Inserts a new resource's values. */
export async function createValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  created: unknown,
  context: Context,
): Promise<void> {
  const elements = Array.isArray(created) ? created : []
  const isKey = hasOnlyKey(values)
  const inserted = isKey ? distinct(values, elements.map(keyIn)) : elements
  await insertValues(session, values, id, inserted, context)
}

/** Replaces an attribute's rows with new elements. Returns whether a row changed. */
export async function replaceValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  { before, after }: { readonly before: unknown; readonly after: unknown },
  context: Context,
): Promise<boolean> {
  const elements = Array.isArray(after) ? after : []
  if (hasOnlyKey(values)) {
    const replace = values.order === null ? replaceKeys : reorderKeys
    return await replace(session, values, id, elements.map(keyIn), context)
  }
  if (before !== undefined && stringifyCanonical(before) === stringifyCanonical(after)) return false
  await deleteValues(session, values, id, context)
  await insertValues(session, values, id, elements, context)
  return before !== undefined || elements.length > 0
}

/** Updates rows with only a value, such as members, without deleting unchanged ones. */
async function replaceKeys<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  wanted: readonly string[],
  context: Context,
): Promise<boolean> {
  const known = await findValues(session, values, id, null, context)
  const identify = identityOf(values)
  const kept = new Set(wanted.map(identify))
  const removed = known.filter((value) => !kept.has(identify(value)))
  await removeValues(session, values, id, removed, context)
  const isAdded = await addValues(session, values, id, wanted, context)
  return removed.length > 0 || isAdded
}

/** Replaces rows with only a value and an order. */
async function reorderKeys<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  wanted: readonly string[],
  context: Context,
): Promise<boolean> {
  const known = await findValues(session, values, id, null, context)
  const identify = identityOf(values)
  const elements = distinct(values, wanted)
  const isSame = (value: string, at: number): boolean =>
    identify(value) === identify(elements[at]?.value ?? '')
  if (known.length === elements.length && known.every(isSame)) return false
  await deleteValues(session, values, id, context)
  await insertValues(session, values, id, elements, context)
  return true
}

/** Adds values the resource does not have yet. Returns whether a row was added. */
export async function addValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  wanted: readonly string[],
  context: Context,
): Promise<boolean> {
  const identify = identityOf(values)
  const found = await findValues(session, values, id, wanted, context)
  const known = new Set(found.map(identify))
  const added = wanted.filter((value) => !known.has(identify(value)))
  const start = added.length === 0 ? 0 : await nextPosition(session, values, id, context)
  await insertValues(session, values, id, distinct(values, added), context, start)
  return added.length > 0
}

/** Returns the position after a resource's last value. */
async function nextPosition<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  context: Context,
): Promise<number> {
  const { name } = session
  if (values.order?.isWritten !== true) return 0
  const last = sql`max(${name(values.order.column)}) as ${name('last')}`
  const own = ownRows(session, values, id, context)
  const [row] = await session.run(
    sql`select ${last} from ${name(values.table.table)} where ${own}`,
    context,
  )
  return Number(row?.last ?? -1) + 1
}

/** Removes some of a resource's values. */
export async function removeValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  removed: readonly string[],
  context: Context,
): Promise<void> {
  const { table } = values.table
  const column = session.name(valueColumn(values).name)
  for (const some of chunkRows(keysOf(session, values, removed))) {
    const own = ownRows(session, values, id, context)
    const statement = sql`delete from ${session.name(table)} where ${own} and ${column} in (${bindList(some)})`
    await session.run(statement, context)
  }
}

/** Deletes all of a resource's values. */
export async function deleteValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  context: Context,
): Promise<void> {
  const table = session.name(values.table.table)
  await session.run(
    sql`delete from ${table} where ${ownRows(session, values, id, context)}`,
    context,
  )
}

/** Selects a resource's rows in another table. */
export function ownRows<Context>(
  session: Session<Context>,
  values: Connection,
  id: string,
  context: Context,
): Fragment {
  const { options, map, rules, name } = session
  const key = sql`${name(values.key)} = ${encodeColumn(map.id, id, 'id', rules)}`
  if (values.tenantColumn === null || options.tenant === undefined) return key
  return sql`${key} and ${name(values.tenantColumn)} = ${options.tenant.value(context)}`
}

async function insertValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  elements: readonly unknown[],
  context: Context,
  start = 0,
): Promise<void> {
  if (elements.length === 0) return
  const { options, map, rules, name } = session
  const { key, tenantColumn, columns, table, node, order } = values
  const found = await resolveTargets(session, values, elements.map(keyIn), context)
  const names = [key, ...(tenantColumn === null ? [] : [tenantColumn])]
  const fixed: SqlValue[] = [encodeColumn(map.id, id, 'id', rules)]
  if (tenantColumn !== null && options.tenant !== undefined)
    fixed.push(options.tenant.value(context))
  const position = order?.isWritten === true ? order.column : null
  const listed = [
    ...names,
    ...[...columns.values()].map((column) => column.name),
    ...(position === null ? [] : [position]),
  ].map(name)
  const rows = elements.map((element, at) => {
    const parts = [...columns].map(([part, column]) => {
      const value = part === 'value' ? keyIn(element) : own(Object(element), part)
      const known = part === 'value' ? (found.get(fold(String(value))) ?? value) : value
      return encodeColumn(column, known, `${node.name}.${part}`, rules)
    })
    return sql`(${bindList([...fixed, ...parts, ...(position === null ? [] : [start + at])])})`
  })
  for (const some of chunkRows(rows)) {
    const list = joinFragments(some, ', ')
    await session.run(
      sql`insert into ${name(table.table)} (${joinFragments(listed, ', ')}) values ${list}`,
      context,
    )
  }
}

/**
 * Finds the ids of referenced rows, keyed by folded value. Throws `400 invalidValue` for a value that does not exist or
 * belongs to another tenant.
 */
async function resolveTargets<Context>(
  session: Session<Context>,
  values: Values,
  wanted: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, string>> {
  const { node, table } = values
  const { target } = table
  const found = new Map<string, string>()
  if (target === undefined) return found
  const { name, options } = session
  for (const some of chunkRows(keysOf(session, values, wanted))) {
    const own = sql`${name(target.id)} in (${bindList(some)})`
    const tenant =
      target.tenant === undefined || options.tenant === undefined
        ? sql``
        : sql` and ${name(target.tenant)} = ${options.tenant.value(context)}`
    const statement = sql`select ${name(target.id)} as ${name('c0')} from ${name(target.table)} where ${own}${tenant}`
    for (const row of await session.run(statement, context)) {
      found.set(fold(String(row.c0)), String(row.c0))
    }
  }
  const missing = wanted.find((value) => !found.has(fold(value)))
  if (missing !== undefined)
    throw invalidValue(node.name, `${JSON.stringify(missing)} does not exist`)
  return found
}

/** Whether rows have only a value, such as members. */
function hasOnlyKey({ columns }: Values): boolean {
  return columns.size === 1 && columns.has('value')
}

/** Removes duplicate values, and keeps each value's last spelling. */
function distinct(
  values: Values,
  wanted: readonly string[],
): readonly { readonly value: string }[] {
  const identify = identityOf(values)
  const spellings = new Map(wanted.map((value) => [identify(value), value]))
  return [...spellings.values()].map((value) => ({ value }))
}

/** Returns a function that identifies values. Ids ignore letter case. */
function identityOf({ node }: Values): (value: string) => string {
  return node.type === 'complex' ? fold : (value) => value
}

function keyIn(element: unknown): string {
  return String(isJsonObject(element) ? (own(element, 'value') ?? '') : element)
}

function fold(value: string): string {
  return value.toLowerCase()
}
