import { sql } from '@plumbline/scim/internal'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/kernel/store/database.ts'
import type { ReadOptions, Store } from '../../src/kernel/store/store.ts'
import { groupIds, storeGroups, storeMembers } from '../support/group-rows.ts'
import { type Answer, type Client, connect } from '../support/harness.ts'
import { inScope } from '../support/in-scope.ts'
import { watchStatements } from '../support/watch-statements.ts'

/** The requests of identity providers read one statement, which needs no transaction. */
export function oneStatementContract(storeOf: () => Store): void {
  let client: Client
  let statements: string[] = []
  let options: (ReadOptions | undefined)[] = []
  beforeAll(async () => {
    const inner = storeOf()
    const store = watchStatements(inner, ({ text }) => statements.push(text))
    const { read } = store
    client = await connect({
      ...store,
      read: (work, given) => {
        options.push(given)
        return read(work, given)
      },
    })
    // The token and the schemas of the tenant are looked up once.
    await client.send('GET', '/Users?count=0')
  })

  /** Sends a request, and returns its answer with the number of statements. */
  const get = async (path: string): Promise<Answer & { readonly count: number }> => {
    statements = []
    options = []
    const answer = await client.send('GET', path)
    return { ...answer, count: statements.length }
  }

  /** Creates a user in a number of groups; each of them is in the outer group, if there is one. */
  const userIn = async (userName: string, count: number, outer?: string): Promise<string> => {
    const { body } = await client.send('POST', '/Users', { userName })
    const id = String(body.id)
    await inScope(storeOf(), client.tenantId, async (scope) => {
      const inner = groupIds(count).map((group) => `${userName}-${group}`)
      await storeGroups(scope, inner, `the groups "of" ${userName}\\`)
      await storeMembers(
        scope,
        inner.map((group) => ({ group, member: id })),
      )
      if (outer === undefined) return
      await storeGroups(scope, [outer])
      await storeMembers(
        scope,
        inner.map((member) => ({ group: outer, member })),
      )
    })
    return id
  }

  describe('users read with one statement', () => {
    it.each([0, 1, 100])(
      'a user in %i groups is read with one statement, and so is a search for the userName',
      async (count) => {
        const userName = `in-${count}`
        const id = await userIn(userName, count)
        const groups = groupIds(count).map((group) => ({
          value: `${userName}-${group}`,
          type: 'direct',
          display: `the groups "of" ${userName}\\`,
          $ref: expect.stringMatching(`/Groups/${userName}-${group}$`),
        }))
        const read = await get(`/Users/${id}`)
        expect(read).toMatchObject({ status: 200, count: 1 })
        expect(read.body.groups).toEqual(count === 0 ? undefined : groups)
        expect(options).toMatchObject([{ isOneStatement: true }])
        const found = await get(`/Users?filter=userName eq "${userName}"`)
        expect(found).toMatchObject({ count: 1, body: { totalResults: 1 } })
        expect(found.body.Resources?.[0]).toEqual(read.body)
        expect(options).toMatchObject([{ isOneStatement: true }])
      },
    )

    it('a user without visible groups is read with one statement, and so is a search for the userName', async () => {
      const id = await userIn('not-shown', 101)
      for (const path of [`/Users/${id}?`, '/Users?filter=userName eq "not-shown"&']) {
        const { body, count } = await get(`${path}excludedAttributes=groups`)
        expect(count).toBe(1)
        expect(JSON.stringify(body)).not.toContain('the groups')
      }
    })
  })

  it('a user in 101 groups has all of them', async () => {
    const id = await userIn('in-101', 101)
    const { body } = await get(`/Users/${id}`)
    expect(body.groups).toHaveLength(101)
    const found = await get('/Users?filter=userName eq "in-101"')
    expect(found.body.Resources?.[0]).toEqual(body)
  })

  it('a user in groups inside another group also has that group', async () => {
    const id = await userIn('nested', 2, 'outer')
    const { body } = await get(`/Users/${id}`)
    expect(body.groups).toMatchObject([
      { value: 'nested-g00000', type: 'direct' },
      { value: 'nested-g00001', type: 'direct' },
      { value: 'outer', type: 'indirect' },
    ])
    const found = await get('/Users?filter=userName eq "nested"')
    expect(found.body.Resources?.[0]).toEqual(body)
  })

  it("another tenant's user in a group with the same id does not change the groups", async () => {
    const other = await connect(storeOf())
    const { body } = await client.send('POST', '/Users', { userName: 'alone' })
    await inScope(storeOf(), other.tenantId, async (scope) => {
      await storeGroups(scope, ['of-other'])
      await storeMembers(scope, [{ group: 'of-other', member: String(body.id) }])
    })
    expect((await get(`/Users/${body.id}`)).body.groups).toBeUndefined()
  })

  it('a group without its members is read with one statement', async () => {
    const { body } = await client.send('POST', '/Groups', { displayName: 'one statement' })
    const path = `/Groups/${body.id}?excludedAttributes=members`
    expect(await get(path)).toMatchObject({ status: 200, count: 1 })
    const filter = 'displayName eq "one statement"'
    const found = await get(`/Groups?filter=${filter}&excludedAttributes=members`)
    expect(found).toMatchObject({ count: 1, body: { totalResults: 1 } })
    expect(options).toMatchObject([{ isOneStatement: true }])
  })

  it('a search for an e-mail address reads in a transaction', async () => {
    const filter = 'emails.value eq "anna@example.com"'
    expect((await get(`/Users?filter=${filter}`)).body).toMatchObject({ totalResults: 0 })
    expect(options).toMatchObject([{ isOneStatement: false }])
  })

  it('work that needs more statements than expected runs them all', async () => {
    const sum = async (db: Database) => {
      const one = await db.exec(sql`select 1 as n`)
      const two = await db.exec(sql`select 2 as n`)
      return [one, two].map(({ rows = [] }) => Object(rows[0]).n)
    }
    expect(await storeOf().read(sum, { isOneStatement: true })).toEqual([1, 2])
  })
}
