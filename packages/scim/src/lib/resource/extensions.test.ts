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
  it('read the Enterprise User under enterprise, its URN in any letter case', () => {
    const body = { userName: 'b', [ENTERPRISE_USER_SCHEMA.toUpperCase()]: { Department: 'HR' } }
    expect(unwrap(parseUser(body)).extensions).toStrictEqual({ enterprise: { department: 'HR' } })
  })

  it('read a manager that is the string of its value (Entra ID)', () => {
    const body = { userName: 'b', [ENTERPRISE_USER_SCHEMA]: { manager: 'm' } }
    const { extensions: read } = unwrap(parseUser(body))
    expect(read).toStrictEqual({ enterprise: { manager: { value: 'm' } } })
  })

  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a manager that is an empty string (Entra ID)', { manager: '' }],
    ['an object of nulls', { department: null, manager: { value: null } }],
    ['an object of members that the schema does not have', { shoeSize: 9 }],
    ['a manager with an empty value (Entra ID)', { manager: { Value: '', $ref: '../Users/' } }],
  ])('are absent for %s', (_, value) => {
    const body = { userName: 'b', [ENTERPRISE_USER_SCHEMA]: value }
    expect(unwrap(parseUser(body)).extensions).toStrictEqual({})
  })

  it.each([
    ['values', { department: 'IT' }],
    ['null', null],
  ])('reject one that is duplicated in different letter case, as any attribute: %s', (_, other) => {
    const body = { userName: 'b', ...enterprise, [ENTERPRISE_USER_SCHEMA.toUpperCase()]: other }
    const result = parseUser(body)
    expect(isFailure(result) && result.error).toMatchObject({
      status: 400,
      scimType: 'invalidValue',
      message: `${ENTERPRISE_USER_SCHEMA} is duplicated in different letter case`,
    })
  })

  it('ignore extensions that they do not list', () => {
    const user = unwrap(parseUser({ userName: 'b', [BADGES]: { level: 0 } }))
    expect(user.extensions).toStrictEqual({})
  })
})

describe('extensions of the caller', () => {
  it('replace the default', () => {
    const body = { userName: 'b', ...enterprise, [BADGES]: { level: 3 } }
    const user = unwrap(parseUser(body, { extensions }))
    expect(user.extensions).toStrictEqual({ badges: { level: 3 } })
  })

  it('replace it also if the map is empty', () => {
    const user = unwrap(parseUser({ userName: 'b', ...enterprise }, { extensions: {} }))
    expect(user.extensions).toStrictEqual({})
  })

  it('are the default if the option is undefined', () => {
    const user = unwrap(parseUser({ userName: 'b', ...enterprise }, { extensions: undefined }))
    expect(user.extensions).toStrictEqual({ enterprise: { department: 'HR' } })
  })

  it('return the output of their schema', () => {
    const body = { userName: 'b', [BADGES]: { level: 3, since: '2026-01-01T00:00:00Z', x: 1 } }
    const user = unwrap(parseUser(body, { extensions }))
    expect(user.extensions.badges).toStrictEqual({ level: 3, since: new Date('2026-01-01') })
  })

  it.each<[string, object, string]>([
    ['the value', {}, `${BADGES}:level is not valid: `],
    ['a member', { level: 0 }, `${BADGES}:level is not valid: `],
    ['an element', { level: 1, badges: [{ name: 'a' }, 5] }, `${BADGES}:badges[1] is not valid: `],
    ['a part', { level: 1, badges: [{ name: 5 }] }, `${BADGES}:badges[0].name is not valid: `],
  ])('are rejected with the path of the issue below the URN: %s', (_, value, message) => {
    const sent = Object.keys(value).length === 0 ? { other: 1 } : value
    const result = parseUser({ userName: 'b', [BADGES]: sent }, { extensions })
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType: 'invalidValue' })
    expect(result.error.message).toContain(message)
  })

  it.each([
    ['null', null],
    ['an empty object', {}],
  ])('are absent, not rejected, if a client sends %s', (_, value) => {
    const user = unwrap(parseUser({ userName: 'b', [BADGES]: value }, { extensions }))
    expect(user.extensions).toStrictEqual({})
  })

  it('are rejected with the path of an issue whose steps are objects (Standard Schema)', () => {
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

  it('are rejected if their schema returns neither a value nor an issue', () => {
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

  it('must be synchronous: any other schema is an error of the program', () => {
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

  it('may throw an error of their own: it is not reported as an error of the client', () => {
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

  it('are written under their URN, dates as strings, without empty values', () => {
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

  it('are written with their lists, dates as strings, without empty values', () => {
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

  it('are not written by a map that does not list them', () => {
    const user = { userName: 'b', extensions: { badges: { level: 3 } } }
    expect(userResource(user)).toStrictEqual({ schemas: [USER_SCHEMA], userName: 'b' })
  })

  it('keep members of their own next to those of the Enterprise User', () => {
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
