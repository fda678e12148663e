import type { ReferenceRequest } from '../../endpoint/store.ts'
import { own } from '../../json.ts'
import { sql } from '../fragment.ts'
import type { Values } from './fields.ts'
import { keyOf } from './read.ts'
import type { Session } from './session.ts'
import { touchRows } from './update-row.ts'
import { valueColumn } from './values.ts'

/** Deletes the values that refer to a resource, such as the memberships of a user that is about to be deleted. */
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

/** Whether values refer to the resources of a store: by its table, or by the name of their type. */
function refersTo(
  { table: { target } }: Values,
  { resourceType, store }: Pick<ReferenceRequest, 'resourceType' | 'store'>,
): boolean {
  if (target === undefined) return false
  return target.type === resourceType || target.table === own(store, 'table')
}

async function deleteReferences<Context>(
  session: Session<Context>,
  values: Values,
  id: string,
  context: Context,
): Promise<void> {
  const { name, options, rules } = session
  const { key, tenantColumn, table, node } = values
  const column = valueColumn(values)
  const referring = sql`${name(column.name)} = ${keyOf(session, id, column)}`
  const rows =
    tenantColumn === null || options.tenant === undefined
      ? referring
      : sql`${referring} and ${name(tenantColumn)} = ${options.tenant.value(context)}`
  const from = sql`from ${name(table.table)} where ${rows}`
  // A read-only attribute, such as the groups of a user, is not part of the version of its resource.
  if (node.mutability !== 'readOnly') {
    const found = await session.run(
      sql`select ${name(key)} as ${name('c0')} ${from}${rules.forUpdate}`,
      context,
    )
    const ids = new Set(found.map((row) => String(own(row, 'c0'))))
    await touchRows(session, [...ids], context)
  }
  await session.run(sql`delete ${from}`, context)
}
