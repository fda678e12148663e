import { ScimError } from '@plumbline/scim'
import { type Predicate, rawSql, sql } from '@remix-run/data-table'
import { equals, type WireResource } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'
import { MOST_IN_PAGE } from '../sizes.ts'
import { members } from '../tables.ts'

/** A user whose groups are shown. */
export interface Holder {
  readonly id: string
  /** How much of a page the user takes without its groups, in code units. */
  readonly size: number
}

/**
 * The groups that each of the first users is in, directly or through other groups, as `groups` shows them:
 * of as many users as are within the size of a page with their groups, and of one at least.
 *
 * Throws `400 tooMany` if the groups of one user are beyond that alone.
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
    const graph = graphOf(scope)
    const ids = some.map(({ id }) => id)
    if (!(await lookUp(scope, graph, ids))) {
      if (some.length === 1 && found.length > 0) return found
      if (some.length === 1) throw tooManyGroups()
      count = Math.ceil(some.length / 2)
      continue
    }
    for (const { id, size } of some) {
      const groups = groupsOf(scope, id, graph)
      scope.budget.spend(stepsToShow(groups))
      left -= groups.reduce((sum, group) => sum + group.size, size)
      if (left < 0 && found.length > 0) return found
      if (left < 0 && groups.length > 0) throw tooManyGroups()
      found.push(groups.map(({ wire }) => wire))
    }
  }
  return found
}

/** What the groups of a user cost: their JSON is part of the entity tag, and so is read for each user. */
function stepsToShow(groups: readonly ShownGroup[]): number {
  return groups.reduce((sum, { size }) => sum + 1 + Math.floor(size / SIZE_OF_STEP), 0)
}

/** The groups that one user is in. */
export async function membershipsOfOne(
  scope: TenantScope,
  id: string,
): Promise<readonly WireResource[]> {
  const [memberships = []] = await membershipsOf(scope, [{ id, size: 0 }])
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

/** A group as a user shows it. */
interface ShownGroup {
  readonly wire: WireResource
  /** How long its JSON is. */
  readonly size: number
}

function groupsOf({ base }: TenantScope, userId: string, graph: Graph): readonly ShownGroup[] {
  const direct = new Set(graph.parents.get(userId))
  if (direct.size === 0) return []
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

/** Takes a member out of every group, each of which has thereby changed. */
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
    where: within(tenantId, equals('member_id', memberId)) as never,
  })
}

/** The groups that hold users and groups, as far as they were looked up. */
interface Graph {
  /** The ids of the groups that hold a member. */
  readonly parents: Map<string, string[]>
  readonly names: Map<string, string>
  /** What users show of a group, made once for all of them. */
  readonly shown: Readonly<Record<'direct' | 'indirect', Map<string, ShownGroup>>>
}

/** What was looked up in one transaction, which sees one state of the database. */
const graphs = new WeakMap<TenantScope, Graph>()

function graphOf(scope: TenantScope): Graph {
  const known = graphs.get(scope)
  if (known !== undefined && known.parents.size <= MOST_MEMBERSHIPS) return known
  const shown = { direct: new Map(), indirect: new Map() }
  const graph: Graph = { parents: new Map(), names: new Map(), shown }
  graphs.set(scope, graph)
  return graph
}

/** Looks up the groups above members, up to those that no group holds. Returns false if there are too many. */
async function lookUp(
  { db, tenantId, budget }: TenantScope,
  { parents, names }: Graph,
  memberIds: readonly string[],
): Promise<boolean> {
  // A group that was met before is not gone through again: groups may hold each other.
  const unknown = (ids: Iterable<string>) => [...ids].filter((id) => !parents.has(id))
  let left = MOST_MEMBERSHIPS
  for (let level = unknown(memberIds); level.length > 0; ) {
    const above = new Set<string>()
    for (const ids of chunksOf(level)) {
      const text = ids.length === 1 ? HOLDING_ONE : holding(ids.length)
      const { rows = [] } = await db.exec(rawSql(text, [tenantId, ...ids]))
      budget.spend(STEPS_OF_STATEMENT + rows.length)
      left -= rows.length
      if (left < 0) return false
      for (const id of ids) parents.set(id, [])
      for (const row of rows as unknown as readonly HoldingRow[]) {
        parents.get(row.member_id)?.push(row.group_id)
        names.set(row.group_id, row.display_name)
        if (row.is_held) above.add(row.group_id)
      }
    }
    level = unknown(above)
  }
  return true
}

/** The statement for the groups that hold some of so many members, and whether they are held themselves. */
function holding(count: number): string {
  return `
    select member_id, group_id, (
      select display_name from groups where tenant_id = held.tenant_id and id = held.group_id
    ) as display_name, exists (
      select 1 from group_members where tenant_id = held.tenant_id and member_id = held.group_id
    ) as is_held
    from group_members held
    where tenant_id = ? and member_id in (${Array(count).fill('?').join(', ')})
    limit ${MOST_MEMBERSHIPS + 1}`
}

interface HoldingRow {
  readonly member_id: string
  readonly group_id: string
  readonly display_name: string
  /** Of SQLite 0 or 1. */
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

/** A condition inside a tenant. */
export function within(tenantId: string, condition: Predicate): Predicate {
  return {
    type: 'logical',
    operator: 'and',
    predicates: [equals('tenant_id', tenantId), condition],
  }
}

/** Pieces of a list that a statement can take as values. */
export function chunksOf<Value>(values: readonly Value[], size = 500): Value[][] {
  const chunks: Value[][] = []
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size))
  return chunks
}

/** Of how many users the groups are looked up together. */
const MOST_TOGETHER = 200
/** How many memberships are read for them, with a name of up to 2,000 bytes each. */
const MOST_MEMBERSHIPS = 20_000
const HOLDING_ONE = holding(1)
/** What a statement costs of the work of a request. */
const STEPS_OF_STATEMENT = 100
/** How many code units of the JSON of a group cost one more step. */
const SIZE_OF_STEP = 256
