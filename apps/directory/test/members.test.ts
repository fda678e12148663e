import { unwrap } from '@plumbline/result'
import { parseFilter } from '@plumbline/scim/filter'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GROUP } from '../src/resources/group.ts'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import {
  groupsThatHold,
  memberWires,
  replaceMembers,
  sizeOfMembers,
} from '../src/store/groups/members.ts'
import { narrowByMember } from '../src/store/groups/narrow-by-member.ts'
import type { Store } from '../src/store/store.ts'
import { groupIds, storeGroups, storeMembers } from './group-rows.ts'
import { watched } from './harness.ts'
import { inScope, newTenant } from './in-scope.ts'

/** The functions of the database that were called since it was emptied. */
const called: (string | symbol)[] = []
let store: Store
let tenantId: string
beforeAll(async () => {
  store = watched(await openSqlite(':memory:'), (name) => called.push(name))
  tenantId = await newTenant(store)
})
afterAll(() => store.close())
beforeEach(() => {
  called.length = 0
})

it('the size of members is the length of their references and names, and 100 for the rest of each', () => {
  expect(sizeOfMembers([])).toBe(0)
  expect(sizeOfMembers([{ $ref: 'abc' }])).toBe(103)
  expect(sizeOfMembers([{ $ref: 'abc', display: 'de' }, { $ref: '' }])).toBe(205)
})

it('members cost a step each', async () => {
  const steps = await inScope(store, tenantId, async (scope) => {
    await storeGroups(scope, ['g'])
    await storeMembers(
      scope,
      ['a', 'b', 'c'].map((member) => ({ group: 'g', member })),
    )
    const before = scope.budget.remaining
    expect(await memberWires(scope, 'g')).toHaveLength(3)
    return before - scope.budget.remaining
  })
  expect(steps).toBe(3)
})

describe('the groups of a member', () => {
  it('are found if they are at most 10,000; more fail with tooMany (RFC 7644 §3.12)', async () => {
    await inScope(store, tenantId, async (scope) => {
      const [last = '', ...others] = groupIds(10_001)
      await storeGroups(scope, [last, ...others])
      await storeMembers(
        scope,
        others.map((group) => ({ group, member: 'anna' })),
      )
      const found = await groupsThatHold(scope, 'ANNA')
      expect(found.size).toBe(10_000)
      expect(found.get(others[0] ?? '')).toEqual({
        value: 'anna',
        $ref: 'http://localhost/scim/v2/Users/anna',
        type: 'User',
      })
      await storeMembers(scope, [{ group: last, member: 'anna' }])
      await expect(groupsThatHold(scope, 'anna')).rejects.toMatchObject({
        status: 400,
        scimType: 'tooMany',
      })
    })
  })
})

it('replacing the members of a group by none changes only a group that has some', async () => {
  await inScope(store, await newTenant(store), async (scope) => {
    await storeGroups(scope, ['g'])
    await storeMembers(scope, [{ group: 'g', member: 'anna' }])
    expect(await replaceMembers(scope, 'g', [])).toBe(true)
    expect(await memberWires(scope, 'g')).toEqual([])
    expect(await replaceMembers(scope, 'g', [])).toBe(false)
  })
})

it('a filter by a member selects the groups that contain it', async () => {
  await inScope(store, await newTenant(store), async (scope) => {
    await storeGroups(scope, ['g', 'h'])
    await storeMembers(scope, [{ group: 'h', member: 'anna' }])
    const filter = unwrap(parseFilter('members.value eq "anna" and displayName pr'))
    const { where, residual } = await narrowByMember(scope, filter, GROUP.definitions)
    expect(where).toMatchObject({ column: 'id', operator: 'eq', value: 'h' })
    expect(residual).toEqual(unwrap(parseFilter('displayName pr')))
  })
})

it('a member with U+0000 is not looked up, because PostgreSQL rejects it', async () => {
  await inScope(store, tenantId, async (scope) => {
    expect((await groupsThatHold(scope, 'a\0')).size).toBe(0)
  })
  expect(called).toEqual([])
})
