import type {
  MembersRequest,
  ReplaceRequest,
  StoreRequest,
  WireResource,
} from '../../endpoint/store.ts'
import { own } from '../../json.ts'
import type { MembershipPlan } from '../../patch/membership-plan.ts'
import { joinFragments, type SqlValue, sql } from '../fragment.ts'
import { encodeField } from './codec.ts'
import type { Values } from './fields.ts'
import { keyOf, readResource } from './read.ts'
import type { Session } from './session.ts'
import { requireUniqueValues } from './unique.ts'
import { columnValues, isChanged, requireStorable } from './write-row.ts'
import { addValues, deleteValues, removeValues, replaceValues } from './write-values.ts'

/** Inserts a resource and returns it. */
export async function createResource<Context>(
  session: Session<Context>,
  resource: WireResource,
  context: Context,
  { base }: Pick<StoreRequest, 'base'>,
): Promise<WireResource> {
  const { options, map } = session
  requireStorable(map.fields, resource)
  await requireUniqueValues(session, resource, null, context)
  const row = await columnValues(session, resource, null, context)
  for (const [name, value] of await timesOf(session, true)) row.set(name, value)
  for (const [name, value] of Object.entries(options.where ?? {})) row.set(name, value)
  const { tenant, version } = options
  if (tenant !== undefined) row.set(tenant.column, tenant.value(context))
  if (version !== undefined) row.set(version, 1)
  const id = await insertRow(session, row, context)
  for (const values of map.values) {
    if (!isWritable(values)) continue
    await replaceValues(
      session,
      values,
      id,
      { before: undefined, after: valuesOf(resource, values) },
      context,
    )
  }
  await options.hooks?.created?.(resource, { id, context })
  const created = await readResource(session, id, context, { base })
  if (created === null) throw new TypeError(`${options.table}: the new row ${id} cannot be read`)
  return created
}

/** Replaces the attributes of a resource and returns it; null if it does not exist. */
export async function replaceRow<Context>(
  session: Session<Context>,
  id: string,
  resource: WireResource,
  context: Context,
  { current, base }: Pick<ReplaceRequest, 'current' | 'base'>,
): Promise<WireResource | null> {
  const { map } = session
  await requireUniqueValues(session, resource, current, context)
  let isTouched = false
  for (const values of map.values) {
    if (!isWritable(values)) continue
    const change = { before: valuesOf(current, values), after: valuesOf(resource, values) }
    if (await replaceValues(session, values, id, change, context)) isTouched = true
  }
  await updateRow(session, id, { resource, current, isTouched }, context)
  return await readResource(session, id, context, { base })
}

/** Changes the members of a group without loading the others. Returns false if the group does not exist. */
export async function changeMembers<Context>(
  session: Session<Context>,
  members: Values,
  id: string,
  { add, remove, replace }: MembershipPlan,
  context: Context,
  { resource, current }: Pick<MembersRequest, 'resource' | 'current'>,
): Promise<boolean> {
  await requireUniqueValues(session, resource, current, context)
  if (replace === null) {
    await removeValues(session, members, id, [...remove], context)
    const added = add.map(({ value }) => value)
    await addValues(session, members, id, added, context)
  } else {
    await replaceValues(session, members, id, { before: undefined, after: replace }, context)
  }
  await updateRow(session, id, { resource, current, isTouched: true }, context)
  return true
}

/** Deletes a resource. Returns false if it does not exist. */
export async function deleteRow<Context>(
  session: Session<Context>,
  id: string,
  context: Context,
): Promise<boolean> {
  const { options, map, rules } = session
  const key = keyOf(session, id)
  if (key === null) return false
  const column = session.name(map.id.name)
  const table = session.name(options.table)
  const where = sql`${session.column(map.id.name)} = ${key} and ${session.scope(context)}`
  const rows = await session.run(
    sql`select ${column} from ${table} where ${where}${rules.forUpdate}`,
    context,
  )
  if (!rows.some((row) => String(own(row, map.id.name)) === id)) return false
  if (options.hooks?.delete !== undefined) {
    await options.hooks.delete({ id, context })
    return true
  }
  for (const values of map.values) await deleteValues(session, values, id, context)
  await session.run(sql`delete from ${table} where ${where}`, context)
  return true
}

interface Change {
  readonly resource: WireResource
  readonly current: WireResource
  /** Whether rows of other tables changed. */
  readonly isTouched: boolean
}

/** RFC 7644 §3.5.2.1: a request without effect does not change lastModified. */
async function updateRow<Context>(
  session: Session<Context>,
  id: string,
  { resource, current, isTouched }: Change,
  context: Context,
): Promise<void> {
  const { options, map, name } = session
  // Before the columns are compared, because a value without a column does not change them.
  requireStorable(map.fields, resource)
  const hasHook = options.hooks?.write !== undefined
  if (!isTouched && !hasHook && !isChanged(map, resource, current)) return
  const row = await columnValues(session, resource, current, context)
  for (const [column, value] of await timesOf(session, false)) row.set(column, value)
  const sets = [...row].map(([column, value]) => sql`${name(column)} = ${value}`)
  const { version } = options
  if (version !== undefined) sets.push(sql`${name(version)} = ${name(version)} + 1`)
  if (sets.length === 0) return
  const where = sql`${session.column(map.id.name)} = ${keyOf(session, id)} and ${session.scope(context)}`
  await session.run(
    sql`update ${name(options.table)} set ${joinFragments(sets, ', ')} where ${where}`,
    context,
  )
}

/** Inserts a row and returns its id: a new UUID, or the key that the database assigns. */
async function insertRow<Context>(
  session: Session<Context>,
  row: Map<string, SqlValue>,
  context: Context,
): Promise<string> {
  const { options, map, name } = session
  const { id } = map
  const isAssigned = id.kind === 'key' && id.type === 'integer'
  const chosen = crypto.randomUUID()
  if (!isAssigned) row.set(id.name, chosen)
  const columns = joinFragments([...row.keys()].map(name), ', ')
  const values = joinFragments(
    [...row.values()].map((value) => sql`${value}`),
    ', ',
  )
  const insert = sql`insert into ${name(options.table)} (${columns}) values (${values})`
  if (!isAssigned) {
    await session.run(insert, context)
    return chosen
  }
  if (options.dialect !== 'mysql') {
    const [inserted] = await session.run(
      sql`${insert} returning ${name(id.name)} as ${name('id')}`,
      context,
    )
    return String(inserted?.id)
  }
  await session.run(insert, context)
  const [last] = await session.run(sql`select last_insert_id() as ${name('id')}`, context)
  return String(last?.id)
}

/** The columns of `meta.lastModified`, and of `meta.created` for a new resource, with the current time. */
async function timesOf<Context>(
  { map, rules }: Session<Context>,
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

function isWritable({ node }: Values): boolean {
  return node.mutability !== 'readOnly'
}

/** The elements of an attribute; undefined if it is unassigned. */
function valuesOf(resource: WireResource, { node }: Values): unknown {
  const { container } = node.schema
  return own(container === null ? resource : Object(own(resource, container)), node.name)
}
