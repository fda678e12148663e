import { describe, expect, it } from 'vitest'
import { GROUP_DEFINITIONS, sender, USER_DEFINITIONS } from '../../../test/endpoint/serve.ts'
import type { OnChange } from '../endpoint/changes/report-changes.ts'
import { createScimEndpoint } from '../endpoint/endpoint.ts'
import { defineResourceType } from '../endpoint/options/resource-type.ts'
import { memoryStore } from '../memory/store.ts'
import type { Definitions } from '../schema/types.ts'
import type { ProjectionOptions } from './options.ts'
import { projection } from './projection.ts'

type Options = ProjectionOptions<object, number, string>

const link: Options['link'] = {
  attribute: 'userName',
  find: () => null,
  mayManage: () => true,
  create: () => 1,
}
const options: Options = {
  link,
  roles: () => [],
  read: () => new Map(),
  stored: () => [],
  apply: () => undefined,
}

/** Calls `projection` as a program in JavaScript may, whose options can have any value. */
const projectUntyped = (given: unknown) => projection(given as Options)

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

interface Served {
  readonly names?: readonly string[]
  readonly definitions?: Definitions
  readonly wrap?: (onChange: OnChange<object>) => OnChange<object>
  readonly onError?: (error: unknown) => void
}

/** Serves users and groups under these names, with a link by an attribute. */
function serve(
  attribute: string,
  { names = ['User', 'Group'], definitions = USER_DEFINITIONS, wrap, onError }: Served = {},
) {
  const { onChange } = projection({ ...options, link: { ...link, attribute } })
  return createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: names.map((name, at) => {
      const store = memoryStore({ definitions: at === 0 ? definitions : GROUP_DEFINITIONS })
      return defineResourceType({ name, endpoint: `/${name}s`, store })
    }),
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onChange: wrap === undefined ? onChange : wrap(onChange),
    onError,
  })
}

describe('a wrong option of projection', () => {
  it.each<[string, unknown, string]>([
    ['no options', undefined, 'the options of projection must be an object, not undefined'],
    ['an unknown name', { ...options, role: () => [] }, 'did you mean roles?'],
    ['no link', { ...options, link: undefined }, 'projection: link must be an object'],
    [
      'a table of roles',
      { ...options, roles: { 'displayName:Finance': 'billing' } },
      'projection: roles must be a function of a group and the context, not an object',
    ],
    ...['roles', 'read', 'stored', 'apply'].map((name): [string, unknown, string] => [
      `no ${name}`,
      { ...options, [name]: undefined },
      `projection: ${name} must be a function`,
    ]),
    ...['attribute', 'find', 'mayManage', 'create'].map((name): [string, unknown, string] => [
      `no link.${name}`,
      { ...options, link: { ...link, [name]: undefined } },
      `projection: link.${name} must be `,
    ]),
    [
      'an unknown name in link',
      { ...options, link: { ...link, maymanage: 1 } },
      'did you mean mayManage?',
    ],
    ...['emails[work].value', 'emails[type eq "work"].value', '', '.', 'a b', 5, null].map(
      (attribute): [string, unknown, string] => [
        `the attribute ${attribute}`,
        { ...options, link: { ...link, attribute } },
        'projection: link.attribute must be the path of an attribute',
      ],
    ),
  ])('projection throws a TypeError for %s', (_, given, message) => {
    expect(() => projectUntyped(given)).toThrow(TypeError)
    expect(() => projectUntyped(given)).toThrow(message)
  })
})

describe('an endpoint with unsuitable resource types throws a TypeError when it is created', () => {
  it.each([
    ['email', '"email" is not an attribute of User'],
    ['nope.value', '"nope.value" is not an attribute of User'],
    ['emails.address', '"emails.address" is not an attribute of User'],
    ['emails', '"emails" is complex: name a sub-attribute, such as emails.value'],
    [ENTERPRISE, 'is not an attribute of User'],
    ['active', '"active" is of the type boolean'],
    ['meta.created', '"meta.created" is of the type dateTime'],
    ['password', '"password" is not returned by default'],
    ['groups.value', '"groups.value" is read-only, so no client can send it'],
    ['id', '"id" is read-only, so no client can send it'],
  ])('link.attribute %s throws a TypeError', (attribute, message) => {
    expect(() => serve(attribute)).toThrow(TypeError)
    expect(() => serve(attribute)).toThrow(
      `projection: link.attribute ${JSON.stringify(attribute)}`,
    )
    expect(() => serve(attribute)).toThrow(message)
  })

  it.each([
    [
      ['Person', 'Group'],
      'needs a resource type with the name User, and the endpoint has Person, Group',
    ],
    [
      ['User', 'Team'],
      'needs a resource type with the name Group, and the endpoint has User, Team',
    ],
    [['user', 'Group'], 'needs a resource type with the name User'],
  ])('the resource types %j throw a TypeError', (names, message) => {
    expect(() => serve('userName', { names })).toThrow(message)
  })

  it('an attribute missing from the definitions throws a TypeError', () => {
    const definitions = { 'urn:x': { id: 'urn:x', name: 'x', description: 'x', attributes: [] } }
    expect(() => serve('userName', { definitions })).toThrow('is not an attribute of User')
  })

  it('users without groups are accepted', () => {
    expect(() => serve('userName', { names: ['User'] })).not.toThrow()
  })
})

describe('a custom onChange calling the onChange of projection', () => {
  const wrap =
    (onChange: OnChange<object>): OnChange<object> =>
    (changes, write) =>
      onChange(changes, write)

  it('types are checked at the first write, which is a 500 with the TypeError in onError', async () => {
    for (const [attribute, names] of [
      ['email', ['User', 'Group']],
      ['userName', ['Person', 'Group']],
    ] as const) {
      const errors: unknown[] = []
      const onError = (error: unknown) => errors.push(error)
      const { fetch } = serve(attribute, { names, wrap, onError })
      const answer = await sender(fetch)('POST', `/${names[0]}s`, { userName: 'ada' })
      expect(answer.status).toBe(500)
      expect(errors).toEqual([expect.any(TypeError)])
    }
  })

  it('types are checked at creation if the custom onChange passes on requireTypes', () => {
    const checked = (onChange: OnChange<object>) =>
      Object.assign(wrap(onChange), { requireTypes: onChange.requireTypes })
    expect(() => serve('email', { wrap: checked })).toThrow('is not an attribute of User')
  })
})

it.each([
  ['USERNAME', { userName: 'ada' }, ['ada']],
  [
    'Emails.VALUE',
    { userName: 'ada', emails: [{ value: 'a@x' }, { value: 'a@x' }, { value: 'b@x' }] },
    ['a@x', 'b@x'],
  ],
  ['employeenumber', { userName: 'ada', [ENTERPRISE]: { employeeNumber: '7' } }, ['7']],
  [
    `${ENTERPRISE.toUpperCase()}:Manager.value`,
    { userName: 'ada', [ENTERPRISE]: { manager: { value: 'm' } } },
    ['m'],
  ],
  ['name.familyName', { userName: 'ada', name: { familyName: 'L' } }, ['L']],
  ['nickName', { userName: 'ada', nickName: ' ' }, []],
  ['nickName', { userName: 'ada' }, []],
])(
  'the attribute %s is looked up in any letter case, each value once and never blank',
  async (attribute, body, values) => {
    const found: string[] = []
    const find = (value: string) => {
      found.push(value)
      return null
    }
    const { onChange } = projection({ ...options, link: { ...link, attribute, find } })
    const store = memoryStore({ definitions: USER_DEFINITIONS })
    const { fetch } = createScimEndpoint<object>({
      basePath: '/scim/v2',
      resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
      authenticate: async () => ({}),
      transaction: (context, work) => work(context),
      onChange,
    })
    expect((await sender(fetch)('POST', '/Users', body)).status).toBe(201)
    expect(found).toEqual(values)
  },
)
