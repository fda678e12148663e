import { ScimError } from '@plumbline/scim'
import { rawSql, sql } from '@remix-run/data-table'
import { attach } from '../../memoize.ts'
import { chunksOf } from '../chunks.ts'
import type { WireResource } from '../list/list.ts'
import { equals, inTenant } from '../predicates.ts'
import type { TenantScope } from '../scope.ts'
import { MOST_IN_PAGE } from '../sizes.ts'
import type { SqlDialect } from '../store.ts'
import { members, readRows } from '../tables.ts'

/** A user whose groups are looked up. */
export interface Holder {
  readonly id: string
  /** The JSON of the user without its groups, in code units. */
  readonly size: number
  /** The value of `firstMemberships`, if it was read with the user. */
  readonly first?: string | null | undefined
}

/**
 * The SQL of the first groups of a row of `users`, as JSON. With these, most users take one statement. The others
 * are in more groups, or in groups that are members themselves.
 */
export function firstMemberships({ jsonRows }: SqlDialect): string {
  return `(select ${jsonRows('group_id, display_name, is_held')} from (
    select ${HOLDING} where tenant_id = users.tenant_id and member_id = users.id limit ${MOST_FIRST + 1}
  ) first_groups)`
}

/** Adds the first groups of a user to a graph, if these are all groups that it is in, direct and indirect. */
function addFirst({ parents, names }: Graph, { id, first }: Holder): void {
  if (first === undefined || parents.has(id)) return
  const rows: readonly FirstRow[] = first === null ? [] : JSON.parse(first)
  if (rows.length > MOST_FIRST || rows.some(([, , isHeld]) => isHeld)) return
  parents.set(
    id,
    rows.map(([groupId]) => groupId),
  )
  for (const [groupId, name] of rows) names.set(groupId, name)
}

/** SQLite writes 0 or 1 in place of a boolean. */
type FirstRow = readonly [groupId: string, name: string, isHeld: boolean | number]

/**
 * The `groups` of each user, direct and indirect, for as many of the first users as fit into a page with
 * their groups, and at least one.
 *
 * Throws `400 tooMany` if the groups of the first user exceed a page.
 */
export async function membershipsOf(
  scope: TenantScope,
  holders: readonly Holder[],
): Promise<readonly (readonly WireResource[])[]> {
  const found: (readonly WireResource[])[] = []
  let left = MOST_IN_PAGE
  let count = MOST_TOGETHER
  while (found.length < holders.length) {
    const some = holders.slice(found.length, found.length + count)
    const graph = graphFor(scope)
    const ids = some.map(({ id }) => id)
    for (const holder of some) addFirst(graph, holder)
    if (!(await lookUp(scope, graph, ids))) {
      // It knows some of the groups, but not the groups that contain these.
      graphs.forget(scope)
      if (some.length === 1 && found.length > 0) return found
      if (some.length === 1) throw tooManyGroups()
      count = Math.ceil(some.length / 2)
      continue
    }
    for (const { id, size } of some) {
      const groups = showGroups(scope, id, graph)
      scope.budget.spend(stepsToShow(groups))
      left -= groups.reduce((sum, group) => sum + group.size, size)
      if (left < 0 && found.length > 0) return found
      if (left < 0 && groups.length > 0) throw tooManyGroups()
      found.push(groups.map(({ wire }) => wire))
    }
  }
  return found
}

/** The cost of a user's groups. Their JSON is part of the entity tag, and so is read for each user. */
function stepsToShow(groups: readonly ShownGroup[]): number {
  return groups.reduce((sum, { size }) => sum + 1 + Math.floor(size / SIZE_OF_STEP), 0)
}

/** The `groups` of one user. */
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
  /** The length of its JSON. */
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
    const made = { wire, size: JSON.stringify(wire).length + 1 }
    graph.shown[type].set(value, made)
    return made
  }
  return [...ancestorsOf(direct, graph.parents)].sort().map(show)
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
  await db.deleteMany(members, {
    where: inTenant(tenantId, equals('member_id', memberId)),
  })
}

/** The memberships that were looked up so far. */
interface Graph {
  /** The ids of the groups that contain each member. */
  readonly parents: Map<string, string[]>
  readonly names: Map<string, string>
  /** The groups as users show them, built once for all users. */
  readonly shown: Readonly<Record<'direct' | 'indirect', Map<string, ShownGroup>>>
}

/** The memberships that were looked up in each transaction. */
const graphs = attach(
  (_: TenantScope): Graph => ({
    parents: new Map(),
    names: new Map(),
    shown: { direct: new Map(), indirect: new Map() },
  }),
)

/** The graph of a transaction, which starts again when it has become too large. */
function graphFor(scope: TenantScope): Graph {
  const graph = graphs.get(scope)
  if (graph.parents.size <= MOST_MEMBERSHIPS) return graph
  graphs.forget(scope)
  return graphs.get(scope)
}

/** Looks up all ancestors of members. Returns false if there are too many. */
async function lookUp(
  { db, tenantId, budget }: TenantScope,
  { parents, names }: Graph,
  memberIds: readonly string[],
): Promise<boolean> {
  // A group that was already visited is skipped: groups may contain each other.
  const unknown = (ids: Iterable<string>) => [...ids].filter((id) => !parents.has(id))
  let left = MOST_MEMBERSHIPS
  for (let level = unknown(memberIds); level.length > 0; ) {
    const above = new Set<string>()
    for (const ids of chunksOf(level)) {
      const statement = rawSql(holding(ids.length), [tenantId, ...ids])
      const rows = await readRows<HoldingRow>(db, statement)
      budget.spend(STEPS_OF_STATEMENT + rows.length)
      left -= rows.length
      if (left < 0) return false
      for (const id of ids) parents.set(id, [])
      for (const row of rows) {
        parents.get(row.member_id)?.push(row.group_id)
        names.set(row.group_id, row.display_name)
        if (row.is_held) above.add(row.group_id)
      }
    }
    level = unknown(above)
  }
  return true
}

/** The statement for the groups of this many members, and whether those groups are members themselves. */
function holding(count: number): string {
  return `
    select member_id, ${HOLDING}
    where tenant_id = ? and member_id in (${Array(count).fill('?').join(', ')})
    limit ${MOST_MEMBERSHIPS + 1}`
}

/** The columns of memberships, and where they are read from. */
const HOLDING = `group_id, (
    select display_name from groups where tenant_id = held.tenant_id and id = held.group_id
  ) as display_name, exists (
    select 1 from group_members where tenant_id = held.tenant_id and member_id = held.group_id
  ) as is_held
  from group_members held`

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

/** The maximum number of groups that are read with a user. */
const MOST_FIRST = 100
/** The number of users whose groups are looked up together. */
const MOST_TOGETHER = 200
/** The maximum number of memberships that are read for them, each with a name of up to 2,000 bytes. */
const MOST_MEMBERSHIPS = 20_000
/** The cost of a statement in the work budget of a request. */
const STEPS_OF_STATEMENT = 100
/** How many code units of the JSON of a group cost one more step. */
const SIZE_OF_STEP = 256
