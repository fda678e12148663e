import { badRequest } from '../../error.ts'
import { isJsonObject, own } from '../../json.ts'
import { stringifyCanonical } from '../../values/canonical.ts'
import { fold } from '../../values/fold.ts'
import { cellOf } from '../cells.ts'
import { bindList, chunkRows, type Fragment, joinFragments, sql } from '../fragment.ts'
import { encodeColumn } from './codec.ts'
import type { Connection, Values } from './fields.ts'
import type { Session, StatementsFor } from './session.ts'
import { resolveTargets } from './targets.ts'
import { countValues, findValues, inTenant, keysOf, MAX_VALUES, valueColumn } from './values.ts'

/** Prepares the insertion of a new resource's values. */
export async function prepareNewValues(
  session: Session,
  values: Values,
  created: unknown,
): Promise<StatementsFor> {
  const elements = listOf(values, created)
  const isKey = hasOnlyKey(values)
  const inserted = isKey ? distinct(values, elements.map(keyIn)) : elements
  return await prepareInsert(session, values, inserted)
}

/** Prepares the replacement of an attribute's rows with new elements; no statements if no row changes. */
export async function prepareReplacement(
  session: Session,
  values: Values,
  id: string,
  { before, after }: { readonly before: unknown; readonly after: unknown },
): Promise<readonly Fragment[]> {
  const elements = listOf(values, after)
  if (hasOnlyKey(values)) {
    // A collation may find strings equal that differ in letter case, so removing one could remove another.
    const isId = values.order === null && values.node.type === 'complex'
    const replace = isId ? replaceKeys : rewriteKeys
    return await replace(session, values, id, elements.map(keyIn))
  }
  // The values before are unassigned, or not loaded.
  const isKnown = before !== undefined
  if (isKnown && stringifyCanonical(before) === stringifyCanonical(after)) return []
  const isEmpty = !isKnown && (await countValues(session, values, [id])).size === 0
  const removed = listOf(values, before).map(keyIn)
  const insert = await prepareInsert(session, values, elements, { removed })
  return [...(isEmpty ? [] : [deletionOf(session, values, id)]), ...insert(id)]
}

/** Prepares a change of rows with only a value, such as members, without deleting unchanged ones. */
async function replaceKeys(
  session: Session,
  values: Values,
  id: string,
  wanted: readonly string[],
): Promise<readonly Fragment[]> {
  const known = await findValues(session, values, id, null)
  const identify = identityOf(values)
  const kept = new Set(wanted.map(identify))
  const remove = known.filter((value) => !kept.has(identify(value)))
  return await prepareChange(session, values, id, { known, add: wanted, remove })
}

/** Prepares the replacement of all rows with only a value, whose order or letter case may differ. */
async function rewriteKeys(
  session: Session,
  values: Values,
  id: string,
  wanted: readonly string[],
): Promise<readonly Fragment[]> {
  const known = await findValues(session, values, id, null)
  const identify = identityOf(values)
  const elements = distinct(values, wanted)
  const contentOf = (list: readonly string[]): string => {
    const keys = list.map(identify)
    return JSON.stringify(values.order === null ? keys.sort() : keys)
  }
  if (contentOf(known) === contentOf(elements.map(({ value }) => value))) return []
  const insert = await prepareInsert(session, values, elements, { removed: known })
  return [deletionOf(session, values, id), ...insert(id)]
}

/** Prepares the removal of values and the addition of those the resource does not have yet. */
export async function prepareChange(
  session: Session,
  values: Values,
  id: string,
  {
    known,
    add,
    remove,
  }: {
    /** The resource's values among those to add and to remove. */
    readonly known: readonly string[]
    readonly add: readonly string[]
    readonly remove: readonly string[]
  },
): Promise<readonly Fragment[]> {
  const identify = identityOf(values)
  const present = new Set(known.map(identify))
  const added = add.filter((value) => !present.has(identify(value)))
  // MySQL locks the gap where a row to delete does not exist.
  const removed = remove.filter((value) => present.has(identify(value)))
  const start = added.length === 0 ? 0 : await nextPosition(session, values, id)
  const insert = await prepareInsert(session, values, distinct(values, added), {
    start,
    removed,
  })
  return [...removalsOf(session, values, id, removed), ...insert(id)]
}

/** Returns the position after a resource's last value. */
async function nextPosition(session: Session, values: Values, id: string): Promise<number> {
  const { name } = session
  if (values.order?.isWritten !== true) return 0
  const last = sql`max(${name(values.order.column)}) as ${name('last')}`
  const own = ownRows(session, values, id)
  const [row] = await session.run(sql`select ${last} from ${name(values.table.table)} where ${own}`)
  return Number((row && cellOf(row, 'last')) ?? -1) + 1
}

/** Builds the statements that remove some of a resource's values. */
function removalsOf(
  session: Session,
  values: Values,
  id: string,
  removed: readonly string[],
): readonly Fragment[] {
  const column = session.name(valueColumn(values).name)
  return chunkRows(keysOf(session, values, removed)).map(
    (some) => sql`${deletionOf(session, values, id)} and ${column} in (${bindList(some)})`,
  )
}

/** Builds the statement that deletes all of a resource's values. */
export function deletionOf(session: Session, values: Values, id: string): Fragment {
  const table = session.name(values.table.table)
  return sql`delete from ${table} where ${ownRows(session, values, id)}`
}

/** Selects a resource's rows in another table. */
export function ownRows(session: Session, values: Connection, id: string): Fragment {
  const { map, rules, name } = session
  const key = sql`${name(values.key)} = ${encodeColumn(map.id, id, 'id', rules)}`
  return inTenant(session, key, values.tenantColumn)
}

/** Prepares an insertion: resolves the targets and encodes the values, either of which may fail. */
async function prepareInsert(
  session: Session,
  values: Values,
  elements: readonly unknown[],
  {
    start = 0,
    removed = [],
  }: { readonly start?: number; readonly removed?: readonly string[] } = {},
): Promise<StatementsFor> {
  const found = await resolveTargets(session, values, elements.map(keyIn), removed)
  if (elements.length === 0) return () => []
  const { map, rules, name } = session
  const { key, tenantColumn, columns, table, node, order } = values
  const names = [key, ...(tenantColumn === null ? [] : [tenantColumn])]
  const tenant = tenantColumn === null ? [] : [session.tenant()]
  const position = order?.isWritten === true ? order.column : null
  const listed = [
    ...names,
    ...[...columns.values()].map((column) => column.name),
    ...(position === null ? [] : [position]),
  ].map(name)
  const encoded = elements.map((element, at) => {
    const parts = [...columns].map(([part, column]) => {
      const value = isJsonObject(element) ? own(element, part) : element
      const known = part === 'value' ? (found.get(fold(String(value))) ?? value) : value
      return encodeColumn(column, known, `${node.name}.${part}`, rules)
    })
    return [...tenant, ...parts, ...(position === null ? [] : [start + at])]
  })
  const into = sql`insert into ${name(table.table)} (${joinFragments(listed, ', ')}) values `
  return (id) => {
    const owner = encodeColumn(map.id, id, 'id', rules)
    const rows = encoded.map((row) => sql`(${bindList([owner, ...row])})`)
    return chunkRows(rows).map((some) => sql`${into}${joinFragments(some, ', ')}`)
  }
}

/** Returns an attribute's elements. Throws `400 tooMany` for more than a later read accepts. */
function listOf({ node }: Values, value: unknown): readonly unknown[] {
  const elements = Array.isArray(value) ? value : []
  if (elements.length <= MAX_VALUES) return elements
  throw badRequest('tooMany', `${node.name} has too many values`)
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
