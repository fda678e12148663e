import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import {
  BULK_REQUEST_SCHEMA,
  PATCH_OP_SCHEMA,
  SEARCH_REQUEST_SCHEMA,
  USER_SCHEMA,
} from '../constants.ts'
import { createScimEndpoint } from '../endpoint/endpoint.ts'
import { memoryStore } from '../endpoint/memory/store.ts'
import { defineResourceType } from '../endpoint/resource-type.ts'
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

describe('reading a body counts its members (RFC 7644 Table 9, tooMany)', () => {
  it.each<[string, (count: number) => object]>([
    ['of the resource', (count) => unknown(count)],
    ['of a complex attribute', (count) => ({ name: unknown(count) })],
    [
      'of several values',
      (count) => ({
        emails: [
          { value: 'a', ...unknown(600) },
          { value: 'b', ...unknown(count - 600) },
        ],
      }),
    ],
    ['of an extension', (count) => ({ [ENTERPRISE]: { department: 'x', ...unknown(count) } })],
  ])('accepts 1,000 members without a definition and rejects one more: %s', (_, sent) => {
    const read = (count: number) =>
      parseResource(definitions, { userName: 'b', ...sent(count) }, { budget: createWorkBudget() })
    expect(unwrap(read(1_000))).toMatchObject({ userName: 'b' })
    expect(read(1_001)).toMatchObject(tooMany)
  })

  it('spends ten steps of the budget for each member', () => {
    const budget = createWorkBudget(1_000)
    const body = { userName: 'b', name: { givenName: 'a', familyName: 'b' }, title: 'c', other: 1 }
    unwrap(parseResource(definitions, body, { budget }))
    expect(budget.remaining).toBe(1_000 - 10 * 6)
    const few = createWorkBudget(59)
    expect(parseResource(definitions, body, { budget: few })).toMatchObject(tooMany)
  })

  it('does not limit the members of a resource of the caller, which is read without a budget', () => {
    const read = parseResource(definitions, { userName: 'b', ...unknown(1_001) })
    expect(unwrap(read)).toMatchObject({ userName: 'b' })
  })

  it('limits the unknown members of a user that is read as a model', () => {
    expect(parseUser({ userName: 'b', ...unknown(1_001) })).toMatchObject(tooMany)
  })
})

describe('a PATCH counts the members of its values (RFC 7644 Table 9, tooMany)', () => {
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
    ['of an extension', (count) => ({ op: 'add', path: ENTERPRISE, value: unknown(count) })],
    [
      'of several values',
      (count) => ({ op: 'add', path: 'emails', value: [unknown(600), unknown(count - 600)] }),
    ],
  ])('ignores 1,000 unknown members, and rejects one more: %s', (_, operation) => {
    expect(patched(operation(1_000)).status).toBe('success')
    expect(patched(operation(1_001))).toMatchObject(tooMany)
  })

  it('spends ten steps of the budget for each member', () => {
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
    ['the body of a PATCH', 'PATCH', '/Users/1', { schemas: [PATCH_OP_SCHEMA], ...many }],
    [
      'an operation of a PATCH',
      'PATCH',
      '/Users/1',
      { schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'add', ...many }] },
    ],
    ['a search', 'POST', '/Users/.search', { schemas: [SEARCH_REQUEST_SCHEMA], ...many }],
    ['the body of a bulk request', 'POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], ...many }],
  ])('%s', async (_, method, path, body) => {
    expect(await send(method, path, body)).toMatchObject(rejected)
  })

  it('each operation of a bulk request is counted on its own (RFC 7644 §3.7)', async () => {
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
