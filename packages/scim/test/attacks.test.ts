import {
  compareResources,
  groupResource,
  parseGroup,
  parseListQuery,
  parseSearchRequest,
  parseUser,
  project,
  SEARCH_REQUEST_SCHEMA,
  userResource,
  version,
} from '@plumbline/scim'
import { ENTERPRISE_USER_DEFINITION, schemas, USER_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

// Names of properties that every object, list, string or function inherits. No request may find or write them,
// or reach a prototype.

const USER = USER_DEFINITION.id
const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const definitions = { [USER]: USER_DEFINITION, [ENTERPRISE]: ENTERPRISE_USER_DEFINITION }

const INHERITED = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
  '__lookupSetter__',
  'length',
  'name',
  'then',
  'toJSON',
] as const

const prototypes = [Object, Array, String, Number, Boolean, Function, Map, Set, Date].map(
  (one) => one.prototype as object,
)

function snapshot(): unknown[] {
  return prototypes.map((one) =>
    Reflect.ownKeys(one).map((key) => [key, Object.getOwnPropertyDescriptor(one, key)]),
  )
}

let before: unknown[]
beforeEach(() => {
  before = snapshot()
})
afterEach(() => {
  expect(snapshot()).toStrictEqual(before)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

/** A JSON object with one member, `__proto__` included. */
function withMember(key: string, value: unknown): Record<string, unknown> {
  return JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)
}

function user(): Record<string, unknown> {
  return {
    schemas: [USER, ENTERPRISE],
    id: '1',
    userName: 'b',
    name: { givenName: 'B' },
    emails: [{ value: 'b@x.org', type: 'work' }],
    [ENTERPRISE]: { department: 'HR' },
  }
}

function patch(operation: object): ReturnType<typeof applyPatch> | ReturnType<typeof parsePatch> {
  const parsed = parsePatch({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  })
  if (parsed.status === 'failure') return parsed
  return applyPatch(user(), parsed.data, { definitions })
}

/** Rejected with a 400, with any scimType. */
function expectRefused(result: { readonly status: string; readonly error?: unknown }): void {
  expect(result.status).toBe('failure')
  expect(result).toMatchObject({ error: { name: 'ScimError', status: 400 } })
}

const POLLUTION = { polluted: true }
// `name` is an attribute of a user, so it is a valid path.
const NOT_OF_A_USER = INHERITED.filter((name) => name !== 'name')

describe('PATCH paths', () => {
  const paths = NOT_OF_A_USER.flatMap((name) => [
    name,
    `${name}.polluted`,
    `name.${name}`,
    `emails.${name}`,
    `emails[type eq "work"].${name}`,
    `emails[${name} eq "x"].value`,
    `${name}[polluted eq "x"].value`,
    `${USER}:${name}`,
    `${ENTERPRISE}:${name}`,
    `${ENTERPRISE}:manager.${name}`,
    `${name}:polluted`,
  ])
  const deeper = [
    'constructor.prototype.polluted',
    '__proto__.__proto__.polluted',
    'name.constructor.prototype',
    'emails[0].__proto__',
    '["__proto__"].polluted',
    "__proto__['polluted']",
  ]

  it.each([...paths, ...deeper])('a PATCH with the path %s is rejected', (path) => {
    for (const op of ['add', 'replace']) {
      for (const value of [true, 'x', POLLUTION, [POLLUTION]])
        expectRefused(patch({ op, path, value }))
    }
    expectRefused(patch({ op: 'remove', path }))
  })
})

describe('PATCH values', () => {
  it.each(NOT_OF_A_USER)('a PATCH with the member %s without a path is rejected', (key) => {
    for (const op of ['add', 'replace']) {
      expectRefused(patch({ op, value: withMember(key, POLLUTION) }))
      expectRefused(patch({ op, value: withMember(`${key}.polluted`, true) }))
      expectRefused(patch({ op, value: withMember(`name.${key}`, POLLUTION) }))
      expectRefused(patch({ op, value: { [ENTERPRISE]: withMember(key, POLLUTION) } }))
      expectRefused(patch({ op, value: withMember(`${ENTERPRISE}:${key}`, POLLUTION) }))
    }
  })

  it.each(INHERITED)('a PATCH with the sub-attribute %s is rejected', (key) => {
    for (const op of ['add', 'replace']) {
      expectRefused(patch({ op, path: 'name', value: withMember(key, POLLUTION) }))
      expectRefused(patch({ op, path: 'emails', value: [withMember(key, POLLUTION)] }))
      const path = 'emails[type eq "work"]'
      expectRefused(patch({ op, path, value: withMember(key, POLLUTION) }))
      expectRefused(patch({ op, path: ENTERPRISE, value: withMember(key, POLLUTION) }))
    }
    expectRefused(patch({ op: 'remove', path: 'emails', value: [withMember(key, POLLUTION)] }))
  })

  it.each(INHERITED)('a PATCH with the schema %s is rejected', (name) => {
    expectRefused(patch({ op: 'add', path: 'schemas', value: [name] }))
  })

  it.each(INHERITED)('a PATCH with %s as op, or in place of it, is rejected', (name) => {
    expectRefused(patch({ op: name, path: 'title', value: 'x' }))
    expectRefused(patch(withMember(name, { op: 'remove', path: 'title' })))
  })

  it.each(INHERITED)(
    '%s as a tolerated attribute is ignored or rejected, and never written',
    (key) => {
      const operations = [
        { op: 'add', value: withMember(key, POLLUTION) },
        { op: 'add', path: 'emails', value: [{ value: 'n', ...withMember(key, 'x') }] },
      ]
      for (const operation of operations) {
        const parsed = parsePatch({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [operation],
        })
        if (parsed.status === 'failure') continue
        const tolerate = ['unknown-attributes'] as const
        const result = applyPatch(user(), parsed.data, { definitions, tolerate })
        expect(JSON.stringify(result)).not.toContain('polluted')
      }
    },
  )
})

describe('filters', () => {
  it.each(NOT_OF_A_USER)('%s is not an attribute name', (name) => {
    const filters = [
      `${name} pr`,
      `${name} eq null`,
      `${name}.polluted pr`,
      `name.${name} pr`,
      `emails.${name} pr`,
      `emails[${name} pr]`,
      `${ENTERPRISE}:${name} pr`,
    ]
    for (const text of filters) {
      const filter = parseFilter(text)
      if (filter.status === 'failure') expectRefused(filter)
      else expectRefused(compileFilter(filter.data, { definitions }))
    }
  })

  it('an attribute that a resource only inherits is not found', () => {
    const names = INHERITED.filter((name) => !name.startsWith('_'))
    const attributes = names.map((name) => ({ name, type: 'string' as const }))
    const thing = { 'urn:x:Thing': { id: 'urn:x:Thing', name: 'Thing', attributes } }
    for (const name of names) {
      const filter = parseFilter(`${name} pr`)
      if (filter.status === 'failure') throw filter.error
      const matches = compileFilter(filter.data, { definitions: thing })
      if (matches.status === 'failure') throw matches.error
      expect(matches.data({})).toBe(false)
      expect(matches.data({ [name]: 'x' })).toBe(true)
    }
  })

  it('an inherited name does not allow an attribute', () => {
    const filter = parseFilter('userName pr')
    if (filter.status === 'failure') throw filter.error
    expectRefused(compileFilter(filter.data, { definitions, allow: [...NOT_OF_A_USER] }))
  })
})

describe('bodies', () => {
  it.each(NOT_OF_A_USER)('%s is ignored in a user, a group and an extension', (key) => {
    const evil = withMember(key, POLLUTION)
    const read = parseUser({
      ...user(),
      ...evil,
      name: { givenName: 'B', ...evil },
      emails: [{ value: 'x', ...evil }],
      [ENTERPRISE]: { department: 'HR', ...evil },
    })
    if (read.status === 'failure') throw read.error
    expect(Object.getPrototypeOf(read.data)).toBe(Object.prototype)
    expect(JSON.stringify([read.data, userResource(read.data)])).not.toContain('polluted')
    const group = parseGroup({ displayName: 'g', members: [{ value: '1', ...evil }], ...evil })
    if (group.status === 'failure') throw group.error
    expect(JSON.stringify([group.data, groupResource(group.data)])).not.toContain('polluted')
  })

  it.each(INHERITED)('%s only is neither a user nor a group', (key) => {
    expectRefused(parseUser(withMember(key, { userName: 'b' })))
    expectRefused(parseGroup(withMember(key, { displayName: 'g' })))
  })

  it.each(INHERITED)('an extension under the key %s is an own member', (key) => {
    const urn = 'urn:example:2.0:Evil'
    const schema = z.object({ polluted: z.boolean() })
    const extensions = Object.fromEntries([[key, { urn, schema }]])
    const read = parseUser({ userName: 'b', [urn]: POLLUTION }, { extensions })
    if (read.status === 'failure') throw read.error
    expect(Object.hasOwn(read.data.extensions, key)).toBe(true)
    expect(Object.getPrototypeOf(read.data.extensions)).toBe(Object.prototype)
    expect(userResource(read.data, { extensions })).toMatchObject({ [urn]: POLLUTION })
    expect(userResource({ userName: 'b', extensions: {} }, { extensions })).not.toHaveProperty(urn)
  })
})

describe('queries, projections and sorting', () => {
  it.each(NOT_OF_A_USER)('%s is not a query attribute', (name) => {
    for (const parameter of ['attributes', 'excludedAttributes', 'sortBy']) {
      const url = new URL('http://localhost/Users')
      url.searchParams.set(parameter, name)
      expectRefused(parseListQuery(url, { attributes: definitions }))
      const value = parameter === 'sortBy' ? name : [name]
      const body = { schemas: [SEARCH_REQUEST_SCHEMA], [parameter]: value }
      expectRefused(parseSearchRequest(body, { attributes: definitions }))
    }
  })

  it.each(INHERITED)('%s as a parameter is ignored', (name) => {
    const url = new URL(`http://localhost/Users?${name}=polluted&${name}=again`)
    const body = { schemas: [SEARCH_REQUEST_SCHEMA], ...withMember(name, POLLUTION) }
    expect(JSON.stringify(parseListQuery(url))).not.toContain('polluted')
    expect(JSON.stringify(parseSearchRequest(body))).not.toContain('polluted')
  })

  it.each(NOT_OF_A_USER)('%s does not select or exclude an attribute', (name) => {
    const names = [name, `name.${name}`, `${name}.polluted`, `${ENTERPRISE}:${name}`]
    expect(project(user(), { attributes: names }, definitions)).toStrictEqual({
      schemas: [USER, ENTERPRISE],
      id: '1',
    })
    expect(project(user(), { excludedAttributes: names }, definitions)).toStrictEqual(user())
  })

  it.each(NOT_OF_A_USER)('a stored member called %s stays an own member', (name) => {
    const stored = { ...user(), ...withMember(name, POLLUTION) }
    const kept = project(stored, {}, definitions)
    expect(Object.hasOwn(kept, name)).toBe(true)
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
    expect(project(stored, { attributes: ['userName'] }, definitions)).not.toHaveProperty(
      'polluted',
    )
    expect(Object.keys(project(stored, { attributes: [name] }, definitions))).not.toContain(name)
  })

  it.each(NOT_OF_A_USER)('sortBy %s keeps the order', (name) => {
    for (const sortBy of [name, `name.${name}`, `emails.${name}`]) {
      const order = compareResources({ sortBy }, definitions)
      expect(order(user(), { id: '2' })).toBe(0)
    }
  })

  it.each(INHERITED)('a tag depends on %s as on any other member', async (name) => {
    const tag = await version(withMember(name, 'a'))
    expect(tag).not.toBe(await version(withMember(name, 'b')))
    expect(tag).not.toBe(await version({}))
  })

  it('definitions with inherited names are written unchanged', () => {
    const attributes = INHERITED.map((name) => ({ name, type: 'string' as const }))
    const document = schemas({ x: { id: 'urn:x', name: 'X', attributes } })
    expect(document.Resources).toMatchObject([{ attributes }])
  })
})
