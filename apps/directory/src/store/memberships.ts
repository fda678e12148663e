import { type Predicate, rawSql, sql } from '@remix-run/data-table'
import { equals, type Wire } from './list.ts'
import type { Scope } from './scope.ts'
import { members } from './tables.ts'

/** The groups that each of the users is in, directly or through other groups, as `groups` shows them. */
export async function membershipsOf(
  scope: Scope,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Wire[]>> {
  const found = new Map<string, readonly Wire[]>()
  if (userIds.length === 0) return found
  const { parents, names } = await groupsAbove(scope, userIds)
  for (const id of userIds) {
    const direct = parents.get(id) ?? []
    if (direct.length === 0) continue
    const wires = [...ancestorsOf(direct, parents)].sort().map((value) => ({
      value,
      $ref: `${scope.base}/Groups/${value}`,
      display: names.get(value) ?? '',
      type: direct.includes(value) ? 'direct' : 'indirect',
    }))
    found.set(id, wires)
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

/** The ids of the groups that hold each member, and their names. */
interface Above {
  readonly parents: ReadonlyMap<string, readonly string[]>
  readonly names: ReadonlyMap<string, string>
}

/** The groups that hold each member, going up until there are none above. */
async function groupsAbove({ db, tenantId }: Scope, memberIds: readonly string[]): Promise<Above> {
  const parents = new Map<string, string[]>()
  const names = new Map<string, string>()
  let level: readonly string[] = memberIds
  while (level.length > 0) {
    for (const id of level) parents.set(id, [])
    const above = new Set<string>()
    for (const ids of chunksOf(level)) {
      const text = ids.length === 1 ? HOLDING_ONE : holding(ids.length)
      const { rows = [] } = await db.exec(rawSql(text, [tenantId, ...ids]))
      for (const row of rows as unknown as readonly HoldingRow[]) {
        parents.get(row.member_id)?.push(row.group_id)
        names.set(row.group_id, row.display_name)
        if (row.is_held) above.add(row.group_id)
      }
    }
    // A group that was met before is not gone through again: groups may hold each other.
    level = [...above].filter((id) => !parents.has(id))
  }
  return { parents, names }
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
    where tenant_id = ? and member_id in (${Array(count).fill('?').join(', ')})`
}

const HOLDING_ONE = holding(1)

interface HoldingRow {
  readonly member_id: string
  readonly group_id: string
  readonly display_name: string
  /** Of SQLite 0 or 1. */
  readonly is_held: boolean | number
}

function ancestorsOf(
  direct: readonly string[],
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
