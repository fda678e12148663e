import { groupResource } from '@plumbline/scim'
import { bindList, sql } from '@plumbline/scim/internal'
import { GROUP_STORE } from '../../features/scim/group.ts'
import type { MemberRow } from '../../features/scim/groups/members.ts'
import type { TenantScope } from '../../features/scim/scope.ts'
import { USER_STORE, userContent } from '../../features/scim/user.ts'
import { analyze } from '../../kernel/store/analyze.ts'
import { insertRows, readRow, readRows } from '../../kernel/store/database.ts'
import type { Store } from '../../kernel/store/store.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import { groupOf, personId, personOf } from './people.ts'
import { seedScope } from './seed-scope.ts'

/** The sample data to create. */
export interface Seeding {
  readonly tenantId: string
  readonly users: number
  readonly groups: number
  /** The random choices' seed: the same seed creates the same users, with the same ids. */
  readonly seed: number
}

/** Called after each step with the number of finished resources, and the total. */
export type Progress = (done: number, of: number) => void

/**
 * Adds users and groups to a tenant. Existing ones are not changed, so an interrupted run can be continued.
 * Each step is a transaction.
 */
export async function fill(
  store: Store,
  seeding: Seeding,
  progress: Progress = () => undefined,
): Promise<void> {
  const { tenantId, users, groups } = seeding
  let done = 0
  const of = users + groups
  const step = async (size: number, work: (scope: TenantScope) => Promise<void>): Promise<void> => {
    await store.write((db) => work(seedScope(db, store, tenantId)))
    done += size
    progress(done, of)
  }
  for (let first = 0; first < users; first += BATCH) {
    const size = Math.min(BATCH, users - first)
    await step(size, (scope) => addPeople(scope, seeding, first, size))
  }
  for (let number = 0; number < groups; number += 1) {
    await step(1, (scope) => addGroup(scope, seeding, number))
  }
  await analyze(store)
}

/**
 * Returns how many members the group with this number has: a tenth of all users in the first group, half as
 * many in the second, a third as many in the third, and so on; at least ten.
 */
export function membersIn(number: number, users: number): number {
  return Math.min(users, Math.max(10, Math.floor(users / 10 / (number + 1))))
}

async function addPeople(
  scope: TenantScope,
  { seed }: Seeding,
  first: number,
  size: number,
): Promise<void> {
  const numbers = Array.from({ length: size }, (_, at) => first + at)
  const ids = numbers.map((number) => personId(number, seed))
  const found = await readRows<{ readonly id: string }>(
    scope.db,
    sql`select id from ${rowsOf(scope.tenantId, 'users')} and id in (${bindList(ids)})`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = numbers.map((number) => personOf(number, seed)).filter(({ id }) => !known.has(id))
  const contents = missing.map((one) => ({ ...one, resource: userContent(one.resource) }))
  if (missing.length > 0) await USER_STORE.insert(scope, contents)
}

async function addGroup(scope: TenantScope, seeding: Seeding, number: number): Promise<void> {
  const { db, tenantId } = scope
  const { seed, users } = seeding
  const group = groupOf(number, seed)
  const known = sql`select id from ${rowsOf(tenantId, 'groups')} and id = ${group.id}`
  if ((await readRow(db, known)) !== null) return
  await GROUP_STORE.insert(scope, { ...group, resource: groupResource(group.resource) })
  const size = membersIn(number, users)
  const about = { tenant_id: tenantId, group_id: group.id, member_type: 'User', display: null }
  let rows: MemberRow[] = []
  for (let at = 0; at < size; at += 1) {
    rows.push({ ...about, member_id: personId((number * STRIDE + at) % users, seed) })
    if (rows.length < BATCH && at < size - 1) continue
    await insertRows(db, 'group_members', rows)
    rows = []
  }
}

// A SQLite statement accepts 32,766 values, and a user has 17.
const BATCH = 1_000
/** Group `n` starts at user `n * STRIDE`, so the groups have different members. */
export const STRIDE = 7_919
