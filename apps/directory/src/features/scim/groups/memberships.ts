import { ScimError } from '@plumbline/scim'
import type { Membership } from '@plumbline/scim/endpoint'
import { bindList, chunkRows, type Fragment, raw, sql } from '@plumbline/scim/sql'
import { attach } from '../../../kernel/memoize.ts'
import { readRows } from '../../../kernel/store/database.ts'
import { MAX_PAGE_BYTES, MAX_USER_GROUPS_BYTES } from '../../../kernel/store/sizes.ts'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'
import { BroadSearchError, type WireResource } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'

/** A user whose groups are looked up. */
export interface Holder {
  readonly id: string
  /** The length of the user's JSON without its groups, in code units. */
  readonly size: number
  /** The value of `firstMemberships`, if it was read with the user. */
  readonly first?: string | null | undefined
}

/**
 * The SQL for the first groups of a row in `users`, as JSON. With these, most users take one statement. The
 * others are in more groups, or in nested groups.
 */
export function firstMemberships({
  tenantId,
  dialect,
}: Pick<TenantScope, 'tenantId' | 'dialect'>): Fragment {
  const list = raw(dialect.jsonRows('group_id, display_name, is_held'))
  const most = raw(String(MAX_GROUPS + 1))
  return sql`(select ${list} from (
    select ${holding(tenantId)} and held.member_id = users.id limit ${most}
  ) first_groups)`
}

/** Adds a user's first groups to a graph, unless the user has others, direct or indirect. */
function addFirst({ parents, names }: Graph, { id, first }: Holder): void {
  if (first === undefined || parents.has(id)) return
  const rows: readonly FirstRow[] = first === null ? [] : JSON.parse(first)
  if (rows.length > MAX_GROUPS || rows.some(([, , isHeld]) => isHeld)) return
  parents.set(
    id,
    rows.map(([groupId]) => groupId),
  )
  for (const [groupId, name] of rows) names.set(groupId, name)
}

/** SQLite writes 0 or 1 in place of a boolean. */
type FirstRow = readonly [groupId: string, name: string, isHeld: boolean | number]

/**
 * Reads each user's `groups`, direct and indirect, for as many of the first users as fit into a page with their
 * groups, and at least one.
 *
 * Throws `400 tooMany` if the first user's groups exceed 16 MiB.
 */
export async function membershipsOf(
  scope: TenantScope,
  holders: readonly Holder[],
): Promise<readonly (readonly WireResource[])[]> {
  const found: (readonly WireResource[])[] = []
  const finish = async (): Promise<typeof found> => {
    // Large JSON and its digest are built in a separate turn.
    if (left < MAX_PAGE_BYTES - LARGE) await scope.turn?.()
    return found
  }
  let left = MAX_PAGE_BYTES
  let count = MAX_TOGETHER
  while (found.length < holders.length) {
    const some = holders.slice(found.length, found.length + count)
    const graph = graphFor(scope)
    const ids = some.map(({ id }) => id)
    for (const holder of some) addFirst(graph, holder)
    if (!(await lookUp(scope, graph, ids))) {
      // The graph has some of the groups, but not their parents.
      graphs.forget(scope)
      if (some.length === 1 && found.length > 0) return await finish()
      if (some.length === 1) throw tooManyGroups()
      count = Math.ceil(some.length / 2)
      continue
    }
    for (const { id, size } of some) {
      const groups = showGroups(scope, id, graph)
      scope.budget.spend(stepsToShow(groups))
      const used = groups.reduce((sum, group) => sum + group.size, size)
      left -= used
      if (left < 0 && found.length > 0) return await finish()
      if (used > MAX_USER_GROUPS_BYTES && groups.length > 0) throw tooManyGroups()
      found.push(groups.map(({ wire }) => wire))
    }
  }
  return await finish()
}

/** The cost of a user's groups. Their JSON is part of the entity tag, and so is read for each user. */
function stepsToShow(groups: readonly ShownGroup[]): number {
  return groups.reduce((sum, { size }) => sum + 1 + Math.floor(size / SIZE_OF_STEP), 0)
}

/** Reads one user's `groups`. */
export async function membershipsOfOne(
  scope: TenantScope,
  holder: Omit<Holder, 'size'>,
): Promise<readonly WireResource[]> {
  const [memberships = []] = await membershipsOf(scope, [{ ...holder, size: 0 }])
  return memberships
}

function tooManyGroups(): ScimError {
  return new ScimError(
    400,
    'the user is in too many groups to show; exclude the attribute groups',
    {
      scimType: 'tooMany',
    },
  )
}

/** A group in a user's `groups`. */
interface ShownGroup {
  readonly wire: WireResource
  /** Its JSON length. */
  readonly size: number
}

function showGroups({ base }: TenantScope, userId: string, graph: Graph): readonly ShownGroup[] {
  const direct = new Set(graph.parents.get(userId))
  const show = (value: string): ShownGroup => {
    const type = direct.has(value) ? 'direct' : 'indirect'
    const known = graph.shown[type].get(value)
    if (known !== undefined) return known
    const display = graph.names.get(value) ?? ''
    const wire = { value, $ref: `${base}/Groups/${value}`, display, type }
    const made = { wire, size: sizeOf(wire) }
    graph.shown[type].set(value, made)
    return made
  }
  return [...ancestorsOf(direct, graph.parents)].sort().map(show)
}

/** Returns a group's JSON length, without writing the JSON: a user may have many groups with long names. */
function sizeOf({
  display,
  ...rest
}: {
  readonly value: string
  readonly display: string
}): number {
  const text = ESCAPED.test(display) ? JSON.stringify(display).length : display.length + 2
  return JSON.stringify(rest).length + ',"display":,'.length + text
}

/** Removes a member from all groups, and increments their revisions. */
export async function leaveAllGroups(
  { db, tenantId, now }: TenantScope,
  memberId: string,
): Promise<void> {
  await db.exec(sql`
    update groups set revision = revision + 1, last_modified = ${now}
    where tenant_id = ${tenantId} and id in (
      select group_id from group_members
      where tenant_id = ${tenantId} and member_id = ${memberId}
    )`)
  await db.exec(sql`delete from ${rowsOf(tenantId, 'group_members')} and member_id = ${memberId}`)
}

/** The memberships looked up so far. */
interface Graph {
  /** The ids of the groups that contain each member. */
  readonly parents: Map<string, string[]>
  readonly names: Map<string, string>
  /** The groups as users show them, built once for all users. */
  readonly shown: Readonly<Record<'direct' | 'indirect', Map<string, ShownGroup>>>
}

/** The memberships looked up in each transaction. */
const graphs = attach(
  (_: TenantScope): Graph => ({
    parents: new Map(),
    names: new Map(),
    shown: { direct: new Map(), indirect: new Map() },
  }),
)

/** Returns a transaction's graph, which restarts when it has become too large. */
function graphFor(scope: TenantScope): Graph {
  const graph = graphs.get(scope)
  if (graph.parents.size <= MAX_MEMBERSHIPS) return graph
  graphs.forget(scope)
  return graphs.get(scope)
}

/**
 * Looks up all ancestors of members, in two statements per chunk, however deeply groups are nested. Returns
 * false if there are too many.
 */
async function lookUp(
  scope: TenantScope,
  { parents, names }: Graph,
  memberIds: readonly string[],
): Promise<boolean> {
  const { db, budget } = scope
  let left = MAX_MEMBERSHIPS
  /** Reads memberships, and returns the unknown groups with parents of their own; null if there are too many. */
  const read = async (ids: readonly string[], statement: Fragment): Promise<Set<string> | null> => {
    const rows = await readRows<HoldingRow>(db, statement)
    budget.spend(STEPS_OF_STATEMENT + rows.length)
    left -= rows.length
    if (left < 0) return null
    if (rows.length > MAX_LOOKED_UP_MEMBERSHIPS) await requireTurn(scope)
    const held = new Set<string>()
    const found = new Set(ids)
    for (const row of rows) found.add(row.member_id)
    // A group may be found again, from other members, and then with the same parents.
    for (const id of found) parents.set(id, [])
    for (const row of rows) {
      parents.get(row.member_id)?.push(row.group_id)
      names.set(row.group_id, row.display_name)
      if (row.is_held) held.add(row.group_id)
    }
    return new Set([...held].filter((id) => !parents.has(id)))
  }
  for (const ids of chunkRows(memberIds.filter((id) => !parents.has(id)))) {
    const above = await read(ids, directMemberships(scope, ids))
    if (above === null) return false
    for (const some of chunkRows([...above])) {
      const groups = some.filter((id) => !parents.has(id))
      if (groups.length === 0) continue
      if ((await read(groups, allMemberships(scope, groups))) === null) return false
    }
  }
  return true
}

/** Lets other requests run before work on many memberships, which a look-up must not do. */
async function requireTurn({ isLookUp = false, turn }: TenantScope): Promise<void> {
  if (isLookUp) throw new BroadSearchError()
  await turn?.()
}

/** Builds the statement that reads the members' groups. */
function directMemberships(scope: TenantScope, ids: readonly string[]): Fragment {
  const { tenantId } = scope
  return sql`select held.member_id, ${holding(tenantId)}
    and held.member_id in (${bindList(ids)}) ${limitOf(scope)}`
}

/** Builds the statement that reads the groups' parents, and all groups above them. `union` ends at circular groups. */
function allMemberships(scope: TenantScope, ids: readonly string[]): Fragment {
  const { tenantId, dialect } = scope
  const members = (name: string) =>
    dialect.joinEach(
      sql`${rowsOf(tenantId, 'group_members', name)} and ${raw(name)}.member_id = above.id`,
      name,
    )
  return sql`with recursive above (id) as (
      select member_id from ${rowsOf(tenantId, 'group_members')} and member_id in (${bindList(ids)})
      union
      select above_them.group_id from above ${members('above_them')}
    )
    select held.member_id, ${shown(tenantId)} from above ${members('held')}
    ${limitOf(scope)}`
}

/** Limits a statement to one row more than allowed, to detect a larger number. */
function limitOf({ isLookUp = false }: TenantScope): Fragment {
  return raw(`limit ${(isLookUp ? MAX_LOOKED_UP_MEMBERSHIPS : MAX_MEMBERSHIPS) + 1}`)
}

/** The columns of a tenant's memberships, and their source. */
function holding(tenantId: string): Fragment {
  return sql`${shown(tenantId)} from ${rowsOf(tenantId, 'group_members', 'held')}`
}

function shown(tenantId: string): Fragment {
  const name = rowsOf(tenantId, 'groups')
  const above = rowsOf(tenantId, 'group_members', 'others')
  // Without its limit, PostgreSQL would read all of the tenant's members for a page's groups.
  return sql`held.group_id, (
    select display_name from ${name} and groups.id = held.group_id
  ) as display_name, exists (
    select 1 from ${above} and others.member_id = held.group_id limit 1 offset 0
  ) as is_held`
}

interface HoldingRow {
  readonly member_id: string
  readonly group_id: string
  readonly display_name: string
  /** SQLite returns 0 or 1. */
  readonly is_held: boolean | number
}

function ancestorsOf(
  direct: ReadonlySet<string>,
  parents: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const all = new Set(direct)
  for (const id of all) for (const parent of parents.get(id) ?? []) all.add(parent)
  return all
}

/** The characters JSON escapes (RFC 8259 §7); lone surrogates are escaped, too. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u
/** In code units: JSON up to this size takes a few milliseconds. */
const LARGE = 64 * 1024
/** The maximum number of groups read with a user. */
const MAX_GROUPS = 100
/** How many users' groups are looked up together. */
const MAX_TOGETHER = 200
/** The maximum number of memberships read for them, each with a name of up to 2,000 bytes. */
const MAX_MEMBERSHIPS = 20_000
/** The maximum number of memberships read in a look-up: its statements block the event loop on SQLite. */
const MAX_LOOKED_UP_MEMBERSHIPS = 250
/** A statement's cost in a request's work budget. */
const STEPS_OF_STATEMENT = 100
/** How many code units of a group's JSON cost one more step. */
const SIZE_OF_STEP = 256

/** Finds the groups with these resources as direct members, each with the member's id. */
export async function findHolders(
  { db, tenantId }: TenantScope,
  ids: readonly string[],
): Promise<readonly Membership[]> {
  return await readRows(
    db,
    sql`select member_id as value, group_id as ${raw('"group"')}
      from ${rowsOf(tenantId, 'group_members')} and member_id in (${bindList(ids)})`,
  )
}
