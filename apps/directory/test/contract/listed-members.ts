import { beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Body, type Client, connect } from '../support/harness.ts'

/** The pages of members in the management API on every store. */
export function listedMembersContract(store: () => Store): void {
  let client: Client
  let users: readonly string[]
  let group: string
  let inner: string
  beforeAll(async () => {
    client = await connect(store(), { role: 'admin' })
    const create = async (path: string, body: object) =>
      String((await client.send('POST', path, body)).body.id)
    users = await Promise.all(
      ['Anna', 'Bert', 'Cleo'].map((userName) => create('/Users', { userName })),
    )
    inner = await create('/Groups', { displayName: 'Inner' })
    const [first] = users
    const others = [...users.slice(1), inner].map((value) => ({ value }))
    const members = [{ value: first, display: 'A.' }, ...others]
    group = await create('/Groups', { displayName: 'All', members })
  })

  const list = (query: string, id = group) =>
    client.send('GET', `/api/tenants/${client.tenantId}/groups/${id}/members${query}`)

  it("members are listed with their resources' names", async () => {
    const { status, body } = await list('')
    expect(status).toBe(200)
    const expected = [
      { id: users[0], type: 'User', name: 'anna', display: 'A.' },
      { id: users[1], type: 'User', name: 'bert', display: null },
      { id: users[2], type: 'User', name: 'cleo', display: null },
      { id: inner, type: 'Group', name: 'Inner', display: null },
    ]
    expect(body).toEqual({
      members: expected.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
    })
  })

  it.each([1, 2, 3, 4, 5])('pages of %i have each member once', async (count) => {
    const seen: unknown[] = []
    for (let after = ''; ; ) {
      const { body } = await list(`?count=${count}${after}`)
      const page = [...(body.members ?? [])] as readonly Body[]
      seen.push(...page.map(({ id }) => id))
      if (body.nextAfter === undefined) break
      expect(page).toHaveLength(count)
      after = `&after=${body.nextAfter}`
    }
    expect(seen).toEqual([...users, inner].sort())
  })

  describe('missing groups', () => {
    it('a group that does not exist answers 404', async () => {
      expect((await list('', users[0])).status).toBe(404)
    })

    it("another tenant's group answers 404", async () => {
      const other = await connect(store(), { role: 'admin' })
      const path = `/api/tenants/${other.tenantId}/groups/${group}/members`
      expect((await client.send('GET', path)).status).toBe(404)
    })
  })

  it.each(['?count=0', '?count=1001', '?count=x', '?after='])(
    'the member list rejects %s',
    async (query) => {
      expect((await list(query)).status).toBe(422)
    },
  )
}
