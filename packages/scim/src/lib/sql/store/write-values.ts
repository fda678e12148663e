import { invalidValue } from '../../error.ts'
import { isJsonObject, own } from '../../json.ts'
import { stringifyCanonical } from '../../values/canonical.ts'
import { joinFragments, type SqlValue, sql } from '../fragment.ts'
import { encodeColumn } from './codec.ts'
import type { Values } from './fields.ts'
import { bindList, chunk, type Session } from './session.ts'
import { findValues, keysOf, valueColumn } from './values.ts'

/** Makes the rows of an attribute those of the elements. Returns whether a row changed. */
export async function replaceValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  { before, after }: { readonly before: unknown; readonly after: unknown },
  context: Context,
): Promise<boolean> {
  const elements = Array.isArray(after) ? after : []
  if (values.columns.size === 1 && values.columns.has('value')) {
    return await replaceKeys(session, values, id, elements.map(keyIn), context)
  }
  if (before !== undefined && stringifyCanonical(before) === stringifyCanonical(after)) return false
  await deleteValues(session, values, id, context)
  await insertValues(session, values, id, elements, context)
  return before !== undefined || elements.length > 0
}

/** Changes rows that have only a value, such as members, without deleting those that stay. */
async function replaceKeys<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  wanted: readonly string[],
  context: Context,
): Promise<boolean> {
  const known = await findValues(session, values, id, null, context)
  const kept = new Set(wanted.map(fold))
  const removed = known.filter((value) => !kept.has(fold(value)))
  await removeValues(session, values, id, removed, context)
  const isAdded = await addValues(session, values, id, wanted, context)
  return removed.length > 0 || isAdded
}

/** Adds the values that the resource does not have yet. Returns whether a row was added. */
export async function addValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  wanted: readonly string[],
  context: Context,
): Promise<boolean> {
  const known = new Set((await findValues(session, values, id, wanted, context)).map(fold))
  const added = new Map<string, string>()
  for (const value of wanted) if (!known.has(fold(value))) added.set(fold(value), value)
  const elements = [...added.values()].map((value) => ({ value }))
  await insertValues(session, values, id, elements, context)
  return elements.length > 0
}

/** Removes values of a resource. */
export async function removeValues<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  removed: readonly string[],
  context: Context,
): Promise<void> {
  const { table } = values.table
  const column = session.name(valueColumn(values).name)
  for (const some of chunk(keysOf(session, values, removed))) {
    const own = ownRows(session, values, id, context)
    const statement = sql`delete from ${session.name(table)} where ${own} and ${column} in (${bindList(some)})`
    await session.run(statement, context)
  }
}

/** Deletes all values of a resource. */
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

function ownRows<Context>(session: Session<Context>, values: Values, id: string, context: Context) {
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
): Promise<void> {
  if (elements.length === 0) return
  const { options, map, rules, name } = session
  const { key, tenantColumn, columns, table, node } = values
  const found = await resolveTargets(session, values, elements.map(keyIn), context)
  const names = [key, ...(tenantColumn === null ? [] : [tenantColumn])]
  const fixed: SqlValue[] = [encodeColumn(map.id, id, 'id', rules)]
  if (tenantColumn !== null && options.tenant !== undefined)
    fixed.push(options.tenant.value(context))
  const listed = [...names, ...[...columns.values()].map((column) => column.name)].map(name)
  const rows = elements.map((element) => {
    const parts = [...columns].map(([part, column]) => {
      const value = part === 'value' ? keyIn(element) : own(Object(element), part)
      const known = part === 'value' ? (found.get(fold(String(value))) ?? value) : value
      return encodeColumn(column, known, `${node.name}.${part}`, rules)
    })
    return sql`(${bindList([...fixed, ...parts])})`
  })
  for (const some of chunk(rows)) {
    const list = joinFragments(some, ', ')
    await session.run(
      sql`insert into ${name(table.table)} (${joinFragments(listed, ', ')}) values ${list}`,
      context,
    )
  }
}

/**
 * The ids of the rows that values refer to, by their folded spelling. Throws `400 invalidValue` for a value that
 * does not exist, also if it belongs to another tenant.
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
  for (const some of chunk(keysOf(session, values, wanted))) {
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

function keyIn(element: unknown): string {
  return String(isJsonObject(element) ? (own(element, 'value') ?? '') : element)
}

function fold(value: string): string {
  return value.toLowerCase()
}
