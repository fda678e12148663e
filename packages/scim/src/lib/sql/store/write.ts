import type {
  MembersRequest,
  ReplaceRequest,
  StoreRequest,
  WireResource,
} from '../../endpoint/options/store.ts'
import { own } from '../../json.ts'
import type { MembershipPlan } from '../../patch/membership-plan.ts'
import { sql } from '../fragment.ts'
import type { Values } from './fields.ts'
import { deleteIndexed, prepareIndexed, prepareIndexUpdate } from './index-rows.ts'
import { insertRow } from './insert-row.ts'
import { bindKeys, keyOf, readResource } from './read.ts'
import { idOf } from './rows.ts'
import type { Session, StatementsFor } from './session.ts'
import { lockTargets } from './targets.ts'
import { requireUniqueValues } from './unique.ts'
import { prepareUpdate, timesOf } from './update-row.ts'
import { findValues } from './values.ts'
import { columnValues, requireStorable } from './write-row.ts'
import { deletionOf, prepareChange, prepareNewValues, prepareReplacement } from './write-values.ts'

// Every check that can reject a write runs before the first statement that changes a row, because a store may run without a
// transaction. Only the database itself can reject a later statement.

/** Inserts a resource and returns it. */
export async function createResource(
  session: Session,
  resource: WireResource,
  { base }: Pick<StoreRequest, 'base'>,
): Promise<WireResource> {
  const { options, map, hooks } = session
  requireStorable(map, resource)
  await requireUniqueValues(session, resource, null)
  const row = await columnValues(session, resource, null)
  for (const [name, value] of await timesOf(session, true)) row.set(name, value)
  for (const [name, value] of Object.entries(options.where ?? {})) row.set(name, value)
  const { tenant, version } = options
  if (tenant !== undefined) row.set(tenant.column, session.tenant())
  if (version !== undefined) row.set(version, 1)
  const others: StatementsFor[] = [prepareIndexed(session, resource)]
  for (const values of map.values) {
    if (!isWritable(values)) continue
    others.push(await prepareNewValues(session, values, valuesOf(resource, values)))
  }
  const id = await insertRow(session, row)
  for (const statementsFor of others) await session.runAll(statementsFor(id))
  await hooks.created?.(resource, id)
  const created = await readResource(session, id, { base })
  if (created === null) throw new TypeError(`${options.table}: the new row ${id} cannot be read`)
  return created
}

/** Replaces the attributes of a resource and returns it; null if it does not exist. */
export async function replaceRow(
  session: Session,
  id: string,
  resource: WireResource,
  { current, base }: Pick<ReplaceRequest, 'current' | 'base'>,
): Promise<WireResource | null> {
  const { map } = session
  await requireUniqueValues(session, resource, current)
  const others = [...prepareIndexUpdate(session, id, { before: current, after: resource })]
  let isTouched = false
  for (const values of map.values) {
    if (!isWritable(values)) continue
    const change = { before: valuesOf(current, values), after: valuesOf(resource, values) }
    const statements = await prepareReplacement(session, values, id, change)
    isTouched ||= statements.length > 0
    others.push(...statements)
  }
  const update = await prepareUpdate(session, id, { resource, current, isTouched })
  await session.runAll([...update, ...others])
  return await readResource(session, id, { base })
}

/** Changes a group's members without loading the others. Returns false if the group does not exist. */
export async function changeMembers(
  session: Session,
  members: Values,
  id: string,
  { add, remove, replace }: MembershipPlan,
  { resource, current }: Pick<MembersRequest, 'resource' | 'current'>,
): Promise<boolean> {
  await requireUniqueValues(session, resource, current)
  const change = { resource, current, isTouched: true }
  const update = await prepareUpdate(session, id, change)
  const [added, removed] = [add.map(({ value }) => value), [...remove]]
  const others =
    replace === null
      ? await prepareChange(session, members, id, {
          known: await findValues(session, members, id, [...added, ...removed]),
          add: added,
          remove: removed,
        })
      : await prepareReplacement(session, members, id, { before: undefined, after: replace })
  await session.runAll([...update, ...others])
  return true
}

/** Deletes a resource. Returns false if it does not exist. */
export async function deleteRow(session: Session, id: string): Promise<boolean> {
  const { options, map, rules, hooks } = session
  const key = keyOf(session, id)
  if (key === null) return false
  const column = session.name(map.id.name)
  const table = session.name(options.table)
  const where = sql`${session.column(map.id.name)} = ${bindKeys(session, [key])} and ${session.scope()}`
  const rows = await session.run(
    sql`select ${column} from ${table} where ${where}${rules.forUpdate}`,
  )
  if (!rows.some((row) => idOf(session, row) === id)) return false
  if (hooks.delete !== undefined) {
    await hooks.delete(id)
    return true
  }
  for (const one of map.values) await lockTargets(session, one, id)
  const values = map.values.map((one) => deletionOf(session, one, id))
  await session.runAll(values)
  await deleteIndexed(session, id)
  await session.run(sql`delete from ${table} where ${where}`)
  return true
}

function isWritable({ node }: Values): boolean {
  return node.mutability !== 'readOnly'
}

/** Returns an attribute's elements; undefined if it is unassigned. */
function valuesOf(resource: WireResource, { node }: Values): unknown {
  const { container } = node.schema
  return own(container === null ? resource : Object(own(resource, container)), node.name)
}
