import { ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

/** A schema with one attribute. */
export const BADGE_SCHEMA = {
  resourceType: 'User',
  id: 'urn:example:badge:1.0:User',
  name: 'Badge',
  attributes: [{ name: 'badge', type: 'string' }],
}

/** Attributes that differ in their types and characteristics, without names. */
const VARIANTS = [
  { type: 'string' },
  ...['boolean', 'decimal', 'integer', 'dateTime', 'binary'].map((type) => ({ type })),
  { type: 'reference', referenceTypes: ['User', 'external'], required: true },
  { type: 'string', description: 'A size', canonicalValues: ['s', 'm'], caseExact: true },
  { type: 'string', canonicalValues: [], referenceTypes: [], multiValued: false },
  ...['always', 'never', 'default', 'request'].map((returned) => ({ type: 'string', returned })),
  { type: 'string', mutability: 'readWrite', uniqueness: 'none' },
  { type: 'string', mutability: 'immutable' },
  { type: 'string', mutability: 'writeOnly', returned: 'never' },
]

/** An empty list of sub-attributes is the same as none. */
const NO_PARTS = { subAttributes: [] }

/** The schemas of the management API. */
export function extensionApiContract(storeOf: () => Store): void {
  it('extension schemas are registered with the RFC 7643 §2.2 defaults, listed, read, replaced and deleted', async () => {
    const { send, path } = await connected(storeOf())
    const created = await send('POST', path, { ...BADGE_SCHEMA, schemas: ['x'], meta: {} })
    const defaults = { multiValued: false, required: false, caseExact: false }
    const others = { mutability: 'readWrite', returned: 'default', uniqueness: 'none' }
    const attribute = { name: 'badge', type: 'string', ...defaults, ...others }
    const body = { ...BADGE_SCHEMA, required: false, attributes: [attribute] }
    expect(created).toMatchObject({ status: 201, body })
    const at = `${path}/${encodeURIComponent(BADGE_SCHEMA.id.toUpperCase())}`
    expect(await send('GET', at)).toMatchObject({ status: 200, body: created.body })
    const renamed = await send('PUT', at, { ...BADGE_SCHEMA, name: 'Door' })
    expect(renamed).toMatchObject({ status: 200, body: { ...body, name: 'Door' } })
    expect((await send('GET', path)).body).toEqual({ schemas: [renamed.body] })
    expect((await send('DELETE', at)).status).toBe(204)
    expect((await send('GET', path)).body).toEqual({ schemas: [] })
  })

  it('extension schemas keep every characteristic on an attribute and a sub-attribute (RFC 7643 §7)', async () => {
    const { send, path } = await connected(storeOf())
    const subAttributes = VARIANTS.map((one, at) => ({ ...one, name: `part${at}` }))
    const complex = { type: 'complex', multiValued: true, description: 'Parts', subAttributes }
    const none = { type: 'string', referenceTypes: [], canonicalValues: [] }
    const attributes = [...VARIANTS, complex, none].map((one, at) => ({ ...one, name: `a${at}` }))
    const schemas = (['User', 'Group'] as const).map((resourceType) => ({
      resourceType,
      id: `urn:example:every:1.0:${resourceType}`,
      name: 'Every',
      attributes,
      description: 'Every characteristic',
      required: false,
      schemas: [],
      meta: {},
    }))
    for (const schema of schemas) {
      const { schemas: _, meta: __, ...kept } = schema
      const created = await send('POST', path, schema)
      expect(created).toMatchObject({ status: 201, body: kept })
      const at = `${path}/${schema.id}`
      expect((await send('GET', at)).body).toEqual(created.body)
      const emptied = attributes.map((one) =>
        one.type === 'string' ? { ...one, ...NO_PARTS } : one,
      )
      const replaced = await send('PUT', at, { ...schema, schemas: ['x'], attributes: emptied })
      expect(replaced.body).toEqual(created.body)
    }
    expect((await send('GET', path)).body.schemas).toMatchObject(
      schemas.map(({ id }) => ({ id, attributes })),
    )
  })

  it('extension schemas are not found in a missing tenant, or under another URN', async () => {
    const { send, path } = await connected(storeOf())
    const missing = '/api/tenants/missing/schemas'
    expect((await send('GET', missing)).status).toBe(404)
    expect((await send('POST', missing, BADGE_SCHEMA)).status).toBe(404)
    const at = `${path}/${BADGE_SCHEMA.id}`
    for (const [method, body] of [['GET'], ['PUT', BADGE_SCHEMA], ['DELETE']] as const) {
      expect((await send(method, at, body)).status).toBe(404)
    }
  })

  it("extension schemas are rejected with 409 if the URN is taken or part of another, or at a tenant's limits", async () => {
    const { send, path } = await connected(storeOf())
    await send('POST', path, BADGE_SCHEMA)
    const { id } = BADGE_SCHEMA
    for (const urn of [
      id,
      id.toUpperCase(),
      `${id}:badge`,
      `${id}.badge`,
      'urn:example:badge:1.0',
    ]) {
      expect([urn, (await send('POST', path, { ...BADGE_SCHEMA, id: urn })).status]).toEqual([
        urn,
        409,
      ])
    }
    for (let at = 1; at < 20; at += 1) {
      await send('POST', path, { ...BADGE_SCHEMA, id: `urn:example:x:${at}:User` })
    }
    const more = await send('POST', path, { ...BADGE_SCHEMA, id: 'urn:example:more:User' })
    expect(more).toMatchObject({
      status: 409,
      body: { detail: 'A tenant has at most 20 schemas.' },
    })
  })

  it('extension schemas are not changed or deleted while a resource has a value', async () => {
    const { send, path } = await connected(storeOf())
    await send('POST', path, BADGE_SCHEMA)
    await send('POST', '/Users', { userName: 'a', [BADGE_SCHEMA.id]: { badge: 'x' } })
    const at = `${path}/${BADGE_SCHEMA.id}`
    const changed = { ...BADGE_SCHEMA, attributes: [{ name: 'badge', type: 'integer' }] }
    expect(await send('PUT', at, changed)).toMatchObject({
      status: 409,
      body: { detail: 'Users that have a value of badge: 1.' },
    })
    expect((await send('DELETE', at)).status).toBe(409)
  })

  it('an extension schema cannot be replaced by one with another URN', async () => {
    const { send, path } = await connected(storeOf())
    await send('POST', path, BADGE_SCHEMA)
    const other = { ...BADGE_SCHEMA, id: 'urn:example:other:User' }
    expect(await send('PUT', `${path}/${BADGE_SCHEMA.id}`, other)).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/id', detail: 'must be the URN in the path' }] },
    })
  })

  describe('rejected extension schemas', () => {
    it.each(INVALID)('extension schemas are rejected with 422 for %s', async (_, over, pointer) => {
      const { send, path } = await connected(storeOf())
      const { status, body } = await send('POST', path, { ...BADGE_SCHEMA, ...over })
      expect(status).toBe(422)
      const pointers = (body.issues ?? []).map((issue) => String(issue.pointer))
      expect(pointers).toContain(pointer)
    })

    it.each([
      ['/api/tenants/NO/schemas', 'GET'],
      ['/api/tenants/NO/schemas/x', 'GET'],
      ['/api/tenants/NO/schemas/x', 'DELETE'],
    ])(
      'extension schemas are rejected with 422 for an impossible tenant id: %s %s',
      async (path, method) => {
        const { send } = await connected(storeOf())
        expect((await send(method, path)).status).toBe(422)
      },
    )
  })
}

async function connected(store: Store): Promise<Client & { readonly path: string }> {
  const client = await connect(store, { role: 'admin' })
  return { ...client, path: `/api/tenants/${client.tenantId}/schemas` }
}

/** A schema with one attribute, or with several. */
function of(...attributes: readonly object[]): object {
  return { attributes: attributes.map((one) => ({ name: 'a', type: 'string', ...one })) }
}

/** A schema with one complex attribute. */
function complex(...parts: readonly object[]): object {
  const subAttributes = parts.map((one) => ({ name: 'a', type: 'string', ...one }))
  return of({ type: 'complex', subAttributes })
}

const INVALID: readonly (readonly [string, object, string])[] = [
  ['another resource type', { resourceType: 'Device' }, '/resourceType'],
  ['a missing name', { name: undefined }, '/name'],
  ['an unknown member', { extends: 'User' }, ''],
  ['an id that is not a URN', { id: 'https://example.com' }, '/id'],
  ['an empty segment of a URN', { id: 'urn:example::User' }, '/id'],
  ['a URN with a quote', { id: 'urn:example:"User' }, '/id'],
  ['the URN of users', { id: USER_SCHEMA }, '/id'],
  ['the URN of groups in capitals', { id: GROUP_SCHEMA.toUpperCase() }, '/id'],
  ['a URN of the core', { id: 'urn:ietf:params:scim:schemas:core:2.0:Device' }, '/id'],
  ['a URN of messages', { id: 'urn:ietf:params:scim:api:messages:2.0:X' }, '/id'],
  ['the URN of the enterprise user', { id: ENTERPRISE_USER_SCHEMA }, '/id'],
  ['a part of the URN of the enterprise user', { id: `${ENTERPRISE_USER_SCHEMA}:badge` }, '/id'],
  ['no attributes', { attributes: [] }, '/attributes'],
  [
    '101 attributes',
    of(...Array.from({ length: 101 }, (_, at) => ({ name: `a${at}` }))),
    '/attributes',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    '$ref',
    '1a',
    'a.b',
    'a:b',
    'a b',
    'ä',
    '',
    'a[b]',
  ].map((name) => [`the name "${name}"`, of({ name }), '/attributes/0/name'] as const),
  ...['schemas', 'ID', 'meta', 'externalId', 'userName', 'GROUPS', 'password'].map(
    (name) => [`the core attribute ${name}`, of({ name }), '/attributes/0/name'] as const,
  ),
  ['a name twice in another letter case', of({ name: 'a' }, { name: 'A' }), '/attributes/1/name'],
  ['an unknown type', of({ type: 'text' }), '/attributes/0/type'],
  ['an unknown characteristic', of({ multivalued: true }), '/attributes/0'],
  ['uniqueness server', of({ uniqueness: 'server' }), '/attributes/0/uniqueness'],
  ['uniqueness global', of({ uniqueness: 'global' }), '/attributes/0/uniqueness'],
  ['readOnly', of({ mutability: 'readOnly' }), '/attributes/0/mutability'],
  [
    'writeOnly and returned',
    of({ mutability: 'writeOnly', returned: 'always' }),
    '/attributes/0/returned',
  ],
  [
    'canonical values of an integer',
    of({ type: 'integer', canonicalValues: ['1'] }),
    '/attributes/0/canonicalValues',
  ],
  ['a reference without types', of({ type: 'reference' }), '/attributes/0/referenceTypes'],
  ['reference types of a string', of({ referenceTypes: ['User'] }), '/attributes/0/referenceTypes'],
  ['a complex attribute without parts', of({ type: 'complex' }), '/attributes/0/subAttributes'],
  [
    'parts of a string',
    of({ subAttributes: [{ name: 'a', type: 'string' }] }),
    '/attributes/0/subAttributes',
  ],
  [
    'a complex part (RFC 7643 §2.3.8)',
    complex({ type: 'complex' }),
    '/attributes/0/subAttributes/0/type',
  ],
  [
    'a multi-valued part',
    complex({ multiValued: true }),
    '/attributes/0/subAttributes/0/multiValued',
  ],
  ['a part twice', complex({}, { name: 'A' }), '/attributes/0/subAttributes/1/name'],
  [
    'a primary that is not a boolean',
    complex({ name: 'primary' }),
    '/attributes/0/subAttributes/0/type',
  ],
  [
    'a part with the name __proto__',
    complex({ name: '__proto__' }),
    '/attributes/0/subAttributes/0/name',
  ],
]
