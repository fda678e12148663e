import type { WireResource } from '../../endpoint/store.ts'
import type { Fragment } from '../fragment.ts'
import { sql } from '../fragment.ts'
import type { RowOwner } from '../value-index/statements.ts'
import { encodeColumn } from './codec.ts'
import type { Session } from './session.ts'
import { ownRows } from './write-values.ts'

/** Inserts a new resource's rows into the value index. */
export async function insertIndexed<Context>(
  session: Session<Context>,
  id: string,
  resource: WireResource,
  context: Context,
): Promise<void> {
  const owner = ownerOf(session, id, context)
  const { dialect } = session.options
  await runAll(session, session.map.index?.insert([{ owner, resource }], dialect) ?? [], context)
}

/** Rewrites changed attributes in the value index. */
export async function updateIndexed<Context>(
  session: Session<Context>,
  id: string,
  change: { readonly before: WireResource; readonly after: WireResource },
  context: Context,
): Promise<void> {
  const owner = ownerOf(session, id, context)
  const { dialect } = session.options
  await runAll(session, session.map.index?.update({ owner, ...change }, dialect) ?? [], context)
}

/** Deletes a resource's rows from the value index. */
export async function deleteIndexed<Context>(
  session: Session<Context>,
  id: string,
  context: Context,
): Promise<void> {
  const { map, name } = session
  if (map.index === null) return
  const own = ownRows(session, map.index, id, context)
  await session.run(sql`delete from ${name(map.index.table)} where ${own}`, context)
}

function ownerOf<Context>(
  { map, options, rules }: Session<Context>,
  id: string,
  context: Context,
): RowOwner {
  const { index } = map
  if (index === null) return {}
  const own = { [index.key]: encodeColumn(map.id, id, 'id', rules) }
  if (index.tenantColumn === null || options.tenant === undefined) return own
  return { ...own, [index.tenantColumn]: options.tenant.value(context) }
}

async function runAll<Context>(
  session: Session<Context>,
  statements: readonly Fragment[],
  context: Context,
): Promise<void> {
  for (const statement of statements) await session.run(statement, context)
}
