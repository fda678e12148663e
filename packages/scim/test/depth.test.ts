import { parseGroup, parseSearchRequest, parseUser, SEARCH_REQUEST_SCHEMA } from '@plumbline/scim'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { describe, expect, it } from 'vitest'

// JSON.parse reads any depth without recursion, so the library must not recurse over the parsed value.

const USER = USER_DEFINITION.id
const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const definitions = { [USER]: USER_DEFINITION, [ENTERPRISE]: ENTERPRISE_USER_DEFINITION }

function patch(operation: object): ReturnType<typeof applyPatch> | ReturnType<typeof parsePatch> {
  const parsed = parsePatch({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  })
  if (parsed.status === 'failure') return parsed
  const user = { schemas: [USER], id: '1', userName: 'b', emails: [{ value: 'b', type: 'work' }] }
  return applyPatch(user, parsed.data, { definitions })
}

function expectRejected(result: { readonly status: string; readonly error?: unknown }): void {
  expect(result.status).toBe('failure')
  expect(result).toMatchObject({ error: { name: 'ScimError', status: 400 } })
}

describe('deep JSON', () => {
  const depth = 100_000
  const list = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  const object = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
  const own = (key: string) => JSON.parse(`${`{"${key}":`.repeat(20_000)}1${'}'.repeat(20_000)}`)

  it.each([
    ['lists', list],
    ['objects', object],
    ['extensions', own(ENTERPRISE)],
    ['core schemas', own(USER)],
    ['names', own('name')],
    ['values', own('value')],
    ['lists in emails', own('emails')],
  ])('deeply nested %s are rejected', (_, deep) => {
    expectRejected(parseUser(deep))
    expectRejected(parseGroup(deep))
    expectRejected(parsePatch(deep))
    expectRejected(parseSearchRequest(deep))
    expectRejected(parseUser({ userName: 'b', name: { givenName: deep } }))
    expectRejected(parseUser({ userName: 'b', schemas: deep }))
    expectRejected(parseSearchRequest({ schemas: [SEARCH_REQUEST_SCHEMA], filter: deep }))
    for (const op of ['add', 'replace']) {
      expectRejected(patch({ op, value: deep }))
      for (const path of [
        'title',
        'name.givenName',
        'emails',
        'emails.value',
        'schemas',
        'id',
        'meta',
        ENTERPRISE,
      ]) {
        expectRejected(patch({ op, path, value: deep }))
      }
    }
    expectRejected(patch({ op: 'remove', path: 'emails', value: deep }))
  })

  it('deeply nested JSON is accepted in an unknown group member, which is ignored', () => {
    expect(parseGroup({ displayName: 'g', other: object }).status).toBe('success')
  })
})
