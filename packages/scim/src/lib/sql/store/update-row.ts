import type { WireResource } from '../../endpoint/options/store.ts'
import {
  bindList,
  chunkRows,
  type Fragment,
  joinFragments,
  type SqlValue,
  sql,
} from '../fragment.ts'
import { encodeField } from './codec.ts'
import { keyOf } from './read.ts'
import type { Session } from './session.ts'
import { columnValues, isChanged, requireStorable } from './write-row.ts'

/** A change to a resource. */
interface Change {
  readonly resource: WireResource
  readonly current: WireResource
  /** Whether rows in other tables changed. */
  readonly isTouched: boolean
}

/**
 * Prepares the update of a row; no statements if nothing changed. RFC 7644 §3.5.2.1: a request without effect does not
 * change lastModified.
 */
export async function prepareUpdate(
  session: Session,
  id: string,
  { resource, current, isTouched }: Change,
): Promise<readonly Fragment[]> {
  const { map, hooks } = session
  // Checked before the columns are compared, because a value without a column does not change them.
  requireStorable(map, resource)
  const hasHook = hooks.write !== undefined
  if (!isTouched && !hasHook && !isChanged(map, resource, current)) return []
  const row = await columnValues(session, resource, current)
  return await updatesOf(session, [id], row)
}

/** Marks resources as changed when rows in other tables change. */
export async function touchRows(session: Session, ids: readonly string[]): Promise<void> {
  for (const some of chunkRows(ids)) {
    await session.runAll(await updatesOf(session, some, new Map()))
  }
}

/** Builds the statement that sets columns, the modification time and the version; none without a column to set. */
async function updatesOf(
  session: Session,
  ids: readonly string[],
  row: ReadonlyMap<string, SqlValue>,
): Promise<readonly Fragment[]> {
  const { options, map, name, rules } = session
  const columns = new Map([...row, ...(await timesOf(session, false))])
  const sets = [...columns].map(([column, value]) => sql`${name(column)} = ${value}`)
  const { version } = options
  if (version !== undefined) sets.push(sql`${name(version)} = coalesce(${name(version)}, 0) + 1`)
  if (sets.length === 0) return []
  const keys = bindList(ids.map((id) => keyOf(session, id)))
  const where = sql`${session.column(map.id.name)} in (${keys}) and ${rules.unindexed(session.scope())}`
  return [sql`update ${name(options.table)} set ${joinFragments(sets, ', ')} where ${where}`]
}

/** Returns the current time for the `meta.lastModified` column, and for `meta.created` if the resource is new. */
export async function timesOf(
  { map, rules }: Session,
  isNew: boolean,
): Promise<readonly (readonly [column: string, value: SqlValue])[]> {
  const now = new Date().toISOString()
  const times = map.fields.filter(({ node }) => {
    const path = `${node.parent?.name}.${node.name}`
    return path === 'meta.lastModified' || (isNew && path === 'meta.created')
  })
  return await Promise.all(
    times.map(async (field) => [field.column, await encodeField(field, now, rules)] as const),
  )
}
