import { isFailure, unwrap } from '@plumbline/result'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '../constants.ts'
import { parseUser, userResource } from './user.ts'

const BADGES = 'urn:example:schemas:extension:badges:2.0:User'
const extensions = {
  badges: {
    urn: BADGES,
    schema: z.object({
      level: z.number().int().min(1),
      since: z.iso
        .datetime()
        .transform((text) => new Date(text))
        .optional(),
      badges: z.array(z.object({ name: z.string() })).optional(),
    }),
  },
}
const enterprise = { [ENTERPRISE_USER_SCHEMA]: { department: 'HR' } }

describe('the default extensions (RFC 7643 §4.3)', () => {
  it('the Enterprise User is read under enterprise, with the URN in any letter case', () => {
    const body = { userName: 'b', [ENTERPRISE_USER_SCHEMA.toUpperCase()]: { Department: 'HR' } }
    expect(unwrap(parseUser(body)).extensions).toStrictEqual({ enterprise: { department: 'HR' } })
  })

  it('a manager that is only the value string is read (Entra ID)', () => {
    const body = { userName: 'b', [ENTERPRISE_USER_SCHEMA]: { manager: 'm' } }
    const { extensions: read } = unwrap(parseUser(body))
    expect(read).toStrictEqual({ enterprise: { manager: { value: 'm' } } })
  })

  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a manager that is an empty string (Entra ID)', { manager: '' }],
    ['an object with only nulls', { department: null, manager: { value: null } }],
    ['an object with members the schema lacks', { shoeSize: 9 }],
    ['a manager with an empty value (Entra ID)', { manager: { Value: '', $ref: '../Users/' } }],
  ])('the extension is absent for %s', (_, value) => {
    const body = { userName: 'b', [ENTERPRISE_USER_SCHEMA]: value }
    expect(unwrap(parseUser(body)).extensions).toStrictEqual({})
  })

  it.each([
    ['values', { department: 'IT' }],
    ['null', null],
  ])(
    'an extension duplicated in different letter case is rejected, as any attribute: %s',
    (_, other) => {
      const body = { userName: 'b', ...enterprise, [ENTERPRISE_USER_SCHEMA.toUpperCase()]: other }
      const result = parseUser(body)
      expect(isFailure(result) && result.error).toMatchObject({
        status: 400,
        scimType: 'invalidValue',
        message: `${ENTERPRISE_USER_SCHEMA} is duplicated in different letter case`,
      })
    },
  )

  it('unlisted extensions are ignored', () => {
    const user = unwrap(parseUser({ userName: 'b', [BADGES]: { level: 0 } }))
    expect(user.extensions).toStrictEqual({})
  })
})

describe('custom extensions', () => {
  it('custom extensions replace the default', () => {
    const body = { userName: 'b', ...enterprise, [BADGES]: { level: 3 } }
    const user = unwrap(parseUser(body, { extensions }))
    expect(user.extensions).toStrictEqual({ badges: { level: 3 } })
  })

  it('custom extensions replace the default even if the map is empty', () => {
    const user = unwrap(parseUser({ userName: 'b', ...enterprise }, { extensions: {} }))
    expect(user.extensions).toStrictEqual({})
  })

  it('the default applies if the option is undefined', () => {
    const user = unwrap(parseUser({ userName: 'b', ...enterprise }, { extensions: undefined }))
    expect(user.extensions).toStrictEqual({ enterprise: { department: 'HR' } })
  })

  it("an extension returns the schema's output", () => {
    const body = { userName: 'b', [BADGES]: { level: 3, since: '2026-01-01T00:00:00Z', x: 1 } }
    const user = unwrap(parseUser(body, { extensions }))
    expect(user.extensions.badges).toStrictEqual({ level: 3, since: new Date('2026-01-01') })
  })

  it.each<[string, object, string]>([
    ['the value', {}, `${BADGES}:level is not valid: `],
    ['a member', { level: 0 }, `${BADGES}:level is not valid: `],
    ['an element', { level: 1, badges: [{ name: 'a' }, 5] }, `${BADGES}:badges[1] is not valid: `],
    ['a part', { level: 1, badges: [{ name: 5 }] }, `${BADGES}:badges[0].name is not valid: `],
  ])("an extension is rejected with the issue's path below the URN: %s", (_, value, message) => {
    const sent = Object.keys(value).length === 0 ? { other: 1 } : value
    const result = parseUser({ userName: 'b', [BADGES]: sent }, { extensions })
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType: 'invalidValue' })
    expect(result.error.message).toContain(message)
  })

  it.each([
    ['null', null],
    ['an empty object', {}],
  ])('an extension is absent, not rejected, if a client sends %s', (_, value) => {
    const user = unwrap(parseUser({ userName: 'b', [BADGES]: value }, { extensions }))
    expect(user.extensions).toStrictEqual({})
  })

  it('an issue path with object steps is part of the error (Standard Schema)', () => {
    const path = [{ key: 'badges' }, { key: 1 }, { key: 'name' }]
    const schema: StandardSchemaV1 = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => ({ issues: [{ message: 'too long', path }] }),
      },
    }
    const badges = { badges: { urn: BADGES, schema } }
    const result = parseUser({ userName: 'b', [BADGES]: { level: 1 } }, { extensions: badges })
    expect(isFailure(result) && result.error.message).toBe(
      `${BADGES}:badges[1].name is not valid: too long`,
    )
  })

  it('an extension is rejected if its schema returns neither a value nor an issue', () => {
    const schema: StandardSchemaV1 = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [] }) },
    }
    const badges = { badges: { urn: BADGES, schema } }
    const result = parseUser({ userName: 'b', [BADGES]: { level: 1 } }, { extensions: badges })
    expect(isFailure(result) && result.error).toMatchObject({
      status: 400,
      scimType: 'invalidValue',
      message: `${BADGES} is not valid`,
    })
  })

  it('an extension schema must be synchronous: another schema is a program error', () => {
    const schema: StandardSchemaV1 = {
      '~standard': { version: 1, vendor: 'test', validate: async (value) => ({ value }) },
    }
    const parse = () =>
      parseUser(
        { userName: 'b', [BADGES]: { a: 1 } },
        { extensions: { a: { urn: BADGES, schema } } },
      )
    expect(parse).toThrow(TypeError)
  })

  it('an extension schema may throw, and the error is not reported as a client error', () => {
    const schema: StandardSchemaV1 = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => {
          throw new RangeError('ours')
        },
      },
    }
    const parse = () =>
      parseUser(
        { userName: 'b', [BADGES]: { a: 1 } },
        { extensions: { a: { urn: BADGES, schema } } },
      )
    expect(parse).toThrow(RangeError)
  })

  it('extensions are written under their URN, dates as strings, without empty values', () => {
    const user = {
      userName: 'b',
      extensions: { badges: { level: 3, since: new Date(0), badges: [], note: null, more: {} } },
    }
    expect(userResource(user, { extensions })).toStrictEqual({
      schemas: [USER_SCHEMA, BADGES],
      userName: 'b',
      [BADGES]: { level: 3, since: '1970-01-01T00:00:00.000Z' },
    })
  })

  it('extensions are written with their lists, dates as strings, without empty values', () => {
    const badges = {
      since: [new Date(0), null, new Date(1)],
      badges: [{ name: 'a', note: null, tags: [] }, {}, 'b', [undefined]],
    }
    expect(userResource({ userName: 'b', extensions: { badges } }, { extensions })).toStrictEqual({
      schemas: [USER_SCHEMA, BADGES],
      userName: 'b',
      [BADGES]: {
        since: ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z'],
        badges: [{ name: 'a' }, 'b'],
      },
    })
  })

  it('an extension missing from the map is not written', () => {
    const user = { userName: 'b', extensions: { badges: { level: 3 } } }
    expect(userResource(user)).toStrictEqual({ schemas: [USER_SCHEMA], userName: 'b' })
  })

  it("custom members are kept next to the Enterprise User's", () => {
    const own = { enterprise: { urn: ENTERPRISE_USER_SCHEMA, schema: z.looseObject({}) } }
    const wire = { department: 'HR', manager: { $ref: '/Users/m' }, shift: 'late' }
    const body = {
      schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA],
      userName: 'b',
      [ENTERPRISE_USER_SCHEMA]: wire,
    }
    const user = unwrap(parseUser(body, { extensions: own }))
    expect(userResource(user, { extensions: own })).toStrictEqual(body)
  })
})
