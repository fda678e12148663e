import type { ReadRequest, View, WireResource } from '../../endpoint/options/store.ts'
import { isJsonObject, own } from '../../json.ts'
import type { NamedColumn } from '../../predicate/columns.ts'
import { chunkRows, type Fragment, joinFragments, type SqlValue, sql } from '../fragment.ts'
import { encodeColumn } from './codec.ts'
import type { Values } from './fields.ts'
import { idOf, resourceOf, selectedColumns, versionOf, write } from './rows.ts'
import type { Session } from './session.ts'
import type { SqlRow } from './types.ts'
import { readValues } from './values.ts'

/** Converts an id to a key; null if no row can have it. */
export function keyOf({ map, rules }: Session, id: string, column: NamedColumn = map.id): SqlValue {
  try {
    return encodeColumn(column, id, 'id', rules)
  } catch {
    return null
  }
}

/** Writes keys to compare with a column, which may be too small for the numbers. */
export function bindKeys({ rules }: Session, keys: readonly SqlValue[]): Fragment {
  const written = keys.map((key) => (typeof key === 'bigint' ? rules.integer(key) : sql`${key}`))
  return joinFragments(written, ', ')
}

/** Reads a resource; null if it does not exist. */
export async function readResource(
  session: Session,
  id: string,
  { view, base = '', isForUpdate = false, isWanted = () => true }: Partial<ReadRequest>,
): Promise<WireResource | null> {
  const { map, rules, options } = session
  const key = keyOf(session, id)
  if (key === null) return null
  const [row] = await session.run(
    sql`select ${selectedColumns(session)} from ${session.name(options.table)} where ${session.column(map.id.name)} = ${bindKeys(session, [key])} and ${session.scope()}${isForUpdate ? rules.forUpdate : sql``}`,
  )
  // A collation may match an id in another letter case.
  if (row === undefined || idOf(session, row) !== id) return null
  const version = versionOf(session, row)
  if (version !== null && !isWanted(version)) return resourceOf(session, row)
  const [resource] = await resourcesOf(session, [row], { view, base })
  return resource ?? null
}

/** Locks rows until the transaction ends, in key order. */
export async function lockRows(session: Session, ids: readonly string[]): Promise<void> {
  const { map, rules, options, column } = session
  if (rules.forChange === null) return
  const id = column(map.id.name)
  const keys = ids.flatMap((one) => keyOf(session, one) ?? []).sort(compareKeys)
  for (const some of chunkRows(keys)) {
    await session.run(
      sql`select ${id} from ${session.name(options.table)} where ${id} in (${bindKeys(session, some)}) and ${rules.unindexed(session.scope())} order by ${id}${rules.forChange}`,
    )
  }
}

/** Compares two keys. A table's keys are either all numbers or all strings. */
export function compareKeys(a: SqlValue, b: SqlValue): number {
  const isLess = typeof a === 'bigint' && typeof b === 'bigint' ? a < b : String(a) < String(b)
  return isLess ? -1 : 1
}

/** Converts rows to resources, and reads the attributes from other tables if the view needs them. */
export async function resourcesOf(
  session: Session,
  rows: readonly SqlRow[],
  { view, base }: { readonly view: View | undefined; readonly base: string },
): Promise<WireResource[]> {
  const resources = rows.map((row) => resourceOf(session, row))
  const ids = resources.map(({ id }) => String(id))
  for (const values of neededValues(session, view)) {
    const all = ids.length === 0 ? null : await readValues(session, values, ids)
    for (const resource of resources) {
      const own = all?.get(String(resource.id))
      if (own !== undefined)
        write(
          resource,
          values.node,
          own.map((one) => withTarget(one, values, base)),
        )
    }
  }
  return resources
}

/** Adds `type` and `$ref` to an element from the target table. */
function withTarget(element: unknown, { node, table }: Values, base: string): unknown {
  const type = table.target?.type
  if (type === undefined || !isJsonObject(element)) return element
  const id = encodeURIComponent(String(own(element, 'value')))
  const kind = node.name === 'groups' ? 'direct' : type
  return { ...element, $ref: `${base}/${type}s/${id}`, type: kind }
}

/** Returns the attributes in other tables that a view needs. */
export function neededValues({ map }: Session, view: View | undefined): readonly Values[] {
  return map.values.filter(({ node }) => {
    const { container } = node.schema
    return view?.needs(container === null ? node.name : `${container}:${node.name}`) ?? true
  })
}
