import { createWorkBudget } from '@plumbline/scim'
import type { TableRow } from '@remix-run/data-table'
import { PROFILES } from '../profiles.ts'
import { within } from '../store/groups/memberships.ts'
import { insertGroup } from '../store/groups.ts'
import { equals, oneOf } from '../store/list/list.ts'
import type { TenantScope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { groups, members, users } from '../store/tables.ts'
import { insertUsers } from '../store/users.ts'
import { groupOf, personId, personOf } from './people.ts'

/** What a database is filled with. */
export interface Seeding {
  readonly tenantId: string
  readonly users: number
  readonly groups: number
  /** Chooses the people: the same number gives the same ones, with the same ids. */
  readonly seed: number
}

/** Told of each step, of how many there are. */
export type Progress = (done: number, of: number) => void

/**
 * Adds people, and groups of them, to a tenant; who is there already stays as it is, so that filling
 * that was broken off is gone on with. Each step is kept whole or not at all.
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
    await store.write((db) =>
      work({
        db,
        tenantId,
        base: '',
        now: 0,
        budget: createWorkBudget(),
        rules: PROFILES.standard,
      }),
    )
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
  // The planner chooses its indexes by what is there.
  await store.write((db) => db.exec('analyze'))
}

/**
 * How many members the group of a number has: the first a tenth of all users, the second half of that,
 * the third a third of it, and so on, ten at least.
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
  const where = within(scope.tenantId, oneOf('id', ids)) as never
  const found = await scope.db.query(users).where(where).select({ id: users.id }).all()
  const known = new Set(found.map(({ id }) => id))
  const made = numbers.map((number) => personOf(number, seed)).filter(({ id }) => !known.has(id))
  if (made.length > 0) await insertUsers(scope, made)
}

async function addGroup(scope: TenantScope, seeding: Seeding, number: number): Promise<void> {
  const { db, tenantId } = scope
  const { seed, users } = seeding
  const group = groupOf(number, seed)
  const where = within(tenantId, equals('id', group.id)) as never
  if ((await db.findOne(groups, { where })) !== null) return
  await insertGroup(scope, group)
  const size = membersIn(number, users)
  const about = { tenant_id: tenantId, group_id: group.id, member_type: 'User', display: null }
  let rows: TableRow<typeof members>[] = []
  for (let at = 0; at < size; at += 1) {
    rows.push({ ...about, member_id: personId((number * STRIDE + at) % users, seed) })
    if (rows.length < BATCH && at < size - 1) continue
    await db.createMany(members, rows)
    rows = []
  }
}

// A statement of SQLite takes 32,766 values, and a user has 17.
const BATCH = 1_000
/** The first member of the group of a number is the person of so many times it: groups begin all over. */
export const STRIDE = 7_919
