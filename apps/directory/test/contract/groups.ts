import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Body, type Client, connect } from '../support/harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The behaviour of groups on every store, beyond what the doctor checks there. */
export function groupContract(store: () => Store): void {
  it("group members and users' groups are kept consistent (RFC 7643 §4.1.2, §4.2)", async () => {
    const client = await connect(store())
    const [anna, bert] = await users(client, 'anna', 'bert')
    const group = await client.send('POST', '/Groups', {
      displayName: 'Guides',
      members: [{ value: anna, display: 'Anna' }],
    })
    expect(group.status).toBe(201)
    expect(group.body.members).toEqual([
      {
        value: anna,
        $ref: `http://localhost/scim/v2/Users/${anna}`,
        type: 'User',
        display: 'Anna',
      },
    ])
    const outer = await client.send('POST', '/Groups', {
      displayName: 'Everybody',
      members: [{ value: group.body.id }, { value: bert }],
    })
    const user = await client.send('GET', `/Users/${anna}`)
    expect(pick(user.body.groups, 'value', 'display', 'type')).toEqual(
      [
        { value: group.body.id, display: 'Guides', type: 'direct' },
        { value: outer.body.id, display: 'Everybody', type: 'indirect' },
      ].sort((a, b) => (String(a.value) < String(b.value) ? -1 : 1)),
    )
    await client.send('DELETE', `/Groups/${group.body.id}`)
    expect((await client.send('GET', `/Users/${anna}`)).body).not.toHaveProperty('groups')
    expect(membersOf(await client.send('GET', `/Groups/${outer.body.id}`))).toEqual([bert])
  })

  it('a deleted user is removed from the groups, and their versions change', async () => {
    const client = await connect(store())
    const [anna, bert] = await users(client, 'anna', 'bert')
    const members = [{ value: anna }, { value: bert }]
    const { body } = await client.send('POST', '/Groups', { displayName: 'g', members })
    await client.send('DELETE', `/Users/${anna}`)
    const group = await client.send('GET', `/Groups/${body.id}`)
    expect(membersOf(group)).toEqual([bert])
    expect(group.body.meta?.version).not.toBe(body.meta?.version)
  })

  it("a group's entity tag changes only if the group or the members change (RFC 7644 §3.14)", async () => {
    const client = await connect(store(), { profile: 'entra' })
    const [anna] = await users(client, 'anna')
    const { body } = await client.send('POST', '/Groups', { displayName: 'g' })
    const path = `/Groups/${body.id}`
    const members = [{ value: anna }]
    const patch = (operation: object) =>
      client.send('PATCH', path, { schemas: [PATCH_OP], Operations: [operation] })
    const metas = [body.meta]
    for (const [isChange, change] of [
      [true, () => patch({ op: 'add', path: 'members', value: members })],
      [false, () => patch({ op: 'add', path: 'members', value: members })],
      [false, () => client.send('PUT', path, { displayName: 'g', members })],
      [true, () => patch({ op: 'remove', path: `members[value eq "${anna}"]` })],
      [false, () => patch({ op: 'remove', path: `members[value eq "${anna}"]` })],
      [true, () => client.send('PUT', path, { displayName: 'g', members })],
      [true, () => client.send('PUT', path, { displayName: 'g', externalId: 'e', members })],
      [true, () => client.send('PUT', path, { displayName: 'g', externalId: 'e' })],
    ] as const) {
      expect((await change()).status).toBeLessThan(300)
      const { meta } = (await client.send('GET', path)).body
      if (isChange) expect(meta?.version).not.toBe(metas.at(-1)?.version)
      else expect(meta).toEqual(metas.at(-1))
      metas.push(meta)
    }
  })

  it('a PATCH is applied if its member filter needs the stored members', async () => {
    const client = await connect(store())
    const [anna, bert] = await users(client, 'anna', 'bert')
    const members = [{ value: anna, display: 'Anna' }, { value: bert }]
    const { body } = await client.send('POST', '/Groups', { displayName: 'g', members })
    const patched = await client.send('PATCH', `/Groups/${body.id}`, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'remove', path: 'members[display eq "Anna"]' }],
    })
    expect(patched.status).toBe(204)
    expect(membersOf(await client.send('GET', `/Groups/${body.id}`))).toEqual([bert])
  })

  it('a missing member is rejected, and the group is not stored', async () => {
    const client = await connect(store())
    const [anna] = await users(client, 'anna')
    const { body } = await client.send('POST', '/Groups', { displayName: 'g' })
    const patched = await client.send('PATCH', `/Groups/${body.id}`, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'add', path: 'members', value: [{ value: anna }, { value: 'unknown' }] }],
    })
    const detail = 'members: user or group unknown not found'
    expect(patched).toMatchObject({ status: 400, body: { scimType: 'invalidValue', detail } })
    expect(membersOf(await client.send('GET', `/Groups/${body.id}`))).toEqual([])
  })

  it('a member without a value is rejected, whatever else it has (RFC 7643 §2.4)', async () => {
    const client = await connect(store())
    const members = [{ display: 'Anna' }]
    const { body } = await client.send('POST', '/Groups', { displayName: 'g' })
    const answers = [
      await client.send('POST', '/Groups', { displayName: 'h', members }),
      await client.send('PUT', `/Groups/${body.id}`, { displayName: 'h', members }),
      await client.send('PATCH', `/Groups/${body.id}`, {
        schemas: [PATCH_OP],
        Operations: [{ op: 'add', path: 'members', value: members }],
      }),
    ]
    const detail = 'members: each member needs a value, the id of a user or group'
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue', detail } })
    }
    expect((await client.send('GET', `/Groups/${body.id}`)).body).toEqual(body)
  })

  it('removing a missing member is rejected with noTarget, unless tolerated', async () => {
    const standard = await connect(store())
    const okta = await connect(store(), { profile: 'okta' })
    for (const client of [standard, okta]) {
      const { body } = await client.send('POST', '/Groups', { displayName: 'g' })
      const patched = await client.send('PATCH', `/Groups/${body.id}`, {
        schemas: [PATCH_OP],
        Operations: [{ op: 'remove', path: 'members[value eq "unknown"]' }],
      })
      expect(patched.status).toBe(client === okta ? 204 : 400)
    }
  })

  it('a PATCH is rejected if one removal names only missing members, and changes nothing', async () => {
    const client = await connect(store())
    const [anna, bert] = await users(client, 'anna', 'bert')
    const members = [{ value: anna }, { value: bert }]
    const { body } = await client.send('POST', '/Groups', { displayName: 'g', members })
    const remove = (...filters: readonly string[]) =>
      client.send('PATCH', `/Groups/${body.id}`, {
        schemas: [PATCH_OP],
        Operations: filters.map((filter) => ({ op: 'remove', path: `members[${filter}]` })),
      })
    const noTarget = {
      status: 400,
      body: { scimType: 'noTarget', detail: 'members: no value matches' },
    }
    expect(await remove(`value eq "${anna}"`, 'value eq "x"')).toMatchObject(noTarget)
    expect(await remove('value eq "x" or value eq "y"')).toMatchObject(noTarget)
    expect((await client.send('GET', `/Groups/${body.id}`)).body).toEqual(body)
    expect((await remove(`value eq "x" or value eq "${anna}"`)).status).toBe(204)
    expect(membersOf(await client.send('GET', `/Groups/${body.id}`))).toEqual([bert])
  })

  it('a hundred concurrent additions keep all members', async () => {
    const client = await connect(store())
    const names = Array.from({ length: 100 }, (_, at) => `user-${at}`)
    const ids = await users(client, ...names)
    const { body } = await client.send('POST', '/Groups', { displayName: 'g' })
    const answers = await Promise.all(
      ids.map((value) =>
        client.send('PATCH', `/Groups/${body.id}`, {
          schemas: [PATCH_OP],
          Operations: [{ op: 'add', path: 'members', value: [{ value }] }],
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect(membersOf(await client.send('GET', `/Groups/${body.id}`))).toEqual([...ids].sort())
  })

  it('groups are found by name and by member, and excluded members are omitted', async () => {
    const client = await connect(store())
    const [anna] = await users(client, 'anna')
    await client.send('POST', '/Groups', { displayName: 'Guides', members: [{ value: anna }] })
    await client.send('POST', '/Groups', { displayName: 'Others' })
    const find = async (filter: string, more = '') =>
      (await client.send('GET', `/Groups?filter=${encodeURIComponent(filter)}${more}`)).body
    const byName = await find('displayName eq "guides"', '&excludedAttributes=members')
    expect(byName).toMatchObject({ totalResults: 1 })
    expect(byName.Resources?.[0]).not.toHaveProperty('members')
    expect((await find(`members eq "${anna}"`)).totalResults).toBe(1)
    expect(
      (await find(`members.value eq "${anna}" and displayName eq "others"`)).totalResults,
    ).toBe(0)
    expect((await find(`members[value eq "${anna}"]`)).Resources?.[0]?.displayName).toBe('Guides')
    const both = `members eq "${anna}" and members[value eq "${anna}" and type eq`
    expect((await find(`${both} "User"]`)).totalResults).toBe(1)
    expect((await find(`${both} "Group"]`)).totalResults).toBe(0)
    const three = `members eq "${anna}" and members pr and members.type eq`
    expect((await find(`${three} "User"`)).totalResults).toBe(1)
    expect((await find(`${three} "Group"`)).totalResults).toBe(0)
    expect((await find('members pr')).totalResults).toBe(1)
    expect((await find('not (members pr)')).totalResults).toBe(1)
  })

  it('excluded member sub-attributes are omitted (RFC 7644 §3.9)', async () => {
    const client = await connect(store())
    const [anna] = await users(client, 'anna')
    const members = [{ value: anna, display: 'Anna' }]
    const { body } = await client.send('POST', '/Groups', { displayName: 'g', members })
    const schema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
    const without = async (paths: string) => {
      const query = `excludedAttributes=${paths}`
      const { body: group } = await client.send('GET', `/Groups/${body.id}?${query}`)
      const { body: page } = await client.send('GET', `/Groups?${query}`)
      expect(page.Resources).toEqual([group])
      return (group.members ?? []).map((member) => Object.keys(member).sort())
    }
    expect(await without('members.display')).toEqual([['$ref', 'type', 'value']])
    expect(await without('Members.Display,members.type')).toEqual([['$ref', 'value']])
    expect(await without(`${schema}:members`)).toEqual([])
    expect(await without('members.value,members.$ref,members.display,members.type')).toEqual([])
  })

  it('each member is returned once if a group has more members than are read at a time', async () => {
    const client = await connect(store())
    const ids = await users(client, ...Array.from({ length: 60 }, (_, at) => `user-${at}`))
    const everybody = await bulkUsers(client, 1_500)
    const members = [...ids, ...everybody].map((value) => ({ value }))
    const { body } = await client.send('POST', '/Groups', { displayName: 'g', members })
    const group = await client.send('GET', `/Groups/${body.id}`)
    expect(membersOf(group)).toEqual([...ids, ...everybody].sort())
    const schema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
    const all = await client.send('GET', `/Groups/${body.id}?attributes=${schema}`)
    expect(all.body).toEqual(group.body)
    const values = await client.send('GET', `/Groups/${body.id}?attributes=members.value`)
    expect(values.body.members).toHaveLength(1_560)
    expect(Object.keys(values.body.members?.[0] ?? {})).toEqual(['value'])
  })

  it('tenants are isolated, and a member from another tenant is rejected', async () => {
    const one = await connect(store())
    const two = await connect(store())
    const [anna] = await users(one, 'anna')
    const members = [{ value: anna }]
    const { body } = await one.send('POST', '/Groups', { displayName: 'g', members })
    const path = `/Groups/${body.id}`
    for (const [method, sent] of [
      ['GET', undefined],
      ['PUT', { displayName: 'h' }],
      ['PATCH', { schemas: [PATCH_OP], Operations: [{ op: 'remove', path: 'members' }] }],
      ['DELETE', undefined],
    ] as const) {
      expect((await two.send(method, path, sent)).status).toBe(404)
    }
    const filter = encodeURIComponent(`members eq "${anna}" or displayName pr`)
    expect((await two.send('GET', `/Groups?filter=${filter}`)).body.totalResults).toBe(0)
    const foreign = await two.send('POST', '/Groups', { displayName: 'h', members })
    expect(foreign).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await one.send('GET', path)).body).toEqual(body)
  })

  it('groups may be members of each other', async () => {
    const client = await connect(store())
    const [anna] = await users(client, 'anna')
    const a = await client.send('POST', '/Groups', { displayName: 'a', members: [{ value: anna }] })
    const b = await client.send('POST', '/Groups', {
      displayName: 'b',
      members: [{ value: a.body.id }],
    })
    const patched = await client.send('PATCH', `/Groups/${a.body.id}`, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'add', path: 'members', value: [{ value: b.body.id }] }],
    })
    expect(patched.status).toBe(204)
    expect((await client.send('GET', `/Users/${anna}`)).body.groups).toHaveLength(2)
  })
}

async function users(client: Client, ...names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const userName of names) {
    ids.push(String((await client.send('POST', '/Users', { userName })).body.id))
  }
  return ids
}

async function bulkUsers(client: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < count; from += 500) {
    const { body } = await client.send('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: Array.from({ length: Math.min(500, count - from) }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${at}`,
        data: { userName: `bulk-${from + at}` },
      })),
    })
    ids.push(
      ...(body.Operations ?? []).map(({ location }) => String(location).split('/').at(-1) ?? ''),
    )
  }
  return ids
}

function membersOf({ body }: { readonly body: Body }): string[] {
  return (body.members ?? []).map(({ value }) => String(value)).sort()
}

function pick(list: readonly Body[] | undefined, ...names: readonly string[]) {
  return (list ?? []).map((one) => Object.fromEntries(names.map((name) => [name, one[name]])))
}
