import { fold, ScimError } from '@plumbline/scim'
import {
  bindList,
  chunkRows,
  type Fragment,
  joinFragments,
  raw,
  sql,
} from '@plumbline/scim/internal'
import type { MembershipPlan } from '@plumbline/scim/patch'
import { storable } from '../../../kernel/store/column-text.ts'
import { readRows } from '../../../kernel/store/database.ts'
import { MAX_GROUP_BYTES, tooLarge } from '../../../kernel/store/sizes.ts'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'
import type { WireResource } from '../list/list.ts'
import { lockReferenced, type TenantScope } from '../scope.ts'

/** A group member. */
export interface MemberRow {
  readonly tenant_id: string
  readonly group_id: string
  readonly member_id: string
  readonly member_type: string
  readonly display: string | null
}

/** A member in a client's request. */
export interface Member {
  readonly value?: string
  readonly display?: string
}

/**
 * Reads a group's members as wire resources, ordered by id. Throws `400 tooMany` if they would be larger than
 * 64 MiB, or exceed the request's work budget.
 */
export async function memberWires(scope: TenantScope, groupId: string): Promise<WireResource[]> {
  const wires: WireResource[] = []
  let left = MAX_GROUP_BYTES
  await eachMemberPage(scope, groupId, (page) => {
    scope.budget.spend(page.length)
    left -= sizeOfMembers(page)
    if (left < 0) throw tooLarge('the members of the group', MAX_GROUP_BYTES)
    for (const wire of page) wires.push(wire)
  })
  return wires
}

/** Returns the length of the members' JSON. */
export function sizeOfMembers(wires: readonly WireResource[]): number {
  return wires.reduce(
    (sum, { $ref, display = '' }) =>
      sum + String($ref).length + String(display).length + REST_OF_MEMBER,
    0,
  )
}

/** The length of the rest of a member's JSON: its id, its type and the names. */
const REST_OF_MEMBER = 100

/** Visits a group's members page by page, so only one page is in memory at a time. */
export async function eachMemberPage(
  { db, tenantId, base }: TenantScope,
  groupId: string,
  visit: (page: readonly WireResource[]) => void,
): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await readRows<MemberRow>(
      db,
      sql`select ${raw(COLUMNS)} from ${membersOf(tenantId, groupId)} and member_id > ${after}
        order by member_id limit ${raw(String(MEMBER_PAGE))}`,
    )
    if (rows.length > 0) visit(rows.map((row) => memberWire(row, base)))
    if (rows.length < MEMBER_PAGE) return
    after = rows.at(-1)?.member_id ?? after
  }
}

function memberWire({ member_id, member_type, display }: MemberRow, base: string): WireResource {
  return {
    value: member_id,
    $ref: `${base}/${member_type}s/${member_id}`,
    type: member_type,
    ...(display === null ? {} : { display }),
  }
}

/** Looks up values in a group; returns a function that checks whether a value is a member. */
export async function presentMembers(
  { db, tenantId }: TenantScope,
  groupId: string,
  values: readonly string[],
): Promise<(value: string) => boolean> {
  const there = new Set<string>()
  // Ids are stored in lower case; a member's `value` ignores case (RFC 7643 §8.7.1).
  for (const some of chunkRows(values.map(fold))) {
    const rows = await readRows<Pick<MemberRow, 'member_id'>>(
      db,
      sql`select member_id from ${membersOf(tenantId, groupId)} and member_id in (${bindList(some)})`,
    )
    for (const { member_id } of rows) there.add(member_id)
  }
  return (value) => there.has(fold(value))
}

/** Applies a plan; returns whether the members changed. */
export async function changeMembers(
  scope: TenantScope,
  groupId: string,
  { add, remove, replace }: Pick<MembershipPlan, 'add' | 'remove' | 'replace'>,
): Promise<boolean> {
  if (replace !== null) return await replaceMembers(scope, groupId, replace)
  const removed = await removeMembers(scope, groupId, [...remove])
  return (await addMembers(scope, groupId, add)) || removed
}

/** Adds members; returns whether any was new. Throws `400` for a user or group that does not exist. */
export async function addMembers(
  scope: TenantScope,
  groupId: string,
  sent: readonly Member[],
): Promise<boolean> {
  const { db, tenantId, dialect } = scope
  const wanted = membersById(sent)
  const types = await lockTypes(scope, [...wanted.keys()])
  const rows = [...wanted].map(([id, { display }]) => {
    const type = types.get(id)
    if (type === undefined) throw invalidMember(`user or group ${id} not found`)
    const shown = storable('members.display', display)
    return sql`(${tenantId}, ${groupId}, ${id}, ${type}, ${shown})`
  })
  let added = 0
  for (const some of chunkRows(rows)) {
    const { affectedRows } = await db.exec(
      sql`insert into group_members (${raw(COLUMNS)})
        values ${joinFragments(some, ', ')} ${raw(dialect.skipExisting(KEY))}`,
    )
    added += affectedRows
  }
  return added > 0
}

/** Removes members; returns whether any was removed. */
export async function removeMembers(
  { db, tenantId }: TenantScope,
  groupId: string,
  values: readonly string[],
): Promise<boolean> {
  let removed = 0
  for (const some of chunkRows(values.map(fold))) {
    const gone = sql`${membersOf(tenantId, groupId)} and member_id in (${bindList(some)})`
    removed += (await db.exec(sql`delete from ${gone}`)).affectedRows
  }
  return removed > 0
}

/** Replaces the members, and writes only the difference; returns whether the members changed. */
export async function replaceMembers(
  scope: TenantScope,
  groupId: string,
  sent: readonly Member[],
): Promise<boolean> {
  const { db, tenantId } = scope
  const all = membersOf(tenantId, groupId)
  if (sent.length === 0) return (await db.exec(sql`delete from ${all}`)).affectedRows > 0
  const wanted = membersById(sent)
  const rows = await readRows<Pick<MemberRow, 'member_id' | 'display'>>(
    db,
    sql`select member_id, display from ${all}`,
  )
  const staying = new Set<string>()
  for (const { member_id: id, display } of rows) {
    const member = wanted.get(id)
    // A member whose display changed is inserted again; a member sent without a display keeps its own.
    if (member && (member.display ?? display) === display) staying.add(id)
  }
  const gone = rows.map(({ member_id }) => member_id).filter((id) => !staying.has(id))
  const come = [...wanted].filter(([id]) => !staying.has(id)).map(([, member]) => member)
  const removed = await removeMembers(scope, groupId, gone)
  return (await addMembers(scope, groupId, come)) || removed
}

/** Returns the type of each id. The users and groups found are locked until the transaction ends. */
async function lockTypes(
  scope: TenantScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, 'User' | 'Group'>> {
  const types = new Map<string, 'User' | 'Group'>()
  for (const some of chunkRows(ids)) {
    for (const id of await lockReferenced(scope, 'users', some)) types.set(id, 'User')
    const others = some.filter((id) => !types.has(id))
    if (others.length === 0) continue
    for (const id of await lockReferenced(scope, 'groups', others)) types.set(id, 'Group')
  }
  return types
}

function membersById(sent: readonly Member[]): ReadonlyMap<string, Member> {
  const known = new Map<string, Member>()
  for (const member of sent) {
    if (!member.value) throw invalidMember('each member needs a value, the id of a user or group')
    known.set(fold(member.value), member)
  }
  return known
}

function invalidMember(detail: string): ScimError {
  return new ScimError(400, `members: ${detail}`, { scimType: 'invalidValue' })
}

/** The rows of a group's members; more conditions follow with `and`. */
function membersOf(tenantId: string, groupId: string): Fragment {
  return sql`${rowsOf(tenantId, 'group_members')} and group_id = ${groupId}`
}

const MEMBER_PAGE = 1_000
const COLUMNS = 'tenant_id, group_id, member_id, member_type, display'
/** The table's primary key. */
const KEY = ['tenant_id', 'group_id', 'member_id']
