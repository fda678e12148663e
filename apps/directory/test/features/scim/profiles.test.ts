import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Profile } from '../../../src/kernel/profiles.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { connect } from '../../support/harness.ts'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const SEARCH_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const CUSTOM = 'urn:ietf:params:scim:schemas:extension:custom:2.0:User'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** Requests that deviate from RFC 7644 §3.5.2, and the profiles that accept them. */
const BENDING: readonly (readonly [what: string, Operations: object[], who: readonly Profile[]])[] =
  [
    [
      'a replace whose filter matches nothing',
      [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@example.com' }],
      ['entra'],
    ],
    [
      'a remove whose filter matches nothing',
      [{ op: 'remove', path: 'emails[type eq "work"]' }],
      ['entra', 'okta'],
    ],
    ['no operations', [], ['entra']],
    ['an unknown path', [{ op: 'add', path: `${CUSTOM}:badge`, value: '7' }], ['entra', 'okta']],
    [
      'an unknown member of a value',
      [{ op: 'add', path: 'name', value: { badge: '7', givenName: 'A' } }],
      ['entra', 'okta'],
    ],
    [
      'an unknown key without a path',
      [
        {
          op: 'replace',
          value: { [`${CUSTOM}:badge`]: '7', [CUSTOM]: { badge: '7' }, title: 'B' },
        },
      ],
      ['entra', 'okta'],
    ],
    ['an unknown schema', [{ op: 'add', path: 'schemas', value: [CUSTOM] }], ['entra', 'okta']],
  ]

/** Harmless deviations, which every profile accepts. */
const HARMLESS: readonly (readonly [what: string, Operations: object[], shown: object])[] = [
  [
    'names in any letter case',
    [{ op: 'Replace', path: 'NickName', value: 'A' }],
    { nickName: 'A' },
  ],
  ['a boolean as a string', [{ op: 'replace', path: 'active', value: 'False' }], { active: false }],
  [
    'an unchanged read-only member',
    [{ op: 'replace', value: { id: '{id}', title: 'B' } }],
    { title: 'B' },
  ],
]

describe.each<Profile>(['standard', 'entra', 'okta'])('a token with profile %s', (profile) => {
  it.each(BENDING)('the profile accepts or rejects %s', async (_, Operations, who) => {
    const { send } = await connect(store, { profile })
    const { body: before } = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${before.id}`
    const { status, body } = await send('PATCH', path, { schemas: [PATCH_OP], Operations })
    expect(status).toBe(who.includes(profile) ? 200 : 400)
    if (status === 400) {
      expect(['noTarget', 'invalidValue', 'invalidSyntax', 'invalidPath']).toContain(body.scimType)
      expect((await send('GET', path)).body).toEqual(before)
    } else {
      expect(JSON.stringify(body)).not.toContain('badge')
    }
  })

  it('unknown attributes are ignored when a user is created or replaced', async () => {
    const { send } = await connect(store, { profile })
    const user = { schemas: [USER, CUSTOM], userName: 'a', badge: '7', [CUSTOM]: { badge: '7' } }
    const created = await send('POST', '/Users', user)
    expect(created).toMatchObject({ status: 201, body: { schemas: [USER], userName: 'a' } })
    const path = `/Users/${created.body.id}`
    const replaced = await send('PUT', path, { ...user, name: { badge: '7', givenName: 'A' } })
    expect(replaced).toMatchObject({ status: 200, body: { name: { givenName: 'A' } } })
    expect(JSON.stringify([created.body, replaced.body])).not.toContain('badge')
  })

  it('users are found by a boolean as a string, or the filter is rejected', async () => {
    const { send } = await connect(store, { profile })
    await send('POST', '/Users', { userName: 'a', active: false })
    await send('POST', '/Users', { userName: 'b', active: true, title: 'Guide' })
    // The first filter runs in the database, the second in memory.
    for (const filter of ['active eq "False"', 'active eq "FALSE" and not (title ew "e")']) {
      const sent = { schemas: [SEARCH_REQUEST], filter }
      const answers = [
        await send('GET', `/Users?filter=${encodeURIComponent(filter)}`),
        await send('POST', '/Users/.search', sent),
        await send('POST', '/.search', sent),
      ]
      for (const { status, body } of answers) {
        expect(status).toBe(profile === 'standard' ? 400 : 200)
        if (status === 400) expect(body.scimType).toBe('invalidFilter')
        else expect(body.Resources).toMatchObject([{ userName: 'a', active: false }])
      }
    }
  })

  it("another resource type's attributes in a projection are ignored", async () => {
    const { send } = await connect(store, { profile })
    const user = await send('POST', '/Users', { userName: 'a', title: 'Guide' })
    const members = [{ value: user.body.id }]
    const group = await send('POST', '/Groups', { displayName: 'g', members })
    const names = 'attributes=userName,members.value,shoeSize'
    const { schemas, id, userName } = user.body
    expect((await send('GET', `/Users?${names}`)).body.Resources).toEqual([
      { schemas, id, userName },
    ])
    const shown = await send('GET', `/Groups/${group.body.id}?${names}`)
    expect(shown.body).toEqual({ schemas: group.body.schemas, id: group.body.id, members })
    const excluded = await send('GET', '/Users?excludedAttributes=members,title')
    expect(excluded.body.Resources).toMatchObject([{ userName: 'a' }])
    expect(excluded.body.Resources?.[0]).not.toHaveProperty('title')
    const none = await send('GET', `/Users/${id}?attributes=shoeSize`)
    expect(none.body).toEqual({ schemas, id })
  })

  it('a group member with an unknown sub-attribute is patched, or rejected', async () => {
    const { send } = await connect(store, { profile })
    const user = await send('POST', '/Users', { userName: 'a' })
    const group = await send('POST', '/Groups', { displayName: 'g' })
    const { status, body } = await send('PATCH', `/Groups/${group.body.id}?attributes=members`, {
      schemas: [PATCH_OP],
      Operations: [
        { op: 'add', path: 'members', value: [{ value: user.body.id, displayName: 'A' }] },
      ],
    })
    expect(status).toBe(profile === 'standard' ? 400 : 200)
    if (status === 200) expect(body.members).toMatchObject([{ value: user.body.id }])
    else expect(body.scimType).toBe('invalidPath')
  })

  it.each(HARMLESS)('every profile accepts %s', async (_, operations, shown) => {
    const { send } = await connect(store, { profile })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const Operations = JSON.parse(JSON.stringify(operations).replace('{id}', String(body.id)))
    const patched = await send('PATCH', `/Users/${body.id}`, { schemas: [PATCH_OP], Operations })
    expect(patched).toMatchObject({ status: 200, body: shown })
  })
})

describe.each<Profile>(['interop', 'ipsie-al1', 'ipsie-al2'])(
  'a token with the draft profile %s',
  (profile) => {
    it('a request the draft rejects changes nothing (interop -01 §5.3, §6.5.1.1)', async () => {
      const { send } = await connect(store, { profile })
      const { body: before } = await send('POST', '/Users', { userName: 'a' })
      const path = `/Users/${before.id}`
      const patch = (...Operations: object[]) =>
        send('PATCH', path, { schemas: [PATCH_OP], Operations })
      const answers = [
        await send('POST', '/Users', { userName: 'b', badge: '7' }),
        await send('POST', '/Users', { schemas: [USER, CUSTOM], userName: 'b' }),
        await send('PUT', path, { userName: 'a', badge: '7' }),
        await patch({ op: 'replace', path: 'badge', value: '7' }),
        await patch({ op: 'replace', value: { active: false } }),
      ]
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
      }
      expect((await send('GET', '/Users')).body.Resources).toEqual([before])
    })

    it('a name is replaced as a whole (interop -01 §6.5.2.1)', async () => {
      const { send } = await connect(store, { profile })
      const name = { givenName: 'A', familyName: 'B' }
      const { body } = await send('POST', '/Users', { userName: 'a', name })
      const Operations = [{ op: 'replace', path: 'name', value: { givenName: 'C' } }]
      const patched = await send('PATCH', `/Users/${body.id}`, { schemas: [PATCH_OP], Operations })
      expect(patched).toMatchObject({ status: 200, body: { name: { givenName: 'C' } } })
      expect(patched.body.name).not.toHaveProperty('familyName')
    })

    it('the discovery documents say what the draft declares (interop -01 §4, §5.4; IPSIE §6.1.2)', async () => {
      const { send } = await connect(store, { profile })
      const config = await send('GET', '/ServiceProviderConfig')
      expect(config.body.interopProfileConformant).toBe(true)
      const { body } = await send('GET', `/Schemas/${USER}`)
      const names = attributesOf(body).map(({ name }) => name)
      expect(names.includes('password')).toBe(profile !== 'ipsie-al2')
      const roles = attributesOf(body).find(({ name }) => name === 'roles')
      const type = roles?.subAttributes?.find(({ name }) => name === 'type')
      expect(type?.canonicalValues).toEqual(['work', 'home', 'other'])
    })
  },
)

it('a token with profile ipsie-al2 cannot send a password (IPSIE draft 00 §6.1.2)', async () => {
  const { send } = await connect(store, { profile: 'ipsie-al2' })
  const answer = await send('POST', '/Users', { userName: 'a', password: 'x' })
  expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
})

interface SchemaAttribute {
  readonly name: string
  readonly canonicalValues?: readonly string[]
  readonly subAttributes?: readonly SchemaAttribute[]
}

function attributesOf(body: object): readonly SchemaAttribute[] {
  return Reflect.get(body, 'attributes')
}
