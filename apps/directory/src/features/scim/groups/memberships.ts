import { ScimError } from '@plumbline/scim'
import type { Membership } from '@plumbline/scim/endpoint'
import { bindList, raw, sql } from '@plumbline/scim/internal'
import { readRows } from '../../../kernel/store/database.ts'
import { MAX_PAGE_BYTES, MAX_USER_GROUPS_BYTES } from '../../../kernel/store/sizes.ts'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'
import type { WireResource } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'
import {
  forgetGraph,
  graphFor,
  lookUpGroups,
  type Member,
  type MembershipGraph,
  type ShownGroup,
} from './membership-graph.ts'

/** A user whose groups are looked up. */
export interface Holder extends Member {
  /** The length of the user's JSON without its groups, in code units. */
  readonly size: number
}

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
    if (!(await lookUpGroups(scope, graph, some))) {
      // The graph has some of the groups, but not their parents.
      forgetGraph(scope)
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

/** Reads one user's `groups`. */
export async function membershipsOfOne(
  scope: TenantScope,
  holder: Omit<Holder, 'size'>,
): Promise<readonly WireResource[]> {
  const [memberships = []] = await membershipsOf(scope, [{ ...holder, size: 0 }])
  return memberships
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

function tooManyGroups(): ScimError {
  return new ScimError(
    400,
    'the user is in too many groups to show; exclude the attribute groups',
    {
      scimType: 'tooMany',
    },
  )
}

function showGroups(
  { base }: TenantScope,
  userId: string,
  graph: MembershipGraph,
): readonly ShownGroup[] {
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

function ancestorsOf(
  direct: ReadonlySet<string>,
  parents: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const all = new Set(direct)
  for (const id of all) for (const parent of parents.get(id) ?? []) all.add(parent)
  return all
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

/** The cost of a user's groups. Their JSON is part of the entity tag, and so is read for each user. */
function stepsToShow(groups: readonly ShownGroup[]): number {
  return groups.reduce((sum, { size }) => sum + 1 + Math.floor(size / SIZE_OF_STEP), 0)
}

/** The characters JSON escapes (RFC 8259 §7); lone surrogates are escaped, too. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u
/** In code units: JSON up to this size takes a few milliseconds. */
const LARGE = 64 * 1024
/** How many users' groups are looked up together. */
const MAX_TOGETHER = 200
/** How many code units of a group's JSON cost one more step. */
const SIZE_OF_STEP = 256
