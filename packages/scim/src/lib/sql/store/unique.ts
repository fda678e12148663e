import type { WireResource } from '../../endpoint/options/store.ts'
import { uniquenessError } from '../../error.ts'
import { areSameValues } from '../../values/same.ts'
import { cellOf } from '../cells.ts'
import { joinFragments, sql } from '../fragment.ts'
import { decodeField } from './decode.ts'
import { idOf, valueAt } from './rows.ts'
import type { Session } from './session.ts'

/**
 * Throws `409 uniqueness` if another resource has a unique value, ignoring letter case unless it is `caseExact`. A
 * database constraint may distinguish letter case, and a table may lack the constraint. Columns unavailable to filters
 * are not searched.
 */
export async function requireUniqueValues(
  session: Session,
  resource: WireResource,
  current: WireResource | null,
): Promise<void> {
  const { map, options } = session
  for (const field of map.fields) {
    const column = map.columns[field.path]
    if (field.node.uniqueness === 'none' || column === undefined) continue
    const value = valueAt(resource, field)
    if (!isComparable(value) || (current && valueAt(current, field) === value)) continue
    const path = { schema: null, attribute: field.path, subAttribute: null }
    const filter = { type: 'compare', path, operator: 'eq', value } as const
    const { where } = await session.filter(filter, { [field.path]: column })
    const names = [map.id.name, field.column].map(session.column)
    const statement = sql`select ${joinFragments(names, ', ')} from ${session.name(options.table)} where ${session.scope()} and ${where ?? sql`1 = 1`}`
    for (const row of await session.run(statement)) {
      if (current !== null && idOf(session, row) === String(current.id)) continue
      const other = decodeField(field, cellOf(row, field.column), options.table)
      // A collation may ignore more than letter case. Equal instants may be spelled differently.
      if (field.node.type !== 'dateTime' && !areSameValues(field.node, other, value)) continue
      throw uniquenessError(field.path)
    }
  }
}

function isComparable(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
