import { createWorkBudget } from '@plumbline/scim'
import { beforeAll, describe, expect, it } from 'vitest'
import { membershipsOfOne } from '../../src/features/scim/groups/memberships.ts'
import { rulesOf } from '../../src/kernel/profiles.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Answer, type Client, connect } from '../support/harness.ts'
import { fillUsers, nestGroups } from './filled.ts'

/** The limit of a page, and an allowance for the parts that are not counted. */
const PAGE = 17 * 2 ** 20
const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Resources that are large, each by itself or together, on every store. */
export function largeContract(store: () => Store): void {
  describe('pages with large users (RFC 7644 §3.4.2.4)', () => {
    // Together they are a little larger than a page.
    const COUNT = 20
    let client: Client
    beforeAll(async () => {
      client = await connect(store())
      await fillUsers(store(), client.tenantId, { count: COUNT, size: 900_000 })
    })

    it.each([
      ['in the order of the database', {}],
      ['under a filter that is run in memory', { filter: 'locale eq "en"' }],
      ['in an order that is sorted in memory', { sortBy: 'nickName' }],
    ])(
      'pages with large users contain at most 16 MiB, and reach every user by index and by cursor %s',
      async (_, query) => {
        for (const read of [pagesByIndex, pagesByCursor]) {
          const pages = await read(client, query)
          expect(pages.length).toBeGreaterThan(1)
          for (const { body, text } of pages) {
            expect(body.itemsPerPage).toBe(body.Resources?.length)
            expect(text.length).toBeLessThan(PAGE)
          }
          const ids = pages.flatMap(({ body }) => body.Resources?.map(({ id }) => String(id)) ?? [])
          expect(ids).toHaveLength(COUNT)
          expect(new Set(ids).size).toBe(COUNT)
        }
      },
    )

    it('pages with large users contain at most 16 MiB and reach every user by cursor if a filter runs in memory without groups', async () => {
      const query = { filter: 'locale eq "en"', excludedAttributes: 'groups' }
      const pages = await pagesByCursor(client, query)
      expect(pages.length).toBeGreaterThan(1)
      for (const { text } of pages) expect(text.length).toBeLessThan(PAGE)
      const ids = pages.flatMap(({ body }) => body.Resources?.map(({ id }) => String(id)) ?? [])
      expect(ids).toHaveLength(COUNT)
      expect(new Set(ids).size).toBe(COUNT)
    })

    it('pages with large users contain the same users backward by cursor', async () => {
      const pages = await pagesByCursor(client, {})
      const cursor = String(pages.at(-1)?.body.previousCursor)
      const { body } = await client.send('GET', `/Users?count=1000&cursor=${cursor}`)
      const end = pages.at(-2)?.body.Resources?.map(({ id }) => id)
      expect(body.Resources?.map(({ id }) => id)).toEqual(end)
    })

    it('large users are all returned before the groups in a search over all types', async () => {
      await client.send('POST', '/Groups', { displayName: 'last' })
      const found: unknown[] = []
      for (let startIndex = 1; startIndex <= COUNT + 1; startIndex = found.length + 1) {
        const query = { schemas: [SEARCH], count: 1_000, startIndex }
        const { body } = await client.send('POST', '/.search', query)
        found.push(...(body.Resources?.map(({ id }) => id) ?? []))
      }
      expect(new Set(found).size).toBe(COUNT + 1)
    })
  })

  it('a search over more than 64 MiB of users in memory fails with tooMany (RFC 7644 §3.12)', async () => {
    const { tenantId, send } = await connect(store())
    await fillUsers(store(), tenantId, { count: 36, size: 1_900_000 })
    for (const query of ['filter=locale eq "en"', 'sortBy=nickName', 'sortBy=nickName&cursor']) {
      const answer = await send('GET', `/Users?count=1&${query}`)
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    }
  })

  it('a PATCH making a user larger than 2 MiB is answered with 413', async () => {
    const { send } = await connect(store())
    const { body } = await send('POST', '/Users', { userName: 'grows' })
    const grow = (path: string) => {
      const Operations = [{ op: 'add', path, value: 'x'.repeat(900_000) }]
      return send('PATCH', `/Users/${body.id}`, { schemas: [PATCH_OP], Operations })
    }
    expect((await grow('name.honorificPrefix')).status).toBe(200)
    expect((await grow('name.honorificSuffix')).status).toBe(200)
    expect(await grow('name.middleName')).toMatchObject({
      status: 413,
      body: { detail: 'the user would be larger than 2 MiB' },
    })
  })

  it('a PATCH may make a user exactly 2 MiB large', async () => {
    const { send } = await connect(store())
    const { body } = await send('POST', '/Users', { userName: 'grows' })
    const grow = (path: string, length: number) => {
      const Operations = [{ op: 'add', path, value: 'x'.repeat(length) }]
      return send('PATCH', `/Users/${body.id}`, { schemas: [PATCH_OP], Operations })
    }
    await grow('name.honorificPrefix', 900_000)
    await grow('name.honorificSuffix', 900_000)
    // The server does not store `meta`.
    const { meta: _, ...stored } = (await grow('name.middleName', 1)).body
    const left = 2 * 2 ** 20 - JSON.stringify(stored).length
    expect((await grow('name.middleName', left + 2)).status).toBe(413)
    expect((await grow('name.middleName', left + 1)).status).toBe(200)
  })

  describe('users in 2,800 nested groups with long names', () => {
    const GROUPS = 2_800
    const USERS = 1_000
    let client: Client
    let userId = ''
    beforeAll(async () => {
      client = await connect(store())
      const ids = await fillUsers(store(), client.tenantId, { count: USERS, size: 100 })
      userId = ids[0] ?? ''
      await nestGroups(store(), client.tenantId, { count: GROUPS, memberIds: ids })
    })

    it('users in 2,800 groups are listed in consecutive pages up to 16 MiB (RFC 7644 §3.4.2.4)', async () => {
      const shown: unknown[] = []
      for (const _ of ['first', 'second']) {
        const { body, text } = await read(
          client,
          `/Users?count=1000&startIndex=${shown.length + 1}`,
        )
        expect(body).toMatchObject({ totalResults: USERS, itemsPerPage: body.Resources?.length })
        expect(text.length).toBeLessThan(PAGE)
        expect(body.Resources?.[0]?.groups).toHaveLength(GROUPS)
        shown.push(...(body.Resources?.map(({ id }) => id) ?? []))
      }
      expect(shown.length).toBeGreaterThan(2)
      expect(new Set(shown).size).toBe(shown.length)
    })

    it.each(['excludedAttributes=groups', 'attributes=userName'])(
      'users in 2,800 groups are listed in one page with %s',
      async (projection) => {
        const { body } = await client.send('GET', `/Users?count=1000&${projection}`)
        expect(body.Resources).toHaveLength(USERS)
      },
    )

    it('users in 2,800 groups cost a budget step for each 256 characters in the groups', async () => {
      const { tenantId } = client
      const budget = createWorkBudget()
      const base = 'http://localhost'
      const steps = await store().scan(async (db) => {
        const { dialect } = store()
        const scope = { db, dialect, tenantId, base, now: 0, budget, rules: rulesOf('standard') }
        await membershipsOfOne(scope, { id: userId })
        const before = budget.remaining
        // The groups are cached now: the second call costs only the steps of writing them.
        await membershipsOfOne(scope, { id: userId })
        return before - budget.remaining
      })
      expect(steps).toBeGreaterThan((GROUPS * 1_980) / 256)
    })

    it('users in 2,800 groups fail with tooMany if they are searched by their groups', async () => {
      const answer = await client.send('GET', '/Users?filter=groups.display co "x"')
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    })
  })

  it('a user whose groups would be larger than a page fails with tooMany', async () => {
    const { tenantId, send } = await connect(store())
    const [id = ''] = await fillUsers(store(), tenantId, { count: 1, size: 100 })
    await nestGroups(store(), tenantId, { count: 9_000, memberIds: [id] })
    for (const path of [`/Users/${id}`, '/Users']) {
      expect(await send('GET', path)).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
      expect((await send('GET', `${path}?excludedAttributes=groups`)).status).toBe(200)
    }
  })
}

interface Page extends Answer {
  readonly text: string
}

async function read({ send }: Client, path: string): Promise<Page> {
  const answer = await send('GET', path)
  expect(answer.status).toBe(200)
  return { ...answer, text: JSON.stringify(answer.body) }
}

async function pagesByIndex(client: Client, query: object): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let startIndex = 1; ; ) {
    const parameters = new URLSearchParams({ ...query, count: '1000', startIndex: `${startIndex}` })
    const page = await read(client, `/Users?${parameters}`)
    pages.push(page)
    const found = page.body.Resources?.length ?? 0
    startIndex += found
    if (found === 0 || startIndex > Number(page.body.totalResults)) return pages
  }
}

async function pagesByCursor(client: Client, query: object): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let cursor = ''; ; ) {
    const parameters = new URLSearchParams({ ...query, count: '1000', cursor })
    const page = await read(client, `/Users?${parameters}`)
    pages.push(page)
    if (page.body.nextCursor === undefined) return pages
    cursor = String(page.body.nextCursor)
  }
}
