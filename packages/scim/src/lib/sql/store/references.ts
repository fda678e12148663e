import type { Membership, ReferenceRequest } from '../../endpoint/options/store.ts'
import { badRequest } from '../../error.ts'
import { own } from '../../json.ts'
import { cellOf, keyText } from '../cells.ts'
import { type Fragment, type SqlValue, sql } from '../fragment.ts'
import type { Values } from './fields.ts'
import { bindKeys, keyOf } from './read.ts'
import type { Session } from './session.ts'
import { touchRows } from './update-row.ts'
import { inTenant, keysOf, MAX_VALUES, placeOf, valueColumn } from './values.ts'

/** Deletes references to a resource, such as a user's memberships before the user is deleted. */
export async function removeReferences(
  session: Session,
  id: string,
  deleted: Pick<ReferenceRequest, 'resourceType' | 'store'>,
): Promise<void> {
  for (const values of session.map.values) {
    if (refersTo(values, deleted)) await deleteReferences(session, values, id)
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
export async function findHolders(
  session: Session,
  values: Values,
  wanted: readonly string[],
  request: Pick<ReferenceRequest, 'resourceType' | 'store'>,
): Promise<readonly Membership[]> {
  const { name } = session
  if (values.table.target !== undefined && !refersTo(values, request)) return []
  const keys = keysOf(session, values, wanted)
  if (keys.length === 0) return []
  const found = await session.run(
    sql`select ${name(valueColumn(values).name)} as ${name('c0')}, ${name(values.key)} as ${name('c1')} ${fromReferring(session, values, keys)} limit ${MAX_VALUES + 1}`,
  )
  if (found.length > MAX_VALUES) throw badRequest('tooMany', 'the members are in too many groups')
  const group = `${values.table.table}.${values.key}`
  return found.map((row) => ({
    value: keyText(cellOf(row, 'c0'), placeOf(values)),
    group: keyText(cellOf(row, 'c1'), group),
  }))
}

/** Selects the rows that refer to one of several resources. */
function fromReferring(session: Session, values: Values, keys: readonly SqlValue[]): Fragment {
  const { name } = session
  const { tenantColumn, table } = values
  const referring = sql`${name(valueColumn(values).name)} in (${bindKeys(session, keys)})`
  return sql`from ${name(table.table)} where ${inTenant(session, referring, tenantColumn)}`
}

async function deleteReferences(session: Session, values: Values, id: string): Promise<void> {
  const { name, rules } = session
  const { key, node } = values
  const from = fromReferring(session, values, [keyOf(session, id, valueColumn(values))])
  // Read-only attributes, such as a user's groups, are not part of a resource's version.
  if (node.mutability !== 'readOnly') {
    const found = await session.run(
      sql`select ${name(key)} as ${name('c0')} ${from}${rules.forUpdate}`,
    )
    const ids = new Set(
      found.map((row) => keyText(cellOf(row, 'c0'), `${values.table.table}.${key}`)),
    )
    await touchRows(session, [...ids])
  }
  await session.run(sql`delete ${from}`)
}
