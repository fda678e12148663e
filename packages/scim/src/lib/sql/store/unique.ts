import { unwrap } from '@plumbline/result'
import type { WireResource } from '../../endpoint/store.ts'
import { ScimError } from '../../error.ts'
import { own } from '../../json.ts'
import { type AttributeNode, attributeIndex } from '../../schema/attribute-index.ts'
import type { Definitions } from '../../schema/types.ts'
import { fold } from '../../values/fold.ts'
import { filterFragment } from '../filter-to-sql.ts'
import { joinFragments, sql } from '../fragment.ts'
import { decodeField } from './codec.ts'
import { valueAt } from './rows.ts'
import type { Session } from './session.ts'

/**
 * Throws `409 uniqueness` if another resource has a unique value, in any letter case unless it is `caseExact`.
 * The constraint of a database may distinguish letter case, and a table may not have one.
 */
export async function requireUniqueValues<Context>(
  session: Session<Context>,
  resource: WireResource,
  current: WireResource | null,
  context: Context,
): Promise<void> {
  const { map, options } = session
  const unique = uniqueAttributes(options.definitions)
  for (const field of map.fields) {
    if (!unique.has(field.node) || field.codec === 'json' || 'encode' in field.codec) continue
    const value = valueAt(resource, field)
    if (typeof value !== 'string' || (current && valueAt(current, field) === value)) continue
    const path = { schema: null, attribute: field.path, subAttribute: null }
    const columns = { [field.path]: map.columns[field.path] ?? field.column }
    const filter = { type: 'compare', path, operator: 'eq', value } as const
    const { where } = unwrap(filterFragment(filter, columns, options.dialect, options.table))
    const names = [map.id.name, field.column].map(session.column)
    const statement = sql`select ${joinFragments(names, ', ')} from ${session.name(options.table)} where ${session.scope(context)} and ${where}`
    for (const row of await session.run(statement, context)) {
      if (current !== null && String(own(row, map.id.name)) === String(current.id)) continue
      const other = String(decodeField(field, own(row, field.column)))
      const isTaken = field.node.caseExact ? other === value : fold(other) === fold(value)
      if (!isTaken) continue
      throw new ScimError(409, `${field.path} is already taken`, { scimType: 'uniqueness' })
    }
  }
}

function uniqueAttributes(definitions: Definitions): ReadonlySet<AttributeNode> {
  const { schemas } = attributeIndex(definitions)
  const nodes = Object.values(definitions).flatMap(({ id, attributes }) =>
    attributes.flatMap(({ name, uniqueness = 'none' }) => {
      const node = schemas.get(fold(id))?.attributes.get(fold(name))
      return uniqueness === 'none' || node === undefined ? [] : [node]
    }),
  )
  return new Set(nodes)
}
