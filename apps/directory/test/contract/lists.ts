import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Body, type Client, connect } from '../support/harness.ts'

const people = [
  {
    userName: 'Anna@example.com',
    externalId: 'A1',
    displayName: 'Anna',
    active: true,
    name: { givenName: 'Anna', familyName: 'Zimmer' },
    emails: [
      { value: 'anna@work.com', type: 'work' },
      { value: 'anna@home.com', type: 'home' },
    ],
    [ENTERPRISE_USER_SCHEMA]: { department: 'Sales', manager: { value: 'm1' } },
  },
  {
    userName: 'bert@example.com',
    externalId: 'a1',
    displayName: 'Bert',
    active: false,
    title: 'Guide',
    emails: [{ value: 'bert@work.com', type: 'work' }],
  },
  { userName: 'Çelik@example.com', displayName: 'O’Brien', nickName: '100%', active: true },
  { userName: 'dora', title: '' },
]

const filters: readonly (readonly [filter: string, found: readonly string[]])[] = [
  ['userName eq "ÇELIK@EXAMPLE.COM"', ['Çelik@example.com']],
  ['nickName eq "100%"', ['Çelik@example.com']],
  ['nickName co "%"', ['Çelik@example.com']],
  ['displayName eq "O’Brien"', ['Çelik@example.com']],
  ['emails[type eq "work"].value eq "anna@work.com"', ['Anna@example.com']],
  ['department eq "sales"', ['Anna@example.com']],
  ['manager eq "m1"', ['Anna@example.com']],
  ['meta.created gt "2020-01-01T00:00:00Z" and userName eq "dora"', ['dora']],
  ['userName eq "users.user_name_key"', []],
  [`userName eq "x' or '1'='1"`, []],
]

/** The behaviour of lists on every store, beyond what the doctor checks there. */
export function listContract(store: () => Store): void {
  let client: Client
  beforeAll(async () => {
    client = await connect(store())
    for (const person of people) await client.send('POST', '/Users', person)
  })

  async function list(query: Readonly<Record<string, string>>) {
    return await client.send('GET', `/Users?${new URLSearchParams(query)}`)
  }

  it.each(filters)('a list is filtered by %s (RFC 7644 §3.4.2.2)', async (filter, found) => {
    const { status, body } = await list({ filter })
    expect(status).toBe(200)
    expect(namesOf(body.Resources)).toEqual([...found].sort())
    expect(body.totalResults).toBe(found.length)
  })

  it('the letter case is ignored in strings that are not case-exact (RFC 7643 §4.1, §4.3)', async () => {
    const { send } = await connect(store())
    const text = 'Straße'
    const strings = ['displayName', 'nickName', 'title', 'userType']
    const names = ['givenName', 'familyName']
    const enterprise = ['employeeNumber', 'department']
    const allOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, text]))
    await send('POST', '/Users', {
      userName: text,
      ...allOf(strings),
      name: allOf(names),
      [ENTERPRISE_USER_SCHEMA]: allOf(enterprise),
    })
    const paths = ['userName', ...strings, ...names.map((name) => `name.${name}`), ...enterprise]
    for (const path of paths) {
      const filter = encodeURIComponent(`${path} eq "STRAßE"`)
      const { body } = await send('GET', `/Users?filter=${filter}`)
      expect({ path, total: body.totalResults }).toEqual({ path, total: 1 })
    }
  })

  it.each([
    [
      'userName',
      'ascending',
      ['Anna@example.com', 'bert@example.com', 'dora', 'Çelik@example.com'],
    ],
    [
      'userName',
      'descending',
      ['Çelik@example.com', 'dora', 'bert@example.com', 'Anna@example.com'],
    ],
    ['title', 'ascending', ['bert@example.com', 'Anna@example.com', 'Çelik@example.com', 'dora']],
    ['title', 'descending', ['Anna@example.com', 'Çelik@example.com', 'dora', 'bert@example.com']],
    ['emails', 'ascending', ['Anna@example.com', 'bert@example.com', 'Çelik@example.com', 'dora']],
  ])('a list is sorted by %s, %s (RFC 7644 §3.4.2.3)', async (sortBy, sortOrder, names) => {
    const { body } = await list({ sortBy, sortOrder })
    expect((body.Resources ?? []).map(({ userName }) => userName)).toEqual(names)
  })

  it.each([
    ['meta.lastModified gt "2020-01-01T00:00:00Z"', ['b', 'a']],
    ['meta.lastModified ge "2020-01-01T00:00:00Z"', ['b', 'a']],
    ['meta.lastModified lt "9000-01-01T00:00:00Z"', ['b', 'a']],
    ['meta.lastModified le "9000-01-01T00:00:00Z"', ['b', 'a']],
    ['userName pr and meta.lastModified ge "2020-01-01T00:00:00Z"', ['b', 'a']],
    ['meta.created ge "2020-01-01T00:00:00Z"', ['a', 'b']],
    ['meta.lastModified ne "2020-01-01T00:00:00Z"', ['a', 'b']],
    ['userName gt "0"', ['a', 'b']],
  ])(
    'a list is sorted by a time that the filter bounds, else by the creation: %s (RFC 7644 §3.4.2.3)',
    async (filter, names) => {
      const { send } = await connect(store())
      const { body } = await send('POST', '/Users', { userName: 'a' })
      await send('POST', '/Users', { userName: 'b' })
      await send('PUT', `/Users/${body.id}`, { userName: 'a', title: 'changed' })
      const found = await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect((found.body.Resources ?? []).map(({ userName }) => userName)).toEqual(names)
    },
  )

  it('a list returns each group as a GET of the group does, and streams large pages in parts', async () => {
    const client = await connect(store())
    const { send } = client
    const { body: anna } = await send('POST', '/Users', { userName: 'anna' })
    const { body: bert } = await send('POST', '/Users', { userName: 'bert' })
    const members = [{ value: anna.id }, { value: bert.id, display: 'Bert' }]
    await send('POST', '/Groups', { displayName: 'one', members })
    await send('POST', '/Groups', { displayName: 'two', members })
    await send('POST', '/Groups', { displayName: 'empty' })
    for (const shown of ['', 'attributes=members.display', 'attributes=displayName,members']) {
      const first = await send('GET', `/Groups?${shown}&cursor&count=2`)
      const { nextCursor } = first.body
      const second = await send('GET', `/Groups?${shown}&cursor=${nextCursor}&count=2`)
      expect([first.body.itemsPerPage, second.body.itemsPerPage]).toEqual([2, 1])
      for (const group of [...(first.body.Resources ?? []), ...(second.body.Resources ?? [])]) {
        expect((await send('GET', `/Groups/${group.id}?${shown}`)).body).toEqual(group)
      }
    }
    const none = await send('GET', '/Groups?filter=displayName eq "four"')
    expect(none.body).toMatchObject({ totalResults: 0, Resources: [] })
    const headers = { Authorization: `Bearer ${client.token}` }
    const externalId = 'x'.repeat(1_900)
    const many = Array.from({ length: 60 }, (_, at) => ({ displayName: `${at}`, externalId }))
    for (const group of many) await send('POST', '/Groups', group)
    const { body } = await client.directory.fetch(
      new Request('http://localhost/scim/v2/Groups', { headers }),
    )
    const parts: Uint8Array[] = []
    for await (const part of body ?? []) parts.push(part)
    const sizes = parts.map(({ length }) => length)
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 2 ** 10)
    // Groups share a part.
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(60 * 2 ** 10)
    expect(JSON.parse(Buffer.concat(parts).toString()).Resources).toHaveLength(63)
  })

  it('users and groups are searched together (RFC 7644 §3.4.3)', async () => {
    const { send } = await connect(store())
    await send('POST', '/Users', { userName: 'a', displayName: 'Guides' })
    await send('POST', '/Groups', { displayName: 'Guides' })
    await send('POST', '/Groups', { displayName: 'Others' })
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    const both = await send('POST', '/.search', { schemas, filter: 'displayName eq "guides"' })
    expect((both.body.Resources ?? []).map(({ meta }) => meta?.resourceType)).toEqual([
      'User',
      'Group',
    ])
    const second = await send('POST', '/.search', { schemas, startIndex: 2, count: 1 })
    expect(second.body).toMatchObject({ totalResults: 3, itemsPerPage: 1 })
    expect(second.body.Resources?.[0]).toMatchObject({ displayName: 'Guides' })
    const one = await send('POST', '/.search', { schemas, filter: 'userName eq "a"' })
    expect(one.body.totalResults).toBe(1)
    const none = await send('POST', '/.search', { schemas, filter: 'nosuch eq "a"' })
    expect(none).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
  })

  describe('rejected queries', () => {
    it.each([
      [{ filter: `${'('.repeat(100_000)}userName pr${')'.repeat(100_000)}` }, 'invalidFilter'],
      [{ filter: '__proto__ pr' }, 'invalidFilter'],
      [{ sortBy: 'constructor' }, 'invalidPath'],
      [{ sortBy: 'userName; drop table users' }, 'invalidPath'],
      [{ attributes: 'no such' }, 'invalidPath'],
      [{ count: 'ten' }, 'invalidValue'],
    ])('the query %o is rejected', async (query, scimType) => {
      expect(await list(query)).toMatchObject({ status: 400, body: { scimType } })
    })
  })
}

function namesOf(resources: readonly Body[] | undefined): string[] {
  return (resources ?? []).map(({ userName }) => String(userName)).sort()
}
