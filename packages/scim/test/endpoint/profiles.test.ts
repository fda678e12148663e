import { describe, expect, it } from 'vitest'
import {
  ENTERPRISE_USER_SCHEMA as E,
  GROUP_SCHEMA as G,
  PATCH_OP_SCHEMA,
  USER_SCHEMA as U,
} from '../../src/lib/constants.ts'
import { PROFILES, type ProfileName } from '../../src/lib/endpoint/options/profiles.ts'
import { type Send, serve } from './serve.ts'

const UNKNOWN = 'urn:example:unknown:2.0:User'
const NAME = { givenName: 'A', familyName: 'K', formatted: 'A K' }
const MANAGER = { value: '1', $ref: 'https://scim.example/Users/1' }

/** Creates the user that the requests change, and returns the paths in them with its id. */
async function fill(send: Send): Promise<(path: string) => string> {
  const user = { userName: 'ann', name: NAME, [E]: { manager: MANAGER } }
  const { body } = await send('POST', '/Users', { schemas: [U, E], ...user })
  return (path) => path.replace('{id}', body.id)
}

const patch = (...Operations: readonly object[]) =>
  ['PATCH', '/Users/{id}', { schemas: [PATCH_OP_SCHEMA], Operations }] as const

describe('400 invalidSyntax with the profile interop (interop -01 §5.3, §6.5.1.1)', () => {
  const good = { op: 'replace', path: 'title', value: 'x' }
  it.each<readonly [string, readonly [string, string, object]]>([
    ['an unknown attribute', ['POST', '/Users', { schemas: [U], userName: 'a', color: 'red' }]],
    ['an unknown sub-attribute', ['POST', '/Users', { userName: 'a', name: { nick: 'y' } }]],
    ['an unknown schema', ['POST', '/Users', { schemas: [U, UNKNOWN], userName: 'a' }]],
    ['an unknown extension', ['POST', '/Users', { userName: 'a', [UNKNOWN]: { x: 1 } }]],
    ['an unknown attribute in an extension', ['POST', '/Users', { userName: 'a', [E]: { x: 1 } }]],
    ['an extension from another type', ['POST', '/Groups', { schemas: [G, E], displayName: 'a' }]],
    ['an unknown attribute in a PUT', ['PUT', '/Users/{id}', { userName: 'ann', color: 'red' }]],
    ['an unknown path', patch(good, { op: 'replace', path: 'color', value: 'red' })],
    ['a path with an unknown part', patch(good, { op: 'add', path: 'name.nick', value: 'x' })],
    ['a path with an unknown schema', patch({ op: 'add', path: `${UNKNOWN}:x`, value: 1 })],
    ['an unknown member in a value', patch({ op: 'add', path: 'name', value: { nick: 'x' } })],
    ['an unknown member in a list', patch({ op: 'add', path: 'emails', value: [{ color: 1 }] })],
    ['an operation without a path', patch(good, { op: 'replace', value: { active: false } })],
    ['an addition without a path', patch({ op: 'add', value: { active: false } })],
    ['a removal without a path', patch({ op: 'remove' })],
    [
      "an operation with the core schema's URN as path",
      patch({ op: 'replace', path: U, value: { active: false } }),
    ],
    [
      'an addition with that URN in another letter case as path',
      patch(good, { op: 'add', path: U.toUpperCase(), value: { title: 'x' } }),
    ],
    ['a removal with that URN as path', patch({ op: 'remove', path: U })],
    ['an operation with an empty path', patch({ op: 'add', path: '', value: { title: 'x' } })],
  ])('the profile interop rejects %s and changes nothing', async (_, [method, path, body]) => {
    const { send } = serve({ profile: 'interop' })
    const at = await fill(send)
    const { body: before } = await send('GET', at('/Users/{id}'))
    const { status, body: error } = await send(method, at(path), body)
    expect([status, error.scimType]).toEqual([400, 'invalidSyntax'])
    expect((await send('GET', at('/Users/{id}'))).body).toEqual(before)
    expect((await send('GET', '/Users')).body.totalResults).toBe(1)
    expect((await send('GET', '/Groups')).body.totalResults).toBe(0)
  })
})

it("the profile interop rejects a group PATCH with the schema's URN as path, even with members", async () => {
  const { send } = serve({ profile: 'interop' })
  const { body: group } = await send('POST', '/Groups', { displayName: 'a' })
  for (const value of [{ displayName: 'b' }, { members: [{ value: '1' }] }]) {
    const [method, , body] = patch({ op: 'add', path: G, value })
    const { status, body: error } = await send(method, `/Groups/${group.id}`, body)
    expect([status, error.scimType]).toEqual([400, 'invalidSyntax'])
  }
})

it("the profile interop accepts an extension's URN as path, because it names one resource member", async () => {
  const { send } = serve({ profile: 'interop' })
  const at = await fill(send)
  const [method, path, body] = patch({ op: 'add', path: E, value: { department: 'x' } })
  expect((await send(method, at(path), body)).status).toBe(200)
  expect(Object((await send('GET', at(path))).body[E]).department).toBe('x')
})

it('the profile interop rejects a bulk operation with an unknown attribute, and runs the others (interop -01 §5.3)', async () => {
  const { send } = serve({ profile: 'interop' })
  const create = (data: object) => ({ method: 'POST', path: '/Users', data })
  const Operations = [
    { ...create({ userName: 'a', color: 'red' }), bulkId: '1' },
    { ...create({ userName: 'b' }), bulkId: '2' },
  ]
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
  const { body } = await send('POST', '/Bulk', { schemas, Operations })
  expect(body.Operations).toMatchObject([
    { status: '400', response: { scimType: 'invalidSyntax' } },
    { status: '201' },
  ])
})

it('the profile interop accepts attributes in any letter case, read-only ones and the common ones', async () => {
  const { send } = serve({ profile: 'interop' })
  const user = { SCHEMAS: [U.toLowerCase(), E], id: '1', meta: {}, groups: [], USERNAME: 'a' }
  expect((await send('POST', '/Users', { ...user, externalId: 'e' })).status).toBe(201)
})

it.each<[ProfileName, unknown, unknown]>([
  ['standard', { ...NAME, givenName: 'B' }, MANAGER],
  ['interop', { givenName: 'B' }, { value: '1' }],
])(
  'with the profile %s, a replaced complex attribute is %j (RFC 7644 §3.5.2.3, interop -01 §6.5.2.1)',
  async (profile, name, manager) => {
    const { send } = serve({ profile })
    const at = await fill(send)
    const [method, path, body] = patch(
      { op: 'replace', path: 'name', value: { givenName: 'B' } },
      { op: 'replace', path: `${E}:manager`, value: { value: '1' } },
    )
    await send(method, at(path), body)
    const { body: user } = await send('GET', at('/Users/{id}'))
    expect([user.name, Object(user[E]).manager]).toEqual([name, manager])
  },
)

it('the profile interop merges an added complex attribute (interop -01 §6.5.2.1)', async () => {
  const { send } = serve({ profile: 'interop' })
  const at = await fill(send)
  const [method, path, body] = patch({ op: 'add', path: 'name', value: { givenName: 'B' } })
  await send(method, at(path), body)
  expect((await send('GET', at('/Users/{id}'))).body.name).toEqual({ ...NAME, givenName: 'B' })
})

it('one endpoint shows each client the documents for its profile (interop -01 §4, §5.4)', async () => {
  const { send } = serve({
    profile: ({ token }) => PROFILES[NAMES.find((one) => one === token) ?? 'standard'],
  })
  const see = async (name: ProfileName) => {
    const headers = { Authorization: `Bearer ${name}` }
    const { body: config } = await send('GET', '/ServiceProviderConfig', undefined, headers)
    const { body: schema } = await send('GET', `/Schemas/${U}`, undefined, headers)
    const attributes = Object(schema.attributes) as readonly SchemaAttribute[]
    const typeOf = (wanted: string) =>
      attributes
        .find((one) => one.name === wanted)
        ?.subAttributes?.find((part) => part.name === 'type')?.canonicalValues
    return {
      flag: config.interopProfileConformant,
      password: attributes.some((one) => one.name === 'password'),
      roles: typeOf('roles'),
      emails: typeOf('emails'),
    }
  }
  const emails = ['work', 'home', 'other']
  expect(await see('standard')).toEqual({ password: true, emails })
  expect(await see('interop')).toEqual({ flag: true, password: true, roles: emails, emails })
  expect(await see('ipsie-al2')).toEqual({ flag: true, password: false, roles: emails, emails })
})

const NAMES = ['standard', 'interop', 'ipsie-al2'] as const

interface SchemaAttribute {
  readonly name: string
  readonly canonicalValues?: readonly string[]
  readonly subAttributes?: readonly SchemaAttribute[]
}

it.each<[string, readonly [string, string, object]]>([
  ['a POST', ['POST', '/Users', { userName: 'a', password: 'x' }]],
  ['a PATCH', patch({ op: 'replace', path: 'password', value: 'x' })],
])(
  '%s with a password is 400 invalidSyntax with the profile ipsie-al2 (IPSIE draft 00 §6.1.2)',
  async (_, [method, path, body]) => {
    const { send } = serve({ profile: 'ipsie-al2' })
    const at = await fill(send)
    const { status, body: error } = await send(method, at(path), body)
    expect([status, error.scimType]).toEqual([400, 'invalidSyntax'])
  },
)

it('a second group with the same name is 409 with the profile ipsie-al2 (IPSIE draft 00 §6.2.1)', async () => {
  const { send } = serve({ profile: 'ipsie-al2' })
  expect((await send('POST', '/Groups', { displayName: 'Team' })).status).toBe(201)
  expect((await send('POST', '/Groups', { displayName: 'team' })).status).toBe(409)
})

it('a profile may add rejections to another profile', async () => {
  const profile = { ...PROFILES.okta, reject: ['missing-path'] } as const
  const { send } = serve({ profile })
  const at = await fill(send)
  const unknown = patch({ op: 'replace', path: 'color', value: 'red' })
  expect((await send(unknown[0], at(unknown[1]), unknown[2])).status).toBe(200)
})
