import type { ReadRequest, View, WireResource } from '../../endpoint/store.ts'
import { isJsonObject, own } from '../../json.ts'
import type { NamedColumn } from '../../predicate/columns.ts'
import type { SqlValue } from '../fragment.ts'
import { sql } from '../fragment.ts'
import { encodeColumn } from './codec.ts'
import type { Values } from './fields.ts'
import { resourceOf, selectedColumns, write } from './rows.ts'
import type { Session } from './session.ts'
import type { SqlRow } from './types.ts'
import { readValues } from './values.ts'

/** The key of an id, null if no row can have it. */
export function keyOf<Context>(
  { map, rules }: Session<Context>,
  id: string,
  column: NamedColumn = map.id,
): SqlValue {
  try {
    return encodeColumn(column, id, 'id', rules)
  } catch {
    return null
  }
}

/** Reads a resource; null if it does not exist. */
export async function readResource<Context>(
  session: Session<Context>,
  id: string,
  context: Context,
  { view, base = '', isForUpdate = false, isWanted = () => true }: Partial<ReadRequest>,
): Promise<WireResource | null> {
  const { map, rules, options } = session
  const key = keyOf(session, id)
  if (key === null) return null
  const [row] = await session.run(
    sql`select ${selectedColumns(session)} from ${session.name(options.table)} where ${session.column(map.id.name)} = ${key} and ${session.scope(context)}${isForUpdate ? rules.forUpdate : sql``}`,
    context,
  )
  // A collation may find the id in another letter case.
  if (row === undefined || String(own(row, map.id.name)) !== id) return null
  const version = options.version === undefined ? null : `W/"${own(row, options.version)}"`
  if (version !== null && !isWanted(version)) return resourceOf(session, row, context)
  const [resource] = await resourcesOf(session, [row], { view, base }, context)
  return resource ?? null
}

/** The resources of rows, with the attributes in other tables that a view needs. */
export async function resourcesOf<Context>(
  session: Session<Context>,
  rows: readonly SqlRow[],
  { view, base }: { readonly view: View | undefined; readonly base: string },
  context: Context,
): Promise<WireResource[]> {
  const resources = rows.map((row) => resourceOf(session, row, context))
  const ids = resources.map(({ id }) => String(id))
  for (const values of neededValues(session, view)) {
    const all = ids.length === 0 ? null : await readValues(session, values, ids, context)
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

/** An element with the type and the address of the resource that it refers to. */
function withTarget(element: unknown, { node, table }: Values, base: string): unknown {
  const type = table.target?.type
  if (type === undefined || !isJsonObject(element)) return element
  const id = encodeURIComponent(String(own(element, 'value')))
  const kind = node.name === 'groups' ? 'direct' : type
  return { ...element, $ref: `${base}/${type}s/${id}`, type: kind }
}

/** The attributes in other tables that a view needs. */
export function neededValues<Context>(
  { map }: Session<Context>,
  view: View | undefined,
): readonly Values[] {
  return map.values.filter(({ node }) => {
    const { container } = node.schema
    return view?.needs(container === null ? node.name : `${container}:${node.name}`) ?? true
  })
}
