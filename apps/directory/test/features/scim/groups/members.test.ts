import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  memberWires,
  replaceMembers,
  sizeOfMembers,
} from '../../../../src/features/scim/groups/members.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../../src/kernel/store/store.ts'
import { storeGroups, storeMembers } from '../../../support/group-rows.ts'
import { inScope, newTenant } from '../../../support/in-scope.ts'
import { watchStatements } from '../../../support/watch-statements.ts'

/** The statements that ran since it was emptied. */
const called: string[] = []
let store: Store
let tenantId: string
beforeAll(async () => {
  store = watchStatements(await openSqlite(':memory:'), ({ text }) => called.push(text))
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

it("replacing a group's members with none changes only a group that has some", async () => {
  await inScope(store, await newTenant(store), async (scope) => {
    await storeGroups(scope, ['g'])
    await storeMembers(scope, [{ group: 'g', member: 'anna' }])
    expect(await replaceMembers(scope, 'g', [])).toBe(true)
    expect(await memberWires(scope, 'g')).toEqual([])
    expect(await replaceMembers(scope, 'g', [])).toBe(false)
  })
})
