import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Groups with equal names, on every store: Microsoft's validator expects names to be unique. */
export function groupNameContract(store: () => Store): void {
  const TAKEN = {
    status: 409,
    body: {
      scimType: 'uniqueness',
      detail: 'displayName is already taken',
    },
  }
  const create = async ({ send }: Client, displayName: string) =>
    await send('POST', '/Groups', { displayName })

  it.each(['entra', 'ipsie-al2'] as const)(
    'a second group with the same name, in any letter case, is rejected for profile %s',
    async (profile) => {
      const client = await connect(store(), { profile })
      expect((await create(client, 'Guides')).status).toBe(201)
      expect(await create(client, 'GUIDES')).toMatchObject(TAKEN)
      expect((await create(client, 'Guide')).status).toBe(201)
      expect((await client.send('GET', '/Groups')).body.totalResults).toBe(2)
      const other = await connect(store(), { profile })
      expect((await create(other, 'Guides')).status).toBe(201)
    },
  )

  it.each(['standard', 'okta', 'interop', 'ipsie-al1'] as const)(
    'a second group with the same name is accepted for profile %s',
    async (profile) => {
      const client = await connect(store(), { profile })
      expect((await create(client, 'Guides')).status).toBe(201)
      expect((await create(client, 'guides')).status).toBe(201)
    },
  )

  it('a PUT and a PATCH renaming a group to a taken name are rejected, for profile entra', async () => {
    const client = await connect(store(), { profile: 'entra' })
    await create(client, 'Guides')
    const { body } = await create(client, 'Others')
    const path = `/Groups/${body.id}`
    const patch = (displayName: string) =>
      client.send('PATCH', path, {
        schemas: [PATCH_OP],
        Operations: [{ op: 'Replace', path: 'displayName', value: displayName }],
      })
    expect(await client.send('PUT', path, { displayName: 'guides' })).toMatchObject(TAKEN)
    expect(await patch('guides')).toMatchObject(TAKEN)
    expect((await client.send('GET', path)).body).toEqual(body)
    expect((await patch('OTHERS')).status).toBe(204)
    expect((await client.send('PUT', path, { displayName: 'Third' })).status).toBe(200)
    expect((await create(client, 'others')).status).toBe(201)
  })

  it('changes to a group already sharing its name are accepted as long as they keep the name', async () => {
    const standard = await connect(store())
    const entra = await connect(store(), { profile: 'entra', tenantId: standard.tenantId })
    const [one] = [await create(standard, 'Guides'), await create(standard, 'Guides')]
    const path = `/Groups/${one.body.id}`
    const changed = { displayName: 'GUIDES', externalId: 'x' }
    expect(await entra.send('PUT', path, changed)).toMatchObject({ status: 200, body: changed })
    expect(await create(entra, 'guides')).toMatchObject(TAKEN)
  })

  it('one of twenty concurrent creates with the same name succeeds, for profile entra', async () => {
    const client = await connect(store(), { profile: 'entra' })
    const names = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'Guides' : 'GUIDES'))
    const answers = await Promise.all(names.map((name) => create(client, name)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect((await client.send('GET', '/Groups')).body.totalResults).toBe(1)
  })
}
