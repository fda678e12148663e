import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GROUP } from '../../../../src/features/scim/group.ts'
import { groupRowById } from '../../../../src/features/scim/groups/group-rows.ts'
import { memberWires, sizeOfMembers } from '../../../../src/features/scim/groups/members.ts'
import {
  viewsWithMembers,
  viewWithMembers,
} from '../../../../src/features/scim/groups/stream-members.ts'
import { JsonPieces } from '../../../../src/features/scim/list/list.ts'
import type { TenantScope } from '../../../../src/features/scim/scope.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { MAX_GROUP_BYTES, MAX_PAGE_BYTES } from '../../../../src/kernel/store/sizes.ts'
import type { Store } from '../../../../src/kernel/store/store.ts'
import { type Membership, storeGroups, storeMembers } from '../../../support/group-rows.ts'
import { type Client, connect } from '../../../support/harness.ts'
import { inScope, newTenant } from '../../../support/in-scope.ts'
import { watchStatements } from '../../../support/watch-statements.ts'

/** The number of times that members were read since it was set to 0. */
let reads = 0
let store: Store
beforeAll(async () => {
  store = watchStatements(await openSqlite(':memory:'), ({ text }) => {
    if (/^select .* from group_members where/.test(text)) reads += 1
  })
})
afterAll(() => store.close())
beforeEach(() => {
  reads = 0
})

/** Lengthens the name of a member until the group has a size. */
async function lengthen(
  { db, tenantId }: TenantScope,
  { group, member }: Pick<Membership, 'group' | 'member'>,
  missing: number,
): Promise<void> {
  const more = 'x'.repeat(missing)
  await db.exec(sql`
    update group_members set display = display || ${more}
    where tenant_id = ${tenantId} and group_id = ${group} and member_id = ${member}`)
}

describe('the size of group members (RFC 7644 §3.12)', () => {
  const sizeOfObjects = async (scope: TenantScope): Promise<number> =>
    sizeOfMembers(await memberWires(scope, 'g'))
  const sizeOfPieces = async (scope: TenantScope): Promise<number> => {
    const { body } = await viewWithMembers(scope, GROUP, await groupRowById(scope, 'g'), {})
    if (!(body instanceof JsonPieces)) throw new TypeError('the group is not in pieces')
    const text = body.pieces.join('')
    return text.lastIndexOf('}]') + 2 - text.indexOf('[{')
  }

  it.each([
    ['as objects', sizeOfObjects, 'the members of the group'],
    ['as pieces of JSON', sizeOfPieces, 'the group with its members'],
  ])(
    'group members %s may have 64 MiB, and fail with tooMany if they have more',
    async (_, sizeOf, what) => {
      await inScope(store, await newTenant(store), async (scope) => {
        const last = { group: 'g', member: 'd' }
        await storeGroups(scope, ['g'])
        for (const member of ['a', 'b', 'c']) {
          await storeMembers(scope, [{ group: 'g', member, display: 'x'.repeat(21 * 2 ** 20) }])
        }
        await storeMembers(scope, [{ ...last, display: '' }])
        await lengthen(scope, last, MAX_GROUP_BYTES - (await sizeOf(scope)))
        expect(await sizeOf(scope)).toBe(MAX_GROUP_BYTES)
        await lengthen(scope, last, 1)
        const message = `${what} would be larger than 64 MiB`
        const tooMany = { status: 400, scimType: 'tooMany', message }
        await expect(sizeOf(scope)).rejects.toMatchObject(tooMany)
      })
    },
  )
})

describe('groups with their members', () => {
  const last = { group: 'b', member: 'm' }
  let client: Client
  beforeAll(async () => {
    client = await connect(store)
  })

  /** Stores two groups whose members are larger than 8 MiB each; those of the second can be lengthened. */
  const storeTwo = async (scope: TenantScope): Promise<void> => {
    await storeGroups(scope, ['a', 'b'])
    const display = 'x'.repeat(8 * 2 ** 20 - 2_000)
    await storeMembers(scope, [{ ...last, group: 'a', display }])
    await storeMembers(scope, [{ ...last, display }])
  }

  it('a page shows groups with members up to 16 MiB, and at least one', async () => {
    await inScope(store, await newTenant(store), async (scope) => {
      await storeTwo(scope)
      const rows = [await groupRowById(scope, 'a'), await groupRowById(scope, 'b')]
      const sizesOf = async () =>
        (await viewsWithMembers(scope, GROUP, rows, {})).map(({ size }) => size)
      const [one = 0, two = 0] = await sizesOf()
      await lengthen(scope, last, MAX_PAGE_BYTES - one - two)
      expect(await sizesOf()).toEqual([one, MAX_PAGE_BYTES - one])
      await lengthen(scope, last, 1)
      expect(await sizesOf()).toEqual([one])
      await lengthen(scope, last, MAX_PAGE_BYTES)
      expect(await viewsWithMembers(scope, GROUP, rows.slice(1), {})).toHaveLength(1)
    })
  })

  it('groups with members are searched in parts up to 16 MiB, and with at least one group', async () => {
    const { tenantId } = client
    const search = async () => {
      reads = 0
      const filter = 'members.$ref co "/Groups/"'
      const query = new URLSearchParams({ filter, excludedAttributes: 'members' })
      const { status, body } = await client.send('GET', `/Groups?${query}`)
      expect({ status, totalResults: body.totalResults }).toEqual({ status: 200, totalResults: 0 })
      return reads
    }
    const missing = await inScope(store, tenantId, async (scope) => {
      await storeTwo(scope)
      const sizes = [await memberWires(scope, 'a'), await memberWires(scope, 'b')]
      return MAX_PAGE_BYTES - sizeOfMembers(sizes.flat())
    })
    await inScope(store, tenantId, (scope) => lengthen(scope, last, missing))
    // The members of each group are read once.
    expect(await search()).toBe(2)
    await inScope(store, tenantId, (scope) => lengthen(scope, last, 1))
    // Those of the second group do not fit, and are read again.
    expect(await search()).toBe(3)
  })

  it('groups are read without members if neither the filter nor the response needs them', async () => {
    reads = 0
    const filter = 'not (displayName co "none")'
    const query = new URLSearchParams({ filter, excludedAttributes: 'members' })
    const { body } = await client.send('GET', `/Groups?${query}`)
    expect(body.totalResults).toBe(2)
    expect(reads).toBe(0)
  })
})
