import { beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

const people = [
  {
    userName: 'anna',
    emails: [
      { value: 'z', type: 'home' },
      { value: 'c', type: 'work', primary: true },
    ],
  },
  {
    userName: 'bert',
    emails: [
      { value: 'b', type: 'other' },
      { value: 'y', type: 'home' },
    ],
  },
  {
    userName: 'carl',
    emails: [
      { value: 'A', type: 'zoo', primary: true },
      { value: 'x', type: 'home' },
    ],
  },
  { userName: 'dora' },
]

/** Lists by the values of multi-valued attributes, on every store. */
export function multiValuedContract(store: () => Store): void {
  let client: Client
  let inner: string
  let outer: string
  let carl: string
  beforeAll(async () => {
    client = await connect(store())
    const ids: string[] = []
    for (const person of people) {
      ids.push(String((await client.send('POST', '/Users', person)).body.id))
    }
    const create = async (displayName: string, ...values: readonly (string | undefined)[]) => {
      const members = values.map((value) => ({ value }))
      return String((await client.send('POST', '/Groups', { displayName, members })).body.id)
    }
    carl = ids[2] ?? ''
    // The outer group is older, so that its id is less than that of the inner group.
    outer = await create('Outer', carl)
    inner = await create('Inner', ids[0], ids[1])
    await client.send('PUT', `/Groups/${outer}`, {
      displayName: 'Outer',
      members: [{ value: inner }, { value: carl }],
    })
  })

  /** The names of the listed users: by index, which must be the same by cursor. */
  async function list(query: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const names = async (more: object) => {
      const found = await client.send('GET', `/Users?${new URLSearchParams({ ...query, ...more })}`)
      expect(found.status).toBe(200)
      return (found.body.Resources ?? []).map(({ userName }) => String(userName))
    }
    const byIndex = await names({})
    expect(await names({ cursor: '' })).toEqual(byIndex)
    return byIndex
  }

  it.each([
    ['emails', 'ascending', ['carl', 'bert', 'anna', 'dora']],
    ['emails', 'descending', ['dora', 'anna', 'bert', 'carl']],
    ['emails.value', 'ascending', ['carl', 'bert', 'anna', 'dora']],
    ['emails.type', 'ascending', ['bert', 'anna', 'carl', 'dora']],
  ])(
    'a sort by %s, %s, uses the primary value, or else the first (RFC 7644 §3.4.2.3)',
    async (sortBy, sortOrder, names) => {
      expect(await list({ sortBy, sortOrder })).toEqual(names)
    },
  )

  const urn = 'urn:ietf:params:scim:schemas:core:2.0:User'
  it.each<readonly [projection: string, keys: readonly string[]]>([
    ['attributes=groups', ['$ref', 'display', 'type', 'value']],
    [`attributes=${urn}:groups`, ['$ref', 'display', 'type', 'value']],
    ['attributes=groups.display', ['display']],
    ['attributes=GROUPS.Type,title', ['type']],
    ['excludedAttributes=groups.display', ['$ref', 'type', 'value']],
    ['excludedAttributes=userName', ['$ref', 'display', 'type', 'value']],
    ['attributes=userName', []],
    ['excludedAttributes=groups', []],
    [`excludedAttributes=${urn}:groups`, []],
  ])("%s selects the parts shown in a user's groups (RFC 7644 §3.9)", async (projection, keys) => {
    const { body } = await client.send('GET', `/Users?filter=userName eq "carl"&${projection}`)
    const [user] = body.Resources ?? []
    expect((user?.groups ?? []).map((group) => Object.keys(group).sort())).toEqual(
      keys.length === 0 ? [] : [keys],
    )
    expect((await client.send('GET', `/Users/${carl}?${projection}`)).body).toEqual(user)
  })

  // The entity tag depends on the order: it must not change between two reads.
  it("a user's groups are in id order", async () => {
    const { body } = await client.send('GET', '/Users?filter=userName eq "anna"')
    const [anna] = body.Resources ?? []
    expect((anna?.groups ?? []).map(({ value, type }) => [value, type])).toEqual([
      [outer, 'indirect'],
      [inner, 'direct'],
    ])
  })

  describe('direct and indirect groups of users (RFC 7643 §4.1.2)', () => {
    it.each([
      ['groups.display eq "inner"', ['anna', 'bert']],
      ['groups.display eq "Outer"', ['anna', 'bert', 'carl']],
      ['groups[display eq "outer" and type eq "direct"]', ['carl']],
      ['groups.type eq "indirect"', ['anna', 'bert']],
      ['groups pr', ['anna', 'bert', 'carl']],
      ['not (groups pr)', ['dora']],
      ['userName eq "bert" and groups.display sw "in"', ['bert']],
      ['emails eq "c" and groups pr', ['anna']],
      ['emails eq "c" and not (groups pr)', []],
    ])('users are found by their groups with %s', async (filter, names) => {
      expect(await list({ filter })).toEqual(names)
      expect(await list({ filter, excludedAttributes: 'groups' })).toEqual(names)
    })

    it('users are found by the id of a direct or indirect group', async () => {
      expect(await list({ filter: `groups.value eq "${inner}"` })).toEqual(['anna', 'bert'])
      expect(await list({ filter: `groups eq "${inner}"` })).toEqual(['anna', 'bert'])
    })
  })
}
