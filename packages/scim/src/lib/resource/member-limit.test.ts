import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import {
  BULK_REQUEST_SCHEMA,
  PATCH_OP_SCHEMA,
  SEARCH_REQUEST_SCHEMA,
  USER_SCHEMA,
} from '../constants.ts'
import { createScimEndpoint } from '../endpoint/endpoint.ts'
import { defineResourceType } from '../endpoint/options/resource-type.ts'
import { memoryStore } from '../memory/store.ts'
import { applyPatch } from '../patch/apply.ts'
import { parsePatch } from '../patch/parse.ts'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '../schema/core-schemas.ts'
import { createWorkBudget } from '../work-budget.ts'
import { parseResource } from './parse-resource.ts'
import { parseUser } from './user.ts'

const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE]: ENTERPRISE_USER_DEFINITION,
}
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))
const tooMany = { error: { status: 400, scimType: 'tooMany' } }

describe("a body's members are counted (RFC 7644 Table 9, tooMany)", () => {
  it.each<[string, (count: number) => object]>([
    ['in the resource', (count) => unknown(count)],
    ['in a complex attribute', (count) => ({ name: unknown(count) })],
    [
      'in several values',
      (count) => ({
        emails: [
          { value: 'a', ...unknown(600) },
          { value: 'b', ...unknown(count - 600) },
        ],
      }),
    ],
    ['in an extension', (count) => ({ [ENTERPRISE]: { department: 'x', ...unknown(count) } })],
  ])('1,000 members without a definition are accepted, and one more is rejected: %s', (_, sent) => {
    const read = (count: number) =>
      parseResource(definitions, { userName: 'b', ...sent(count) }, { budget: createWorkBudget() })
    expect(unwrap(read(1_000))).toMatchObject({ userName: 'b' })
    expect(read(1_001)).toMatchObject(tooMany)
  })

  it('each member spends ten budget steps', () => {
    const budget = createWorkBudget(1_000)
    const body = { userName: 'b', name: { givenName: 'a', familyName: 'b' }, title: 'c', other: 1 }
    unwrap(parseResource(definitions, body, { budget }))
    expect(budget.remaining).toBe(1_000 - 10 * 6)
    const few = createWorkBudget(59)
    expect(parseResource(definitions, body, { budget: few })).toMatchObject(tooMany)
  })

  it('a resource the caller passes is read without a budget and without a member limit', () => {
    const read = parseResource(definitions, { userName: 'b', ...unknown(1_001) })
    expect(unwrap(read)).toMatchObject({ userName: 'b' })
  })

  it('a user read as a model has limited unknown members', () => {
    expect(parseUser({ userName: 'b', ...unknown(1_001) })).toMatchObject(tooMany)
  })
})

describe('members in PATCH values are counted (RFC 7644 Table 9, tooMany)', () => {
  const patched = (operation: object, budget = createWorkBudget()) => {
    const body = { schemas: [PATCH_OP_SCHEMA], Operations: [operation] }
    const tolerate = ['unknown-attributes'] as const
    return applyPatch({ userName: 'b' }, unwrap(parsePatch(body)), {
      definitions,
      budget,
      tolerate,
    })
  }

  it.each<[string, (count: number) => object]>([
    ['without a path', (count) => ({ op: 'add', value: unknown(count) })],
    ['with a path', (count) => ({ op: 'add', path: 'name', value: unknown(count) })],
    ['in an extension', (count) => ({ op: 'add', path: ENTERPRISE, value: unknown(count) })],
    [
      'in several values',
      (count) => ({ op: 'add', path: 'emails', value: [unknown(600), unknown(count - 600)] }),
    ],
  ])(
    '1,000 unknown members in a PATCH are ignored, and one more is rejected: %s',
    (_, operation) => {
      expect(patched(operation(1_000)).status).toBe('success')
      expect(patched(operation(1_001))).toMatchObject(tooMany)
    },
  )

  it('each member in a PATCH value spends ten budget steps', () => {
    const value = { givenName: 'a', familyName: 'b' }
    const budget = createWorkBudget(1_000)
    unwrap(patched({ op: 'add', path: 'name', value }, budget))
    expect(budget.remaining).toBe(1_000 - 10 * 2)
    expect(patched({ op: 'add', value: { name: value } }, createWorkBudget(29))).toMatchObject(
      tooMany,
    )
  })
})

describe('an endpoint rejects bodies with too many unknown members', () => {
  const store = memoryStore({ definitions })
  const scim = createScimEndpoint({
    basePath: '/',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
    authenticate: async () => ({}),
  })
  const send = async (method: string, path: string, body: object) => {
    const init = { method, body: JSON.stringify(body) }
    const request = new Request(`http://localhost${path}`, init)
    request.headers.set('Content-Type', 'application/scim+json')
    const response = await scim.fetch(request)
    return { status: response.status, body: await response.json() }
  }
  const many = unknown(1_101)
  const user = { schemas: [USER_SCHEMA], userName: 'b' }
  const rejected = { status: 400, body: { scimType: 'tooMany' } }

  it.each<[string, string, string, object]>([
    ['a POST', 'POST', '/Users', { ...user, ...many }],
    ['a PUT', 'PUT', '/Users/1', { ...user, ...many }],
    ['the PATCH body', 'PATCH', '/Users/1', { schemas: [PATCH_OP_SCHEMA], ...many }],
    [
      'a PATCH operation',
      'PATCH',
      '/Users/1',
      { schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'add', ...many }] },
    ],
    ['a search', 'POST', '/Users/.search', { schemas: [SEARCH_REQUEST_SCHEMA], ...many }],
    ['the bulk request body', 'POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], ...many }],
  ])('too many unknown members are rejected in %s', async (_, method, path, body) => {
    expect(await send(method, path, body)).toMatchObject(rejected)
  })

  it('each bulk operation is counted separately (RFC 7644 §3.7)', async () => {
    const create = (userName: string, more: object) => ({
      method: 'POST',
      path: '/Users',
      bulkId: userName,
      data: { ...user, userName, ...more },
    })
    const Operations = [create('a', unknown(900)), create('b', unknown(900)), create('c', many)]
    const { body } = await send('POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations })
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual([
      '201',
      '201',
      '400',
    ])
  })
})
