import { isFailure, isSuccess, type Result, unwrap } from '@plumbline/result'
import {
  compareResources,
  groupResource,
  parseGroup,
  parseListQuery,
  parseResource,
  parseSearchRequest,
  parseUser,
  project,
  ScimError,
  SEARCH_REQUEST_SCHEMA,
  userResource,
  writeResource,
} from '@plumbline/scim'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const USER = USER_DEFINITION.id
const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const definitions = { [USER]: USER_DEFINITION, [ENTERPRISE]: ENTERPRISE_USER_DEFINITION }

const names = [USER_DEFINITION, GROUP_DEFINITION, ENTERPRISE_USER_DEFINITION].flatMap(
  ({ id, attributes }) => [
    id,
    ...attributes.flatMap(({ name, subAttributes = [] }) => [
      name,
      ...subAttributes.map((part) => part.name),
    ]),
  ],
)
const protocol = [
  'schemas',
  'id',
  'meta',
  'created',
  'version',
  'Operations',
  'op',
  'path',
  'filter',
]
const key = fc.oneof(
  { arbitrary: fc.constantFrom(...names, ...protocol, 'startIndex', 'count', 'sortBy'), weight: 8 },
  { arbitrary: fc.constantFrom('attributes', 'excludedAttributes', 'sortOrder'), weight: 2 },
  {
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'USERNAME', '$REF', 'ref', 'Password'),
    weight: 1,
  },
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const scalar = fc.oneof(
  fc.constantFrom<string | number | boolean | null>(null, true, false, 0, -0, 1.5, 1e300, 'True'),
  fc.constantFrom(
    '',
    'a',
    GROUP_DEFINITION.id,
    'add',
    'Remove',
    'emails[type eq "work"].value',
    'ascending',
    USER,
  ),
  fc.constantFrom('2026-01-01T00:00:00Z', '0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
/** JSON whose keys and values look like those of SCIM, and often are in the right place. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }).map((all) => Object.fromEntries(all)),
  ),
}))
/** An object with the members that the first checks of a parser require. */
const over = (members: object) =>
  json.map((one) => (typeof one === 'object' && !Array.isArray(one) ? { ...one, ...members } : one))
const numRuns = 1_000

function expectAnswer(result: Result<unknown, ScimError>): void {
  if (!isFailure(result)) return
  expect(result.error).toBeInstanceOf(ScimError)
  expect(result.error.status).toBe(400)
  expect(result.error.scimType).not.toBeNull()
  expect(result.error.message).not.toBe('')
}

describe('any JSON is read or rejected with a scimType, and stays as it was', () => {
  it.each<[string, (body: unknown) => Result<unknown, ScimError>, object]>([
    ['parseUser', (body) => parseUser(body), { userName: 'b', schemas: [USER] }],
    ['parseGroup', parseGroup, { displayName: 'g', schemas: null }],
    [
      'parseResource',
      (body) => parseResource(definitions, body, { keepReadOnly: true }),
      { userName: 'b', schemas: [USER] },
    ],
    [
      'parsePatch',
      (body) => parsePatch(body),
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] },
    ],
    [
      'parseSearchRequest',
      (body) => parseSearchRequest(body),
      { schemas: [SEARCH_REQUEST_SCHEMA] },
    ],
    [
      'parseSearchRequest against definitions',
      (body) => parseSearchRequest(body, { attributes: definitions, maxCount: 10 }),
      { schemas: [SEARCH_REQUEST_SCHEMA] },
    ],
  ])('%s reads or rejects any JSON, which stays as it was', (_, parse, members) => {
    fc.assert(
      fc.property(fc.oneof(json, over(members)), (body) => {
        const before = JSON.stringify(body)
        expectAnswer(parse(body))
        expect(JSON.stringify(body)).toBe(before)
      }),
      { numRuns },
    )
  })

  it('parsePatch, and applyPatch after it, read or reject any JSON', () => {
    const sent = fc.oneof(
      json,
      json.map((value) => JSON.stringify(value)),
    )
    const operation = fc.record({ op: fc.constantFrom('add', 'replace'), value: sent, path: key })
    const user = { schemas: [USER], id: '1', userName: 'b', emails: [{ value: 'b', type: 'work' }] }
    const before = structuredClone(user)
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 2 }), (Operations) => {
        const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
        const operations = parsePatch({ schemas, Operations })
        expectAnswer(operations)
        if (isSuccess(operations)) expectAnswer(applyPatch(user, operations.data, { definitions }))
        expect(user).toStrictEqual(before)
      }),
      { numRuns },
    )
  })
})

it('any JSON object is filtered, projected and sorted, and stays as it was', () => {
  const all = { ...definitions, [GROUP_DEFINITION.id]: GROUP_DEFINITION }
  const filters = [
    'userName eq "a" or emails[type eq "a" and primary eq true] or department sw "a"',
    'members.value pr and not (meta.created gt "2026-01-01T00:00:00Z") or active eq true',
  ]
  const predicates = filters.map((text) =>
    unwrap(compileFilter(unwrap(parseFilter(text)), { definitions: all })),
  )
  const path = fc.constantFrom('emails', 'emails.value', 'members', 'displayName', ENTERPRISE)
  const selection = fc.oneof(
    fc.constant({}),
    fc.record({ attributes: fc.array(path) }),
    fc.record({ excludedAttributes: fc.array(path) }),
  )
  const order = compareResources({ sortBy: 'displayName' }, all)
  const resource = json.filter((one) => typeof one === 'object' && one !== null)
  fc.assert(
    fc.property(resource, resource, selection, (one, other, query) => {
      const before = JSON.stringify(one)
      for (const matches of predicates) expect(typeof matches(Object(one))).toBe('boolean')
      const shown = project(Object(one), query, all)
      for (const name of Object.keys(shown)) expect(name.toLowerCase()).not.toBe('password')
      expect(typeof order(Object(one), Object(other))).toBe('number')
      expect(JSON.stringify(one)).toBe(before)
    }),
    { numRuns },
  )
})

describe('a written value parses to the same value', () => {
  it('users parse to the same value, without the password', () => {
    fc.assert(
      fc.property(over({ userName: 'b', schemas: [USER] }), (body) => {
        const read = parseUser(body)
        if (isFailure(read)) return
        const { password: _, ...user } = read.data
        const written = userResource(read.data)
        expect(unwrap(parseUser(written))).toStrictEqual(user)
        expect(JSON.parse(JSON.stringify(written))).toStrictEqual(written)
      }),
      { numRuns },
    )
  })

  it('groups parse to the same value', () => {
    fc.assert(
      fc.property(over({ displayName: 'g', schemas: null }), (body) => {
        const read = parseGroup(body)
        if (isFailure(read)) return
        expect(unwrap(parseGroup(groupResource(read.data)))).toStrictEqual(read.data)
      }),
      { numRuns },
    )
  })

  it('defined resources parse to the same value, without the password', () => {
    fc.assert(
      fc.property(over({ userName: 'b', schemas: [USER] }), (body) => {
        const read = parseResource(definitions, body, { keepReadOnly: true })
        if (isFailure(read)) return
        const { password: _, ...resource } = read.data
        const written = writeResource(read.data, definitions)
        expect(written).toStrictEqual(resource)
        expect(unwrap(parseResource(definitions, written, { keepReadOnly: true }))).toStrictEqual(
          resource,
        )
      }),
      { numRuns },
    )
  })
})

it('any query string is read or rejected with a scimType', () => {
  const pair = fc.tuple(key, fc.oneof(scalar.map(String), fc.string({ unit: 'binary' })))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 6 }), fc.boolean(), (pairs, checked) => {
      const url = new URL('http://localhost/Users')
      for (const [name, value] of pairs) url.searchParams.append(name, value)
      const result = parseListQuery(url, checked ? { attributes: definitions, maxCount: 10 } : {})
      expectAnswer(result)
      if (isFailure(result)) return
      expect(result.data.startIndex).toBeGreaterThanOrEqual(1)
      expect(Number.isSafeInteger(result.data.count)).toBe(true)
      if (checked) expect(result.data.count).toBeLessThanOrEqual(10)
    }),
    { numRuns },
  )
})
