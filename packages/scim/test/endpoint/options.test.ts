import { describe, expect, it } from 'vitest'
import { USER_SCHEMA } from '../../src/lib/constants.ts'
import { createScimEndpoint } from '../../src/lib/endpoint/endpoint.ts'
import { DEFAULT_LIMITS } from '../../src/lib/endpoint/options/limits.ts'
import { createOutbox } from '../../src/lib/endpoint/options/outbox.ts'
import { PROFILES } from '../../src/lib/endpoint/options/profiles.ts'
import {
  defineResourceType,
  type ResourceType,
} from '../../src/lib/endpoint/options/resource-type.ts'
import type { ScimEndpointOptions } from '../../src/lib/endpoint/options.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { USER_DEFINITION } from '../../src/lib/schema/core-schemas.ts'
import { GROUP_DEFINITIONS, type ServeOptions, serve, USER_DEFINITIONS } from './serve.ts'

const store = memoryStore({ definitions: USER_DEFINITIONS })
const User = { name: 'User', endpoint: '/Users', definitions: USER_DEFINITIONS, store }

/** Creates an endpoint as a program in JavaScript may, whose options can have any value. */
function createUntyped(options: object): unknown {
  const authenticate = async () => ({})
  const all = { basePath: '/scim/v2', resourceTypes: [User], authenticate, ...options }
  return createScimEndpoint(all as unknown as ScimEndpointOptions<object>)
}

const NOT_FUNCTIONS = [null, true, 5, 'x', {}, []]
const NOT_OBJECTS = [null, true, 5, 'x', []]
const NOT_COUNTS = [null, Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, '100', 10n, true]

describe('an invalid option is a TypeError at creation, and the error names the option', () => {
  it.each(NOT_OBJECTS)('the options %j throw a TypeError', (options) => {
    expect(() => createScimEndpoint(options as unknown as ScimEndpointOptions<object>)).toThrow(
      /^the options of createScimEndpoint must be an object, not /,
    )
  })

  const FUNCTIONS = [
    'authenticate',
    'transaction',
    'client',
    'headers',
    'onError',
    'onAnswer',
    'toScimError',
  ]
  it.each(FUNCTIONS.flatMap((name) => NOT_FUNCTIONS.map((value) => [name, value] as const)))(
    'the option %s throws a TypeError: %j',
    (name, value) => {
      expect(() => createUntyped({ [name]: value })).toThrow(`${name} must be a function, not `)
    },
  )

  it.each<[string, unknown]>([
    ...[undefined, null, [], {}, 'User'].map((value): [string, unknown] => [
      'resourceTypes',
      value,
    ]),
    ['authenticate', undefined],
    ...[
      null,
      5,
      true,
      [],
      'scim',
      'scim/v2',
      '/a b',
      '/é',
      '//',
      '/a//b',
      '//a',
      '/a?b',
      '/a#b',
    ].map((value): [string, unknown] => ['basePath', value]),
    ...['/a/../b', '/.', '/a\\b', '/a\n', '/"a"', 'https://example.com/scim'].map(
      (value): [string, unknown] => ['basePath', value],
    ),
    ...[null, 5, '', 'not a url', '/scim/v2', 'example.com', 'ftp://example.com', 'https://'].map(
      (value): [string, unknown] => ['base', value],
    ),
    ...['https://x/?a', 'https://x/#a', 'https://x/a b', 'https://x/\r\nX: 1', 'https://é.com'].map(
      (value): [string, unknown] => ['base', value],
    ),
    ...[null, 5, 'adfs', 'toString', [], {}].map((value): [string, unknown] => ['profile', value]),
    ...NOT_OBJECTS.map((value): [string, unknown] => ['me', value]),
    ...[null, 5, {}, { hold: true }].map((value): [string, unknown] => ['outbox', value]),
    ...NOT_OBJECTS.map((value): [string, unknown] => ['limits', value]),
    ...[null, '', ' ', 5, 'Bearer\r\nX: 1'].map((value): [string, unknown] => ['challenge', value]),
    ...[null, '', 5, '/help', {}].map((value): [string, unknown] => ['documentationUri', value]),
    ...[null, {}, [], ['Bearer'], [{}], [{ type: 'oauth2', name: 'a' }]].map(
      (value): [string, unknown] => ['authenticationSchemes', value],
    ),
    ...[null, 'yes', 1].map((value): [string, unknown] => ['changePassword', value]),
  ])('the option %s throws a TypeError: %j', (name, value) => {
    expect(() => createUntyped({ [name]: value })).toThrow(TypeError)
    expect(() => createUntyped({ [name]: value })).toThrow(new RegExp(`^${name}`))
  })

  it.each(Object.keys(DEFAULT_LIMITS).flatMap((name) => NOT_COUNTS.map((value) => [name, value])))(
    'limits.%s: %o throws a TypeError',
    (name, value) => {
      expect(() => createUntyped({ limits: { [String(name)]: value } })).toThrow(
        `limits.${name} must be a whole number of at least `,
      )
    },
  )

  it.each(['body', 'maxCount', 'values', 'steps', 'page', 'unread', 'unreadByClient'])(
    'limits.%s: 0 throws a TypeError',
    (name) => {
      expect(() => createUntyped({ limits: { [name]: 0 } })).toThrow(
        `limits.${name} must be a whole number of at least 1, not 0`,
      )
    },
  )

  it('limits.writeTime beyond the longest timer throws a TypeError', () => {
    expect(() => createUntyped({ limits: { writeTime: 2 ** 31 } })).toThrow(
      'limits.writeTime must be at most 2147483647, not 2147483648',
    )
  })

  it('a misspelt limit throws a TypeError', () => {
    const limits = { maxcount: 5 } as object
    expect(() => createUntyped({ limits })).toThrow(
      'limits.maxcount is unknown: did you mean maxCount?',
    )
  })

  it.each<[string, object]>([
    ['onchange is unknown: did you mean onChange?', { onchange: () => undefined }],
    ['basepath is unknown: did you mean basePath?', { basepath: '/scim/v2' }],
    ['autenticat is unknown: did you mean authenticate?', { autenticat: async () => ({}) }],
    ['pattern is unknown: expected one of resourceTypes, authenticate, ', { pattern: '/' }],
    ['toString is unknown', { toString: () => 'x' }],
    ['me.resource is unknown: expected one of resourceType, id', { me: { resource: 'User' } }],
    [
      'profile.uniqe is unknown: did you mean unique?',
      { profile: { ...PROFILES.okta, uniqe: {} } },
    ],
    [
      'User: requiredExtension is unknown: did you mean requiredExtensions?',
      { resourceTypes: [{ ...User, requiredExtension: [] }] },
    ],
  ])('an unknown name throws a TypeError: %s', (message, options) => {
    expect(() => createUntyped(options)).toThrow(TypeError)
    expect(() => createUntyped(options)).toThrow(message)
  })

  const { standard } = PROFILES
  it.each<[string, object]>([
    ['profile.patch', { ...standard, patch: undefined }],
    ['profile.patch', { ...standard, patch: ['unknown-attribute'] }],
    ['profile.patchBody', { patch: [], query: [], unique: {} }],
    ['profile.patchBody', { ...standard, patchBody: [null] }],
    ['profile.query', { ...standard, query: 'text-booleans' }],
    ['profile.query', { ...standard, query: ['toString'] }],
    ['profile.unique', { patch: [], patchBody: [], query: [] }],
    ['profile.unique', { ...standard, unique: [] }],
    ['profile.unique.User', { ...standard, unique: { User: 'nickName' } }],
    ['profile.unique.User', { ...standard, unique: { User: ['nickname'] } }],
    ['profile.unique.User', { ...standard, unique: { User: ['emails'] } }],
    ['profile.unique.User', { ...standard, unique: { User: [5] } }],
    ['profile.reject', { ...standard, reject: ['unknown-paths'] }],
    ['profile.omit.User', { ...standard, omit: { User: ['nickName'] } }],
    ['profile.omit', { ...standard, omit: ['password'] }],
    ['profile.canonicalTypes', { ...standard, canonicalTypes: 'work' }],
    ['profile.declare', { ...standard, declare: ['interopProfileConformant'] }],
  ])('the option %s in %j throws a TypeError', (name, profile) => {
    expect(() => createUntyped({ profile })).toThrow(new RegExp(`^${name} must be `))
  })

  it.each<[string, object]>([
    ['me.id', { id: '1' }],
    ['me.id', {}],
    ['me: the resource type Person is unknown', { resourceType: 'Person', id: () => null }],
    ['me: the resource type null is unknown', { resourceType: null, id: () => null }],
  ])('an invalid me throws an error: %s', (message, me) => {
    expect(() => createUntyped({ me })).toThrow(message)
  })

  it.each<[string, readonly object[]]>([
    ['the resource type User at /Users already exists', [User, User]],
    ['already exists', [{ ...User, endpoint: '/Bulk' }]],
    ['User: store.read must be a function, not undefined', [{ ...User, store: {} }]],
    ['the options of defineResourceType must be an object, not null', [null as unknown as object]],
  ])('invalid resourceTypes throw a TypeError: %s', (message, resourceTypes) => {
    expect(() => createUntyped({ resourceTypes })).toThrow(message)
  })
})

it('an endpoint needs a path or a public URL, so locations are right', () => {
  expect(() => createUntyped({ basePath: undefined })).toThrow(
    /^basePath, such as \/scim\/v2 .*, or base, .*, is required$/,
  )
})

describe('valid options are accepted', () => {
  it.each<[object]>([
    [{ basePath: '' }],
    [{ basePath: '/' }],
    [{ basePath: '/scim/v2/' }],
    [{ basePath: "/a-b_c~d.e/%C3%A9/f:g@h,i;j=k!$&'()*+" }],
    [{ base: 'http://localhost:3000' }],
    [{ base: 'HTTPS://Example.com/scim/v2/' }],
    [{ base: 'https://[::1]:8443/' }],
    [{ base: undefined, transaction: undefined, profile: undefined }],
    [{ base: 'https://example.com/scim', basePath: undefined }],
    [{ onchange: undefined }],
    [{ limits: {}, outbox: createOutbox(), profile: PROFILES.entra }],
    [{ limits: { body: undefined, defaultCount: 0, candidates: 0, bulkOperations: 0 } }],
    [{ limits: { page: 1, maxCount: Number.MAX_SAFE_INTEGER } }],
    [{ profile: { ...PROFILES.okta, unique: { Robot: ['serial'] } } }],
    [{ challenge: 'Basic realm="é"', documentationUri: 'https://example.com/help' }],
  ])('createScimEndpoint accepts the options %j', (options) => {
    expect(() => createUntyped(options)).not.toThrow()
  })
})

it('the default page is at most as large as the largest page', async () => {
  const { send } = serve({ limits: { maxCount: 1 } })
  for (const userName of ['a', 'b']) await send('POST', '/Users', { userName })
  expect((await send('GET', '/Users')).body.itemsPerPage).toBe(1)
  expect((await send('GET', '/Users?attributes=id')).body.itemsPerPage).toBe(1)
})

it("a resource type uses the store's definitions, unless it has its own", () => {
  const own = { [USER_DEFINITION.id]: USER_DEFINITION }
  const { definitions: _, ...bare } = User
  expect(defineResourceType(bare).definitions).toBe(USER_DEFINITIONS)
  expect(defineResourceType({ ...bare, definitions: own }).definitions).toBe(own)
})

describe('an invalid resource type is a TypeError, and the error names the member', () => {
  const define = (type: object): unknown => defineResourceType(type as unknown as ResourceType)
  it.each<[string, object]>([
    ...['', ' ', null, undefined, 5, '\ud800'].map((name): [string, object] => [
      'defineResourceType: name must be a string such as User',
      { name },
    ]),
    ...[null, undefined, 5].map((endpoint): [string, object] => ['User: endpoint', { endpoint }]),
    ...[null, 5].map((description): [string, object] => ['User: description', { description }]),
    ...[null, [], {}, 'User'].map((definitions): [string, object] => [
      'User: definitions must be an object with at least the core schema',
      { definitions },
    ]),
    ...[null, undefined, {}].map((definitions): [string, object] => [
      'User: definitions must be an object with at least the core schema',
      { definitions: undefined, store: { ...store, definitions } },
    ]),
    ['User: definitions["urn:x"] must be an object', { definitions: { 'urn:x': null } }],
    ['User: definitions["urn:x"].id must be a URN', { definitions: { 'urn:x': {} } }],
    [
      'User: definitions["urn:x"].attributes must be a list',
      { definitions: { 'urn:x': { id: 'urn:x' } } },
    ],
    [
      'User: definitions["urn:x"].attributes[0].type must be one of string, boolean',
      { definitions: { 'urn:x': { id: 'urn:x', attributes: [{ name: 'a', type: 'text' }] } } },
    ],
    [
      'User: definitions["urn:x"].attributes[0].subAttributes[1].name must be a string',
      {
        definitions: {
          'urn:x': {
            id: 'urn:x',
            attributes: [
              { name: 'a', type: 'complex', subAttributes: [{ name: 'b', type: 'string' }, {}] },
            ],
          },
        },
      },
    ],
    ...[null, 'urn:x', {}].map((requiredExtensions): [string, object] => [
      'User: requiredExtensions must be a list',
      { requiredExtensions },
    ]),
    ...['urn:example:User:2.0', USER_SCHEMA, null].map((urn): [string, object] => [
      `User: the definition of the required extension ${urn} is missing`,
      { requiredExtensions: [urn] },
    ]),
    ...NOT_OBJECTS.map((one): [string, object] => [
      'User: store must be an object',
      { store: one },
    ]),
    ...['read', 'list', 'create', 'replace', 'delete'].map((method): [string, object] => [
      `User: store.${method} must be a function`,
      { store: { ...store, [method]: undefined } },
    ]),
    [
      'User: a store has either both of changeMembers and findMembers or neither',
      { store: { ...store, changeMembers: async () => true } },
    ],
    [
      'User: a store has either both of changeMembers and findMembers or neither',
      { store: { ...store, findMembers: async () => [] } },
    ],
    ['User: store.findMembers must be a function', { store: { ...store, findMembers: [] } }],
    [
      'User: store.removeReferences must be a function',
      { store: { ...store, removeReferences: null } },
    ],
    ['User: store.cursors must be an object', { store: { ...store, cursors: true } }],
    [
      'User: store.cursors.timeout must be a whole number of at least 1, not NaN',
      { store: { ...store, cursors: { timeout: Number.NaN } } },
    ],
  ])('an invalid resource type throws a TypeError: %s', (message, member) => {
    expect(() => define({ ...User, ...member })).toThrow(TypeError)
    expect(() => define({ ...User, ...member })).toThrow(message)
  })

  it.each([
    'Users',
    'x/Users',
    '/Users/',
    '//Users',
    '/',
    '',
    '/Users?x',
    '/a b',
    '/%55sers',
    '/Users/..',
    '/.search',
    '/Users\n',
  ])('a resource type with the path %j throws a TypeError', (endpoint) => {
    expect(() => define({ ...User, endpoint })).toThrow(
      `User: endpoint must be a path such as /Users, not ${JSON.stringify(endpoint)}`,
    )
  })

  it.each(['/Users', '/v1/Users', '/~x/$-_.9'])(
    'a resource type with the path %j is accepted',
    (endpoint) => {
      expect(defineResourceType({ ...User, endpoint }).endpoint).toBe(endpoint)
    },
  )

  it('a store may be a class instance', () => {
    class Store {
      async read() {
        return null
      }
      async list() {
        return { resources: [] }
      }
      async create() {
        return { id: '1' }
      }
      async replace() {
        return null
      }
      async delete() {
        return false
      }
    }
    expect(() => defineResourceType({ ...User, store: new Store() })).not.toThrow()
  })
})

describe('invalid options for memoryStore and createOutbox are a TypeError', () => {
  it.each<[string, unknown]>([
    ['the options of memoryStore must be an object, not undefined', undefined],
    ['memoryStore: definitions must be an object', {}],
    ['memoryStore: definitions must be an object', { definitions: null }],
    [
      'memoryStore: groups must be a store in memory',
      { definitions: GROUP_DEFINITIONS, groups: null },
    ],
    [
      'memoryStore: groups must be a store in memory',
      { definitions: GROUP_DEFINITIONS, groups: {} },
    ],
    [
      'memoryStore: group is unknown: did you mean groups?',
      { definitions: GROUP_DEFINITIONS, group: {} },
    ],
  ])('invalid options for memoryStore throw an error: %s', (message, options) => {
    expect(() => memoryStore(options as Parameters<typeof memoryStore>[0])).toThrow(message)
  })

  it('a misspelt name in createOutbox throws a TypeError', () => {
    expect(() => createOutbox({ unreadByclient: 5 } as object)).toThrow(
      'unreadByclient is unknown: did you mean unreadByClient?',
    )
  })

  it.each(NOT_COUNTS)('unread and unreadByClient: %o throw a TypeError', (value) => {
    const limit = value as number
    expect(() => createOutbox({ unread: limit })).toThrow('unread must be a whole number')
    expect(() => createOutbox({ unreadByClient: limit })).toThrow(
      'unreadByClient must be a whole number',
    )
  })
})

/** Serves with an option that a program in JavaScript sets. */
function serveUntyped(options: object) {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  return { ...serve({ ...(options as ServeOptions), onError }), errors }
}

describe('an invalid value from a callback option is a 500, and the error names the option', () => {
  it.each([undefined, null, {}, 'adfs', { patch: [], patchBody: [], query: [] }])(
    "an invalid client profile is an internal error with the option's name: %j",
    async (profile) => {
      const { send, errors } = serveUntyped({ profile: () => profile })
      expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(500)
      expect(String(errors[0])).toMatch(/^TypeError: profile/)
    },
  )

  it.each([undefined, null, 5, 'scim', 'https://x/\n'])(
    "an invalid base or basePath for a request is an internal error with the option's name: %j",
    async (value) => {
      for (const name of ['base', 'basePath']) {
        const { send, errors } = serveUntyped({ [name]: () => value })
        expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(500)
        expect(String(errors[0])).toMatch(new RegExp(`^TypeError: ${name} must `))
      }
    },
  )
})
