import { ScimError } from '@plumbline/scim'
import type { MembershipPlan } from '@plumbline/scim/patch'
import { rawSql, type TableRow } from '@remix-run/data-table'
import { chunksOf } from '../chunks.ts'
import { isStorable, storable } from '../column-text.ts'
import type { WireResource } from '../list/list.ts'
import { MOST_CANDIDATES, tooMany } from '../list/plan-query.ts'
import { type Condition, compare, equals, every, inTenant, oneOf } from '../predicates.ts'
import { lockReferenced, type TenantScope } from '../scope.ts'
import { MOST_IN_GROUP, tooLarge } from '../sizes.ts'
import { members } from '../tables.ts'

/** A member in a client's request. */
export interface Member {
  readonly value?: string
  readonly display?: string
}

type Row = TableRow<typeof members>

/**
 * The members of a group as wire resources, in the order of their ids. Throws `400 tooMany` if they
 * would be larger than 64 MiB, or exceed the work budget of the request.
 */
export async function memberWires(scope: TenantScope, groupId: string): Promise<WireResource[]> {
  const wires: WireResource[] = []
  let left = MOST_IN_GROUP
  await eachMemberPage(scope, groupId, (page) => {
    scope.budget.spend(page.length)
    left -= sizeOfMembers(page)
    if (left < 0) throw tooLarge('the members of the group', MOST_IN_GROUP)
    for (const wire of page) wires.push(wire)
  })
  return wires
}

/** The length of the JSON of members. */
export function sizeOfMembers(wires: readonly WireResource[]): number {
  return wires.reduce(
    (sum, { $ref, display = '' }) =>
      sum + String($ref).length + String(display).length + REST_OF_MEMBER,
    0,
  )
}

/** The length of the rest of a member's JSON: its id, its type and the names. */
const REST_OF_MEMBER = 100

/** Visits the members of a group page by page, so that only one page is in memory at a time. */
export async function eachMemberPage(
  { db, tenantId, base }: TenantScope,
  groupId: string,
  visit: (page: readonly WireResource[]) => void,
): Promise<void> {
  let after = ''
  for (;;) {
    const rows = (await db.findMany(members, {
      where: inTenant(tenantId, equals('group_id', groupId), compare('member_id', 'gt', after)),
      orderBy: ['member_id', 'asc'],
      limit: MEMBER_PAGE,
    })) as Row[]
    if (rows.length > 0) visit(rows.map((row) => memberWire(row, base)))
    if (rows.length < MEMBER_PAGE) return
    after = rows.at(-1)?.member_id ?? after
  }
}

/** The groups that contain a member: a map from each id to the member as the group shows it. */
export async function groupsThatHold(
  { db, tenantId, base }: TenantScope,
  value: string,
): Promise<ReadonlyMap<string, WireResource>> {
  if (!isStorable(value)) return new Map()
  const rows = (await db.findMany(members, {
    where: inTenant(tenantId, equals('member_id', foldId(value))),
    limit: MOST_CANDIDATES + 1,
  })) as Row[]
  if (rows.length > MOST_CANDIDATES) throw tooMany()
  return new Map(rows.map((row) => [row.group_id, memberWire(row, base)]))
}

function memberWire({ member_id, member_type, display }: Row, base: string): WireResource {
  return {
    value: member_id,
    $ref: `${base}/${member_type}s/${member_id}`,
    type: member_type,
    ...(display === null ? {} : { display }),
  }
}

/** Looks up values in a group; returns a function that checks whether one of them is a member. */
export async function presentMembers(
  { db, tenantId }: TenantScope,
  groupId: string,
  values: readonly string[],
): Promise<(value: string) => boolean> {
  const there = new Set<string>()
  for (const some of chunksOf(values.map(foldId))) {
    const where = inTenant(tenantId, areMembers(groupId, some))
    const rows = await db.query(members).where(where).select({ id: members.member_id }).all()
    for (const { id } of rows) there.add(id)
  }
  return (value) => there.has(foldId(value))
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
    return [tenantId, groupId, id, type, storable('members.display', display)]
  })
  let added = 0
  for (const some of chunksOf(rows)) {
    const places = some.map(() => '(?, ?, ?, ?, ?)').join(', ')
    const text = `
      insert into group_members (tenant_id, group_id, member_id, member_type, display)
      values ${places} ${dialect.skipExisting(KEY)}`
    const { affectedRows = 0 } = await db.exec(rawSql(text, some.flat()))
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
  for (const some of chunksOf(values.map(foldId))) {
    const where = inTenant(tenantId, areMembers(groupId, some))
    removed += (await db.deleteMany(members, { where })).affectedRows
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
  const where = inTenant(tenantId, equals('group_id', groupId))
  if (sent.length === 0) return (await db.deleteMany(members, { where })).affectedRows > 0
  const wanted = membersById(sent)
  const columns = { id: members.member_id, display: members.display }
  const rows = await db.query(members).where(where).select(columns).all()
  const staying = new Set<string>()
  for (const { id, display } of rows) {
    const member = wanted.get(id)
    // A member whose display changed is inserted again; a member sent without a display keeps its own.
    if (member && (member.display ?? display) === display) staying.add(id)
  }
  const gone = rows.map(({ id }) => id).filter((id) => !staying.has(id))
  const come = [...wanted].filter(([id]) => !staying.has(id)).map(([, member]) => member)
  const removed = await removeMembers(scope, groupId, gone)
  return (await addMembers(scope, groupId, come)) || removed
}

/** The types of ids of the tenant. Their users and groups are locked until the transaction ends. */
async function lockTypes(
  scope: TenantScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, 'User' | 'Group'>> {
  const types = new Map<string, 'User' | 'Group'>()
  for (const some of chunksOf(ids)) {
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
    known.set(foldId(member.value), member)
  }
  return known
}

function invalidMember(detail: string): ScimError {
  return new ScimError(400, `members: ${detail}`, { scimType: 'invalidValue' })
}

/** Ids are stored in lower case; a member's `value` ignores case (RFC 7643 §8.7.1). */
function foldId(value: string): string {
  return value.toLowerCase()
}

function areMembers(groupId: string, ids: readonly string[]): Condition {
  return every([equals('group_id', groupId), oneOf('member_id', ids)])
}

const MEMBER_PAGE = 1_000
/** The primary key of the table. */
const KEY = ['tenant_id', 'group_id', 'member_id']
