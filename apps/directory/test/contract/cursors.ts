import { beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Body, type Client, connect } from '../support/harness.ts'

/** The parameters of a list. */
export type Query = Readonly<Record<string, string>>

/** Users who share titles and names, so that pages end between users with equal keys. */
const people = Array.from({ length: 23 }, (_, at) => ({
  userName: `user-${(at * 7) % 23}@example.com`,
  displayName: `Person ${at % 3}`,
  ...(at % 4 === 0 ? {} : { title: `Title ${at % 5}` }),
  emails: [
    { value: `other-${at}@example.com`, type: 'home' },
    { value: `mail-${(at * 5) % 23}@example.com`, type: 'work', primary: true },
  ],
}))

/** The behaviour of pages by cursor on every store (RFC 9865), beyond what the doctor checks there. */
export function cursorContract(store: () => Store): void {
  let client: Client
  let now = Date.parse('2026-11-21T00:00:00Z')
  beforeAll(async () => {
    client = await connect(store(), { now: () => now })
    for (const [at, person] of people.entries()) {
      // Some are created in the same millisecond.
      now += at % 2
      await client.send('POST', '/Users', person)
    }
    const { body } = await client.send('GET', '/Users?count=2')
    const members = body.Resources?.map(({ id }) => ({ value: id }))
    for (const name of ['b', 'A', 'c', 'a', 'B', 'c', 'a']) {
      await client.send('POST', '/Groups', { displayName: name, members })
    }
  })

  describe('cursors walk forward and backward through the same pages as by index', () => {
    const orders: readonly Query[] = [
      {},
      { sortBy: 'id', sortOrder: 'descending' },
      { sortBy: 'userName' },
      { sortBy: 'userName', sortOrder: 'descending' },
      { sortBy: 'meta.created', sortOrder: 'descending' },
      { sortBy: 'meta.lastModified' },
      { sortBy: 'title' },
      { sortBy: 'title', sortOrder: 'descending' },
      { sortBy: 'emails' },
      { sortBy: 'emails.value', sortOrder: 'descending' },
      { filter: 'userName co "1"' },
      { filter: 'displayName eq "person 1"', sortBy: 'meta.created' },
      { filter: 'emails[type eq "work" and value co "1"]' },
      { filter: 'emails[type eq "work" and value co "1"]', sortBy: 'meta.created' },
      { filter: 'emails co "2" and userName sw "user"', sortBy: 'title', sortOrder: 'descending' },
      { filter: 'userName eq "unknown"' },
    ]
    it.each(orders)('users listed with %o have the same pages both ways', async (query) => {
      for (const count of [1, 4, 23, 100]) await walk(client, '/Users', query, count)
    })

    it.each<Query>([
      { sortBy: 'displayName' },
      { sortBy: 'displayName', sortOrder: 'descending' },
      { filter: 'displayName eq "c"', sortBy: 'meta.lastModified', sortOrder: 'descending' },
      { excludedAttributes: 'members' },
    ])('groups listed with %o have the same pages both ways', async (query) => {
      for (const count of [1, 3, 7]) await walk(client, '/Groups', query, count)
    })

    it('groups filtered on a member have the same pages both ways', async () => {
      const { body } = await client.send('GET', '/Users?count=1')
      const filter = `members eq "${body.Resources?.[0]?.id}"`
      expect(await walk(client, '/Groups', { filter }, 2)).toHaveLength(7)
    })
  })

  it('a cursor page omits startIndex, and has totalResults only if the list fits one page (RFC 9865 §2)', async () => {
    const first = await page(client, '/Users', { cursor: '', count: '10' })
    expect(first).toMatchObject({ itemsPerPage: 10, nextCursor: expect.any(String) })
    for (const name of ['startIndex', 'totalResults', 'previousCursor']) {
      expect(first).not.toHaveProperty(name)
    }
    const last = await page(client, '/Users', { cursor: String(first.nextCursor), count: '100' })
    expect(last).toMatchObject({ itemsPerPage: 13, previousCursor: expect.any(String) })
    for (const name of ['startIndex', 'totalResults', 'nextCursor']) {
      expect(last).not.toHaveProperty(name)
    }
    const whole = await page(client, '/Users', { cursor: '', filter: 'userName co "user-1@"' })
    expect(whole).toMatchObject({ totalResults: 1, itemsPerPage: 1 })
    expect(whole).not.toHaveProperty('nextCursor')
    const none = await page(client, '/Users', { cursor: '', filter: 'userName eq "unknown"' })
    expect(none).toMatchObject({ totalResults: 0, itemsPerPage: 0, Resources: [] })
  })

  it('a search with POST returns the same pages as a list (RFC 9865 §3)', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    const first = await client.send('POST', '/Users/.search', { schemas, cursor: '', count: 20 })
    expect(first.body).toMatchObject({ itemsPerPage: 20 })
    const cursor = first.body.nextCursor
    const second = await client.send('POST', '/Users/.search', { schemas, cursor, count: 20 })
    expect(second.body).toMatchObject({ itemsPerPage: 3 })
    expect(await page(client, '/Users', { cursor: String(cursor), count: '20' })).toMatchObject({
      Resources: second.body.Resources,
    })
    const all = await client.send('POST', '/.search', { schemas, cursor: '' })
    expect(all).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })

  it.each(['id', 'userName', 'title'])(
    'cursors neither skip nor repeat a user while users sorted by %s are inserted and deleted',
    async (sortBy) => {
      const { send } = await connect(store())
      const ids: string[] = []
      const add = async (name: string): Promise<void> => {
        const user = { userName: name, title: name }
        ids.push(String((await send('POST', '/Users', user)).body.id))
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      for (const name of ['c', 'e', 'g', 'i', 'k']) await add(name)
      const first = await page({ send }, '/Users', { cursor: '', count: '2', sortBy })
      expect(namesOf(first)).toEqual(['c', 'e'])
      await add('a')
      await add('h')
      await send('DELETE', `/Users/${ids[1]}`)
      const rest = { count: '10', sortBy }
      const second = await page({ send }, '/Users', { ...rest, cursor: String(first.nextCursor) })
      expect(namesOf(second)).toEqual(
        sortBy === 'id' ? ['g', 'i', 'k', 'a', 'h'] : ['g', 'h', 'i', 'k'],
      )
      const before = { ...rest, cursor: String(second.previousCursor) }
      const back = await page({ send }, '/Users', before)
      expect(namesOf(back)).toEqual(sortBy === 'id' ? ['c'] : ['a', 'c'])
      expect(back).not.toHaveProperty('previousCursor')
      // The cursor stays valid after every resource before it was deleted.
      for (const at of [0, 5]) await send('DELETE', `/Users/${ids[at]}`)
      const empty = await page({ send }, '/Users', before)
      if (sortBy !== 'id') expect(empty).toMatchObject({ itemsPerPage: 0 })
      const again = await page({ send }, '/Users', { ...rest, cursor: String(empty.nextCursor) })
      expect(namesOf(again)).toEqual(sortBy === 'id' ? ['g', 'i', 'k', 'h'] : ['g', 'h', 'i', 'k'])
    },
  )

  describe('rejected cursors', () => {
    const search = { filter: 'userName sw "user"', sortBy: 'userName', count: '3' }
    let cursor = ''
    beforeAll(async () => {
      cursor = String((await page(client, '/Users', { ...search, cursor: '' })).nextCursor)
    })

    async function outcomeOf(query: Query, { send = client.send, path = '/Users' } = {}) {
      const { status, body } = await send('GET', `${path}?${new URLSearchParams(query)}`)
      return [status, body.scimType]
    }

    it('a damaged cursor is rejected', async () => {
      const middle = cursor.length >> 1
      const damaged = [
        'x',
        'VZUTiyhEQJ94IR',
        '__proto__',
        cursor.slice(0, -1),
        cursor.slice(1),
        `${cursor}A`,
        `${cursor}=`,
        `${cursor} `,
        `${cursor}!`,
        cursor.toUpperCase(),
        ...[0, 1, 40, 50, middle, cursor.length - 2].map((at) => {
          const other = cursor[at] === 'A' ? 'B' : 'A'
          return `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`
        }),
        Buffer.from('[1,true,true,"a",null]').toString('base64url'),
        'A'.repeat(5_000),
      ]
      for (const text of damaged) {
        expect(await outcomeOf({ ...search, cursor: text }), text).toEqual([400, 'invalidCursor'])
      }
    })

    it.each([
      ['another filter', { filter: 'userName sw "User"' }],
      ['no filter', { filter: '' }],
      ['another attribute to sort by', { sortBy: 'id' }],
      ['no attribute to sort by', { sortBy: '' }],
      ['another order', { sortOrder: 'descending' }],
    ])('a cursor created with %s is rejected', async (_, changed) => {
      const query = Object.entries({ ...search, cursor, ...changed }).filter(([, value]) => value)
      expect(await outcomeOf(Object.fromEntries(query))).toEqual([400, 'invalidCursor'])
    })

    it('a cursor from another tenant, or from another resource type, is rejected', async () => {
      const { nextCursor } = await page(client, '/Users', { cursor: '', count: '1' })
      const query = { cursor: String(nextCursor) }
      const other = await connect(store())
      expect(await outcomeOf(query, { send: other.send })).toEqual([400, 'invalidCursor'])
      expect(await outcomeOf(query, { path: '/Groups' })).toEqual([400, 'invalidCursor'])
      expect(await outcomeOf(query)).toEqual([200, undefined])
    })

    it('a cursor older than an hour is rejected', async () => {
      const started = now
      now = started + 3_600_000
      expect(await outcomeOf({ ...search, cursor })).toEqual([200, undefined])
      now += 1
      expect(await outcomeOf({ ...search, cursor })).toEqual([400, 'expiredCursor'])
      now = started
    })

    it('a cursor together with startIndex, and a count below 1, are rejected', async () => {
      expect(await outcomeOf({ cursor: '', startIndex: '1' })).toEqual([400, 'invalidValue'])
      expect(await outcomeOf({ cursor: '', count: '0' })).toEqual([400, 'invalidCount'])
    })

    it('neither a changed page size nor the same attribute in another letter case is rejected', async () => {
      const same = { ...search, sortBy: 'USERNAME', sortOrder: 'Ascending', count: '5', cursor }
      expect(await outcomeOf(same)).toEqual([200, undefined])
    })
  })
}

/** Walks to the end and back; every page must equal the same part of the list by index. */
async function walk(
  client: Client,
  path: string,
  query: Query,
  count: number,
): Promise<readonly string[]> {
  const list = await page(client, path, { ...query, count: '1000' })
  const wanted = idsOf(list)
  const seen: string[] = []
  const pages: (readonly string[])[] = []
  let at: Body | undefined
  for (let cursor: unknown = ''; cursor !== undefined; cursor = at.nextCursor) {
    at = await page(client, path, { ...query, count: String(count), cursor: String(cursor) })
    pages.push(idsOf(at))
    seen.push(...idsOf(at))
    if (pages.length > wanted.length + 1) throw new Error('the walk does not end')
  }
  expect(seen).toEqual(wanted)
  expect(pages).toHaveLength(Math.max(1, Math.ceil(wanted.length / count)))
  for (const expected of pages.slice(0, -1).reverse()) {
    at = await page(client, path, {
      ...query,
      count: String(count),
      cursor: String(at?.previousCursor),
    })
    expect(idsOf(at)).toEqual(expected)
    expect(at).toHaveProperty('nextCursor')
  }
  return wanted
}

/** Requests a page and expects success. */
export async function page(
  client: Pick<Client, 'send'>,
  path: string,
  query: Query,
): Promise<Body> {
  const { status, body } = await client.send('GET', `${path}?${new URLSearchParams(query)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** The ids of the resources of a page. */
export function idsOf({ Resources }: Body): string[] {
  return (Resources ?? []).map(({ id }) => String(id))
}

function namesOf({ Resources }: Body): string[] {
  return (Resources ?? []).map(({ userName }) => String(userName))
}
