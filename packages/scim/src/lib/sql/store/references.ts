import type { Membership, ReferenceRequest } from '../../endpoint/store.ts'
import { badRequest } from '../../error.ts'
import { own } from '../../json.ts'
import { cellOf, keyText } from '../cells.ts'
import { type Fragment, type SqlValue, sql } from '../fragment.ts'
import type { Values } from './fields.ts'
import { bindKeys, keyOf } from './read.ts'
import type { Session } from './session.ts'
import { touchRows } from './update-row.ts'
import { keysOf, MAX_VALUES, placeOf, valueColumn } from './values.ts'

/** Deletes references to a resource, such as a user's memberships before the user is deleted. */
export async function removeReferences<Context>(
  session: Session<Context>,
  id: string,
  context: Context,
  deleted: Pick<ReferenceRequest, 'resourceType' | 'store'>,
): Promise<void> {
  for (const values of session.map.values) {
    if (refersTo(values, deleted)) await deleteReferences(session, values, id, context)
  }
}

/** Returns whether values refer to a store's resources, by table or by resource type. */
function refersTo(
  { table: { target } }: Values,
  { resourceType, store }: Pick<ReferenceRequest, 'resourceType' | 'store'>,
): boolean {
  if (target === undefined) return false
  return target.type === resourceType || target.table === own(store, 'table')
}

/** Finds the memberships for values, such as users in groups. */
export async function findHolders<Context>(
  session: Session<Context>,
  values: Values,
  wanted: readonly string[],
  context: Context,
  request: Pick<ReferenceRequest, 'resourceType' | 'store'>,
): Promise<readonly Membership[]> {
  const { name } = session
  if (values.table.target !== undefined && !refersTo(values, request)) return []
  const keys = keysOf(session, values, wanted)
  if (keys.length === 0) return []
  const found = await session.run(
    sql`select ${name(valueColumn(values).name)} as ${name('c0')}, ${name(values.key)} as ${name('c1')} ${fromReferring(session, values, keys, context)} limit ${MAX_VALUES + 1}`,
    context,
  )
  if (found.length > MAX_VALUES) throw badRequest('tooMany', 'the members are in too many groups')
  const group = `${values.table.table}.${values.key}`
  return found.map((row) => ({
    value: keyText(cellOf(row, 'c0'), placeOf(values)),
    group: keyText(cellOf(row, 'c1'), group),
  }))
}

/** Selects the rows that refer to one of several resources. */
function fromReferring<Context>(
  session: Session<Context>,
  values: Values,
  keys: readonly SqlValue[],
  context: Context,
): Fragment {
  const { name, options } = session
  const { tenantColumn, table } = values
  const referring = sql`from ${name(table.table)} where ${name(valueColumn(values).name)} in (${bindKeys(session, keys)})`
  if (tenantColumn === null || options.tenant === undefined) return referring
  return sql`${referring} and ${name(tenantColumn)} = ${options.tenant.value(context)}`
}

async function deleteReferences<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  context: Context,
): Promise<void> {
  const { name, rules } = session
  const { key, node } = values
  const from = fromReferring(session, values, [keyOf(session, id, valueColumn(values))], context)
  // Read-only attributes, such as a user's groups, are not part of a resource's version.
  if (node.mutability !== 'readOnly') {
    const found = await session.run(
      sql`select ${name(key)} as ${name('c0')} ${from}${rules.forUpdate}`,
      context,
    )
    const ids = new Set(
      found.map((row) => keyText(cellOf(row, 'c0'), `${values.table.table}.${key}`)),
    )
    await touchRows(session, [...ids], context)
  }
  await session.run(sql`delete ${from}`, context)
}
