import { type Predicate, sql, type TableRow } from '@remix-run/data-table'
import { equals, oneOf, type Wire } from './list.ts'
import type { Scope } from './scope.ts'
import { groups, members } from './tables.ts'

/** The groups that each of the users is in, directly or through other groups, as `groups` shows them. */
export async function membershipsOf(
  scope: Scope,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Wire[]>> {
  const found = new Map<string, readonly Wire[]>()
  if (userIds.length === 0) return found
  const parents = await parentsOf(scope, userIds)
  const names = await displayNames(scope, [...new Set([...parents.values()].flat())])
  for (const id of userIds) {
    const direct = parents.get(id) ?? []
    const all = ancestorsOf(direct, parents)
    const wires = [...all].sort().map((value) => ({
      value,
      $ref: `${scope.base}/Groups/${value}`,
      display: names.get(value) ?? '',
      type: direct.includes(value) ? 'direct' : 'indirect',
    }))
    if (wires.length > 0) found.set(id, wires)
  }
  return found
}

/** Takes a member out of every group, each of which has thereby changed. */
export async function leaveAllGroups(
  { db, tenantId, now }: Scope,
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

/** The groups that hold each member, going up until there are none above. */
async function parentsOf(
  { db, tenantId }: Scope,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parents = new Map<string, string[]>()
  let level: readonly string[] = memberIds
  while (level.length > 0) {
    const rows: TableRow<typeof members>[] = []
    for (const ids of chunksOf(level)) {
      const where = within(tenantId, oneOf('member_id', ids)) as never
      rows.push(...((await db.findMany(members, { where })) as TableRow<typeof members>[]))
    }
    for (const id of level) parents.set(id, [])
    for (const row of rows) parents.get(row.member_id)?.push(row.group_id)
    // A group that was met before is not gone through again: groups may hold each other.
    level = [...new Set(rows.map((row) => row.group_id))].filter((id) => !parents.has(id))
  }
  return parents
}

function ancestorsOf(
  direct: readonly string[],
  parents: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const all = new Set(direct)
  for (const id of all) for (const parent of parents.get(id) ?? []) all.add(parent)
  return all
}

async function displayNames(
  { db, tenantId }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const some of chunksOf(ids)) {
    const rows = await db.findMany(groups, { where: within(tenantId, oneOf('id', some)) as never })
    for (const row of rows as TableRow<typeof groups>[]) names.set(row.id, row.display_name)
  }
  return names
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
