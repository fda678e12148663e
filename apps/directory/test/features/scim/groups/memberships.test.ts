import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Holder, membershipsOf } from '../../../../src/features/scim/groups/memberships.ts'
import type { TenantScope } from '../../../../src/features/scim/scope.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { MAX_PAGE_BYTES } from '../../../../src/kernel/store/sizes.ts'
import type { Store } from '../../../../src/kernel/store/store.ts'
import { groupIds, storeGroups, storeMembers } from '../../../support/group-rows.ts'
import { inScope, newTenant } from '../../../support/in-scope.ts'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

const TOO_MANY = {
  status: 400,
  scimType: 'tooMany',
  message: 'the user is in too many groups to show; exclude the attribute groups',
}

/** Runs work in a new tenant in which each of the members is in each of the groups. */
async function withGroups<Value>(
  ids: readonly string[],
  memberIds: readonly string[],
  work: (scope: TenantScope) => Promise<Value>,
): Promise<Value> {
  return await inScope(store, await newTenant(store), async (scope) => {
    await storeGroups(scope, ids, 'x'.repeat(600))
    for (const member of memberIds) {
      await storeMembers(
        scope,
        ids.map((group) => ({ group, member })),
      )
    }
    return await work(scope)
  })
}

const holder = (id: string, size = 0): Holder => ({ id, size })
const countsOf = async (scope: TenantScope, holders: readonly Holder[]) =>
  (await membershipsOf(scope, holders)).map(({ length }) => length)

describe('16 MiB pages with users and their groups', () => {
  // Anna has one group, and Bert none.
  const inOneGroup = <Value>(work: (scope: TenantScope, group: number) => Promise<Value>) =>
    withGroups(groupIds(1), ['anna'], async (scope) => {
      const [[group] = []] = await membershipsOf(scope, [holder('anna')])
      return await work(scope, JSON.stringify(group).length + 1)
    })

  it('a page ends when users and their groups fill it exactly', async () => {
    await inOneGroup(async (scope, group) => {
      const users = (size: number) => [
        holder('anna', MAX_PAGE_BYTES - group - 5),
        holder('bert', size),
      ]
      expect(await countsOf(scope, users(5))).toEqual([1, 0])
      expect(await countsOf(scope, users(6))).toEqual([1])
    })
  })

  it('a page ends before a user whose groups do not fit', async () => {
    await inOneGroup(async (scope, group) => {
      const users = [holder('bert', 1), holder('anna', MAX_PAGE_BYTES - group)]
      expect(await countsOf(scope, users)).toEqual([0])
      expect(await countsOf(scope, users.slice(1))).toEqual([1])
    })
  })

  it('a page fails with tooMany if the first user alone exceeds it (RFC 7644 §3.12)', async () => {
    await inOneGroup(async (scope, group) => {
      const anna = [holder('anna', MAX_PAGE_BYTES - group + 1)]
      await expect(membershipsOf(scope, anna)).rejects.toMatchObject(TOO_MANY)
      expect(await countsOf(scope, [holder('bert', MAX_PAGE_BYTES + 1)])).toEqual([0])
    })
  })
})

describe('at most 20,000 memberships are read together', () => {
  it('more memberships for one user fail with tooMany (RFC 7644 §3.12)', async () => {
    await withGroups(groupIds(20_001), ['anna'], async (scope) => {
      await expect(membershipsOf(scope, [holder('anna')])).rejects.toMatchObject(TOO_MANY)
      expect(await countsOf(scope, [holder('bert'), holder('anna')])).toEqual([0])
    })
  })

  it('exactly as many memberships are complete', async () => {
    await inScope(store, await newTenant(store), async (scope) => {
      await storeGroups(scope, groupIds(20_000))
      await storeMembers(
        scope,
        groupIds(20_000).map((group) => ({ group, member: 'anna' })),
      )
      expect(await countsOf(scope, [holder('anna')])).toEqual([20_000])
    })
  })

  it('users who have more only together are looked up one after the other', async () => {
    await inScope(store, await newTenant(store), async (scope) => {
      const ids = groupIds(12_000)
      await storeGroups(scope, ids)
      for (const member of ['anna', 'bert']) {
        await storeMembers(
          scope,
          ids.map((group) => ({ group, member })),
        )
      }
      const users = [holder('anna'), holder('bert')]
      expect(await countsOf(scope, users)).toEqual([12_000, 12_000])
    })
  })

  it("memberships are complete even if only two users' indirect groups are too many", async () => {
    await inScope(store, await newTenant(store), async (scope) => {
      const outer = groupIds(12_000)
      await storeGroups(scope, [...outer, 'of-anna', 'of-bert'])
      for (const name of ['anna', 'bert']) {
        const inner = `of-${name}`
        await storeMembers(scope, [
          { group: inner, member: name },
          ...outer.map((group) => ({ group, member: inner })),
        ])
      }
      const users = [holder('anna'), holder('bert')]
      expect(await countsOf(scope, users)).toEqual([12_001, 12_001])
    })
  })
})

describe('memberships in a transaction', () => {
  /** The steps that the groups of users cost. */
  const stepsOf = async (scope: TenantScope, holders: readonly Holder[]): Promise<number> => {
    const before = scope.budget.remaining
    await membershipsOf(scope, holders)
    return before - scope.budget.remaining
  }

  it('memberships cost 100 steps for each statement, one for each row, and one for each 256 characters', async () => {
    await withGroups(groupIds(1), ['anna'], async (scope) => {
      const ofGroup = 1 + Math.floor(686 / 256)
      expect(await stepsOf(scope, [holder('anna')])).toBe(101 + ofGroup)
      // They are cached now.
      expect(await stepsOf(scope, [holder('anna')])).toBe(ofGroup)
      expect(await stepsOf(scope, [holder('bert')])).toBe(100)
    })
  })

  it('memberships share the groups several users have', async () => {
    await withGroups(groupIds(1), ['anna', 'bert'], async (scope) => {
      const [[ofAnna] = [], [ofBert] = []] = await membershipsOf(scope, [
        holder('anna'),
        holder('bert'),
      ])
      expect(ofAnna).toMatchObject({ value: 'g00000', type: 'direct' })
      expect(ofBert).toBe(ofAnna)
    })
  })

  it('memberships are cached for up to 20,000 members, and are then looked up again', async () => {
    await withGroups([], [], async (scope) => {
      const users = Array.from({ length: 20_000 }, (_, at) => holder(`user-${at}`))
      expect(await stepsOf(scope, users)).toBe(100 * 100)
      expect(await stepsOf(scope, users.slice(0, 1))).toBe(0)
      expect(await stepsOf(scope, [holder('one more')])).toBe(100)
      expect(await stepsOf(scope, users.slice(0, 1))).toBe(100)
      expect(await stepsOf(scope, users.slice(0, 1))).toBe(0)
    })
  })
})
