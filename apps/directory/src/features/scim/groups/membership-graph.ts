import { bindList, chunkRows, type Fragment, raw, sql } from '@plumbline/scim/internal'
import { attach } from '../../../kernel/memoize.ts'
import { readRows } from '../../../kernel/store/database.ts'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'
import { BroadSearchError, type WireResource } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'

/** The memberships looked up so far. */
export interface MembershipGraph {
  /** The ids of the groups that contain each member. */
  readonly parents: Map<string, string[]>
  readonly names: Map<string, string>
  /** The groups as users show them, built once for all users. */
  readonly shown: Readonly<Record<'direct' | 'indirect', Map<string, ShownGroup>>>
}

/** A group in a user's `groups`. */
export interface ShownGroup {
  readonly wire: WireResource
  /** The JSON length. */
  readonly size: number
}

/** Returns a transaction's graph, which restarts when it has become too large. */
export function graphFor(scope: TenantScope): MembershipGraph {
  const graph = graphs.get(scope)
  if (graph.parents.size <= MAX_MEMBERSHIPS) return graph
  graphs.forget(scope)
  return graphs.get(scope)
}

/** Forgets a transaction's graph, for example after a look-up that found too many groups. */
export function forgetGraph(scope: TenantScope): void {
  graphs.forget(scope)
}

/** The memberships looked up in each transaction. */
const graphs = attach(
  (_: TenantScope): MembershipGraph => ({
    parents: new Map(),
    names: new Map(),
    shown: { direct: new Map(), indirect: new Map() },
  }),
)

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

/** A member whose groups are looked up. */
export interface Member {
  readonly id: string
  /** The value of `firstMemberships`, if it was read with the user. */
  readonly first?: string | null | undefined
}

/**
 * Looks up all ancestors of members, in two statements per chunk, however deeply groups are nested. Returns
 * false if there are too many.
 */
export async function lookUpGroups(
  scope: TenantScope,
  graph: MembershipGraph,
  members: readonly Member[],
): Promise<boolean> {
  const { db, budget } = scope
  const { parents, names } = graph
  const memberIds = members.map(({ id }) => id)
  for (const member of members) addFirst(graph, member)
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

interface HoldingRow {
  readonly member_id: string
  readonly group_id: string
  readonly display_name: string
  /** SQLite returns 0 or 1. */
  readonly is_held: boolean | number
}

/** Adds a user's first groups to a graph, unless the user has others, direct or indirect. */
function addFirst({ parents, names }: MembershipGraph, { id, first }: Member): void {
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

/** The maximum number of groups read with a user. */
const MAX_GROUPS = 100
/** The maximum number of memberships read for them, each with a name of up to 2,000 bytes. */
const MAX_MEMBERSHIPS = 20_000
/** The maximum number of memberships read in a look-up: the statements block the event loop on SQLite. */
const MAX_LOOKED_UP_MEMBERSHIPS = 250
/** A statement's cost in a request's work budget. */
const STEPS_OF_STATEMENT = 100
