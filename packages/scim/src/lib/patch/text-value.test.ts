import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import { applyPatch } from './apply.ts'
import { planMembership } from './membership-plan.ts'
import { parsePatch } from './parse.ts'

const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE]: ENTERPRISE_USER_DEFINITION,
}
const user = {
  userName: 'b',
  name: { familyName: 'Jensen' },
  emails: [{ value: 'a', type: 'work' }],
}
const json = JSON.stringify

function parse(...Operations: readonly object[]) {
  return parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations })
}

function patch(operation: object, resource: object = user) {
  const operations = parse(operation)
  return isFailure(operations) ? operations : applyPatch(resource, operations.data, { definitions })
}

// RFC 7644 §3.5.2: the `value` of an operation is an object or a list, and not its text.
describe('a PATCH value sent as JSON text', () => {
  it.each<[string, string | undefined, unknown]>([
    ['without a path', undefined, { title: 'T', name: { givenName: 'B' } }],
    ['a complex attribute', 'name', { givenName: 'B' }],
    ['a list of values', 'emails', [{ value: 'c' }, { value: 'd' }]],
    ['one value in place of a list', 'emails', { value: 'c', type: 'home' }],
    ['an empty list', 'emails', []],
    ['the value for a value path', 'emails[type eq "work"]', { value: 'c' }],
    ['an extension', ENTERPRISE, { department: 'Sales' }],
    ['a core schema', USER_DEFINITION.id, { title: 'T' }],
    ['a manager', `${ENTERPRISE}:manager`, { value: 'm', $ref: '../Users/m' }],
  ])('a PATCH value sent as JSON text is read: %s', (_, path, value) => {
    for (const op of ['add', 'replace']) {
      const expected = unwrap(patch({ op, path, value }))
      expect(unwrap(patch({ op, path, value: ` \n${json(value)}` }))).toStrictEqual(expected)
    }
  })

  it('JSON text inside a value without a path is read', () => {
    const value = { name: '{"givenName":"B"}', [ENTERPRISE]: '{"department":"Sales"}' }
    expect(unwrap(patch({ op: 'add', value }))).toMatchObject({
      name: { givenName: 'B', familyName: 'Jensen' },
      [ENTERPRISE]: { department: 'Sales' },
    })
  })

  it('JSON text is matched with the existing list values', () => {
    const emails = [{ value: 'a', type: 'work' }, { value: 'c' }]
    const value = json([{ value: 'A' }])
    expect(unwrap(patch({ op: 'add', path: 'emails', value }, { ...user, emails }))).toMatchObject({
      emails: [{ value: 'a', type: 'work' }, { value: 'c' }],
    })
    expect(
      unwrap(patch({ op: 'remove', path: 'emails', value }, { ...user, emails })),
    ).toMatchObject({ emails: [{ value: 'c' }] })
  })

  it('JSON text is read in the plan for a group with any size', () => {
    const members = [{ value: 'u1' }, { value: 'u2' }]
    for (const op of ['add', 'replace', 'remove']) {
      const planned = (value: unknown) =>
        planMembership(unwrap(parse({ op, path: 'members', value })))
      expect(planned(json(members))).toStrictEqual(planned(members))
      expect(planned(members)).not.toBeNull()
    }
    const group = { displayName: 'T', members }
    const operations = unwrap(
      parse({ op: 'replace', value: json({ ...group, members: json(members) }) }),
    )
    expect(planMembership(operations)?.replace).toStrictEqual(members)
    const groups = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
    expect(unwrap(applyPatch({ displayName: 'S' }, operations, { definitions: groups }))).toEqual(
      group,
    )
  })
})

describe('a PATCH value that is text', () => {
  it.each<[string, string, string, object]>([
    ['for a string attribute', 'title', '{"a":1}', { title: '{"a":1}' }],
    [
      'for a sub-attribute',
      'name.givenName',
      '["a"]',
      { name: { givenName: '["a"]', familyName: 'Jensen' } },
    ],
    ['for a list, if it is not JSON', 'emails', '[a]', { emails: [{ value: '[a]' }] }],
    [
      'for a part in a value',
      'emails[type eq "work"].value',
      '{}',
      { emails: [{ value: '{}', type: 'work' }] },
    ],
    ['a bare value that is JSON, but not an object', 'emails', '5', { emails: [{ value: '5' }] }],
  ])('a PATCH value stays text: %s', (_, path, value, expected) => {
    expect(unwrap(patch({ op: 'replace', path, value }))).toMatchObject(expected)
  })
})

describe('JSON text beyond the body limits', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const members = json(Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`a${at}`, 1])))
  it.each<[string, string, string]>([
    ['depth', nested(65), 'invalidSyntax'],
    ['depth far beyond the stack', nested(100_000), 'invalidSyntax'],
    ['members in an object', members, 'tooMany'],
    ['lone surrogates', '{"title":"\\ud800"}', 'invalidSyntax'],
  ])('JSON text in a PATCH value is rejected for %s', (_, value, scimType) => {
    for (const path of [undefined, 'name', 'emails', ENTERPRISE]) {
      expect(patch({ op: 'replace', path, value })).toMatchObject({
        error: { status: 400, scimType },
      })
    }
  })

  it('JSON text keeps only own members', () => {
    const polluting = '{"__proto__":{"title":"x"},"constructor":{"prototype":{}}}'
    for (const path of [undefined, 'name', 'emails']) {
      const error = { status: 400, scimType: 'invalidPath' }
      expect(patch({ op: 'add', path, value: polluting })).toMatchObject({ error })
    }
    expect('title' in {}).toBe(false)
  })
})
