import { readFileSync } from 'node:fs'
import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '../constants.ts'
import { read, readOnly, rejected, repeated } from './user.cases.ts'
import { parseUser, userResource } from './user.ts'

function fixture(name: string): Record<string, unknown> {
  const url = new URL(`../../../test/fixtures/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'), (key, value) =>
    // The same instant, in the form in which dates are written.
    key === 'created' || key === 'lastModified' ? new Date(value).toISOString() : value,
  )
}

describe('the users in RFC 7643 §8', () => {
  it.each(['rfc7643-8.1-minimal-user', 'rfc7643-8.2-full-user', 'rfc7643-8.3-enterprise-user'])(
    '%s is written as it was read, without the password',
    (name) => {
      const { password: _, ...expected } = fixture(name)
      const written = userResource(unwrap(parseUser(fixture(name))))
      expect(written).toStrictEqual(expected)
      expect(userResource(unwrap(parseUser(written)))).toStrictEqual(expected)
    },
  )
})

it('a written user begins with schemas and ids, and ends with extensions and meta', () => {
  const enterprise = { department: 'd' }
  const sent = { active: true, userName: 'b', [ENTERPRISE_USER_SCHEMA]: enterprise }
  const user = unwrap(
    parseUser({ ...sent, meta: { resourceType: 'User' }, externalId: 'x', id: '1' }),
  )
  expect(Object.keys(userResource(user))).toEqual([
    'schemas',
    'id',
    'externalId',
    'userName',
    'active',
    ENTERPRISE_USER_SCHEMA,
    'meta',
  ])
})

it('the RFC 7643 §8.3 enterprise user is read into the model', () => {
  const user = unwrap(parseUser(fixture('rfc7643-8.3-enterprise-user')))
  expect(user).toMatchObject({
    userName: 'bjensen@example.com',
    password: 't1meMa$heen',
    groups: [{ display: 'Tour Guides', ref: expect.stringContaining('/Groups/') }, {}, {}],
    meta: { lastModified: new Date('2011-05-13T04:42:34Z') },
    extensions: {
      enterprise: {
        department: 'Tour Operations',
        manager: {
          displayName: 'John Smith',
          ref: '../Users/26118915-6090-4610-87e4-49d8ca9f808d',
        },
      },
    },
  })
  expect(Object.keys(user)).not.toContain('schemas')
})

describe('members next to userName are read (RFC 7643 §4.1)', () => {
  it.each(read)("a user's body is read: %s", (_, members, model) => {
    const body = { userName: 'b', ...members }
    const before = structuredClone(body)
    expect(unwrap(parseUser(body))).toStrictEqual({ userName: 'b', ...model, extensions: {} })
    expect(body).toStrictEqual(before)
  })
})

describe('malformed read-only members (RFC 7644 §3.3)', () => {
  it.each(readOnly)('a malformed read-only member is ignored: %s', (_, members, model) => {
    const user = unwrap(parseUser({ userName: 'b', ...members }))
    expect(user).toStrictEqual({ userName: 'b', extensions: {}, ...model })
  })
})

describe('repeated values (RFC 7643 §2.4)', () => {
  it.each(repeated)('a repeated (type, value) pair is dropped: %s', (_, members, model) => {
    const user = unwrap(parseUser({ userName: 'b', ...members }))
    expect(user).toStrictEqual({ userName: 'b', ...model, extensions: {} })
  })
})

describe('a body that is not an object is invalidSyntax (RFC 7644 §3.12)', () => {
  it.each([[null], [[{ userName: 'b' }]], ['bjensen'], [5], [undefined]])(
    'the body %j is invalidSyntax',
    (body) => {
      const result = parseUser(body)
      expect(isFailure(result) && result.error).toMatchObject({
        status: 400,
        scimType: 'invalidSyntax',
        message: 'the body must be a JSON object',
      })
    },
  )
})

describe('a rejected body is invalidValue, and the message names the member', () => {
  it.each(rejected)("a user's body is rejected: %s", (_, body, message) => {
    const isWhole = message.startsWith('userName')
    const result = parseUser(isWhole ? body : { userName: 'b', ...Object(body) })
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType: 'invalidValue' })
    expect(result.error.message.startsWith(message), result.error.message).toBe(true)
  })
})

describe('a user is written as a wire object (RFC 7643 §3)', () => {
  it('schemas lists the core schema and the present extensions', () => {
    const bare = { userName: 'b', extensions: {} }
    expect(userResource(bare)).toStrictEqual({ schemas: [USER_SCHEMA], userName: 'b' })
    const employee = { userName: 'b', extensions: { enterprise: { department: 'HR' } } }
    expect(userResource(employee)).toStrictEqual({
      schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA],
      userName: 'b',
      [ENTERPRISE_USER_SCHEMA]: { department: 'HR' },
    })
  })

  it('schemas and id come first, meta last, other members in RFC 7643 §8.7.1 order', () => {
    const user = {
      meta: { resourceType: 'User' },
      title: 'Guide',
      extensions: { enterprise: { department: 'HR' } },
      userName: 'b',
      externalId: 'x',
      id: '1',
    }
    expect(Object.keys(userResource(user))).toEqual([
      'schemas',
      'id',
      'externalId',
      'userName',
      'title',
      ENTERPRISE_USER_SCHEMA,
      'meta',
    ])
  })

  it('the password and empty values are omitted, even inside values', () => {
    const user = {
      userName: 'b',
      password: 'x',
      name: {},
      emails: [],
      addresses: [{}],
      roles: [{ value: 'admin' }, {}],
      extensions: { enterprise: { manager: {} } },
    }
    expect(userResource(user)).toStrictEqual({
      schemas: [USER_SCHEMA],
      userName: 'b',
      roles: [{ value: 'admin' }],
    })
  })

  it('false, empty strings and every list value are kept', () => {
    const user = { userName: 'b', active: false, nickName: '', extensions: {} }
    expect(userResource(user)).toMatchObject({ active: false, nickName: '' })
  })

  it('ref is written as $ref and dates as RFC 3339 strings, even inside an extension', () => {
    const user = {
      userName: 'b',
      groups: [{ value: 'g', ref: '../Groups/g' }],
      meta: { created: new Date(0) },
      extensions: { enterprise: { manager: { value: 'm', ref: '../Users/m' } } },
    }
    expect(userResource(user)).toMatchObject({
      groups: [{ value: 'g', $ref: '../Groups/g' }],
      meta: { created: '1970-01-01T00:00:00.000Z' },
      [ENTERPRISE_USER_SCHEMA]: { manager: { value: 'm', $ref: '../Users/m' } },
    })
    expect(JSON.stringify(userResource(user))).not.toContain('"ref"')
  })

  it('a member the schema does not define is not written', () => {
    const user = { userName: 'b', shoeSize: 9, extensions: {} }
    expect(userResource(user)).not.toHaveProperty('shoeSize')
  })
})
