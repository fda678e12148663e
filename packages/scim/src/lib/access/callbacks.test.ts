import { describe, expect, it } from 'vitest'
import {
  GROUP_DEFINITIONS,
  patchOf,
  sender,
  USER_DEFINITIONS,
} from '../../../test/endpoint/serve.ts'
import { createScimEndpoint } from '../endpoint/endpoint.ts'
import { defineResourceType } from '../endpoint/options/resource-type.ts'
import type { ResourceStore } from '../endpoint/options/store.ts'
import { uniquenessError } from '../error.ts'
import { memoryStore } from '../memory/store.ts'
import type { Access, AccessChange } from './grants.ts'
import type { ProjectionOptions } from './options.ts'
import { projection } from './projection.ts'

interface Context {
  readonly tenant: string
  readonly tx?: string
}
type Options = ProjectionOptions<Context, string | number | bigint, string>

const FREE = { account: 1, isVerified: true, linkedTo: null }

/** Serves users and groups in memory. The callbacks may return anything, as in JavaScript. */
function open(
  callbacks: Record<string, unknown> = {},
  serve: (store: ResourceStore) => ResourceStore = (store) => store,
) {
  const stored = new Map<string, Access<string | number | bigint, string>>()
  const applied: AccessChange<string | number | bigint, string>[] = []
  const { find, mayManage, create, attribute, limits = {}, ...others } = callbacks
  const link = {
    attribute: attribute ?? 'emails.value',
    find: find ?? (() => null),
    mayManage: mayManage ?? (() => true),
    create: create ?? (() => 9),
  }
  const options = {
    link,
    roles: () => ['member'],
    read: () => stored,
    stored: (after: string | null) =>
      [...stored.keys()].filter((id) => after === null || id > after),
    apply: (changes: typeof applied) => {
      for (const change of changes) {
        applied.push(change)
        const { user, isDeleted, ...rest } = change
        if (isDeleted) stored.delete(user)
        else stored.set(user, rest)
      }
    },
    ...others,
  }
  const access = projection(options as unknown as Options)
  const errors: unknown[] = []
  const groups = memoryStore({ definitions: GROUP_DEFINITIONS })
  const users = memoryStore({ definitions: USER_DEFINITIONS, groups })
  const endpoint = createScimEndpoint<Context>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({
        name: 'User',
        endpoint: '/Users',
        definitions: USER_DEFINITIONS,
        store: serve(users),
      }),
      defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    authenticate: async () => ({ tenant: 'a' }),
    transaction: (context, work) => work({ ...context, tx: 't1' }),
    onChange: access.onChange,
    limits: limits as object,
    onError: (error) => errors.push(error),
  })
  const send = sender(endpoint.fetch)
  return {
    access,
    endpoint,
    stored,
    applied,
    errors,
    send,
    users,
    createUser: (...values: readonly string[]) =>
      send('POST', '/Users', { userName: 'ada', emails: values.map((value) => ({ value })) }),
  }
}

const NO_BOOLEANS = [undefined, null, 'false', 'true', 'f', '', 0, 1, 1n, Uint8Array.of(0), [], {}]

describe('a callback with a result other than true or false is a 500, and never links', () => {
  it.each(NO_BOOLEANS)('isVerified %o is a 500', async (isVerified) => {
    const { createUser, errors, applied } = open({ find: () => ({ ...FREE, isVerified }) })
    expect((await createUser('ada@x')).status).toBe(500)
    expect(errors).toEqual([expect.any(TypeError)])
    expect(String(errors[0])).toContain('isVerified of link.find must be true or false, not ')
    expect(applied).toEqual([])
  })

  it.each(NO_BOOLEANS)('mayManage returning %o is a 500', async (answer) => {
    for (const mayManage of [() => answer, async () => answer]) {
      const { createUser, errors, applied } = open({ find: () => FREE, mayManage })
      expect((await createUser('ada@x')).status).toBe(500)
      expect(String(errors)).toContain('the result of link.mayManage must be true or false, not ')
      expect(applied).toEqual([])
    }
  })

  it.each([
    ['isVerified is false', { find: () => ({ ...FREE, isVerified: false }) }],
    ['mayManage is false', { find: () => FREE, mayManage: () => false }],
    ['mayManage resolves to false', { find: () => FREE, mayManage: async () => false }],
    ['another user has the account', { find: () => ({ ...FREE, linkedTo: 'u' }) }],
    ['create returns null', { create: () => null }],
  ])('%s: the answer is 409 uniqueness and nothing is stored', async (_, callbacks) => {
    const { createUser, errors, applied } = open(callbacks)
    expect(await createUser('ada@x')).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', detail: 'emails.value is already taken' },
    })
    expect([errors, applied]).toEqual([[], []])
  })
})

describe('a callback with a wrong result type is a 500, and the error names the callback', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'find undefined',
      { find: () => undefined },
      'the result of link.find must be an object or null',
    ],
    ['find a list', { find: () => [FREE] }, 'the result of link.find must be'],
    [
      'linkedTo undefined',
      { find: () => ({ ...FREE, linkedTo: undefined }) },
      'linkedTo of link.find must be',
    ],
    [
      'linkedTo a number',
      { find: () => ({ ...FREE, linkedTo: 7 }) },
      'linkedTo of link.find must be',
    ],
    [
      'account undefined',
      { find: () => ({ ...FREE, account: undefined }) },
      'account of link.find must be',
    ],
    [
      'account a row',
      { find: () => ({ ...FREE, account: { id: 1 } }) },
      'account of link.find must be',
    ],
    [
      'account NaN',
      { find: () => ({ ...FREE, account: Number.NaN }) },
      'account of link.find must be',
    ],
    ['create undefined', { create: () => undefined }, 'the result of link.create must be'],
    ['create a row', { create: () => ({ id: 1 }) }, 'the result of link.create must be'],
    ['create NaN', { create: () => Number.NaN }, 'the result of link.create must be'],
    ['create a rounded id', { create: () => 2 ** 53 }, 'the result of link.create must be'],
    [
      'create an account that the tenant may not manage',
      { create: () => 9, mayManage: () => false },
      'link.create returned an account that link.mayManage does not permit',
    ],
    ['create an empty string', { create: () => '' }, 'the result of link.create must be'],
    ['read a list', { read: () => [] }, 'the result of read must be a Map'],
    [
      'read by numbers',
      { read: () => new Map([[7, {}]]) },
      "a key of read must be a user's id (a string), not 7",
    ],
  ])('%s is a 500', async (_, callbacks, message) => {
    const { createUser, errors, applied } = open(callbacks)
    expect((await createUser('ada@x')).status).toBe(500)
    expect(errors).toEqual([expect.any(TypeError)])
    expect(String(errors[0])).toContain(message)
    expect(applied).toEqual([])
  })

  const GRANT = { role: 'x', because: { group: 'g', requestId: 'r' } }
  it.each<[string, object, string]>([
    ...NO_BOOLEANS.map((isActive): [string, object, string] => [
      `isActive ${String(isActive)}`,
      { isActive },
      'isActive of read must be true or false',
    ]),
    ['no account', { account: null }, 'account of read must be'],
    ['no grants', { grants: undefined }, 'grants of read must be a list'],
    ['a grant that is a string', { grants: ['x'] }, 'a role of read must be a string'],
    [
      'a grant without a group',
      { grants: [{ role: 'x' }] },
      'because.group of read must be a string, not undefined',
    ],
    [
      'a group that is a number',
      { grants: [{ ...GRANT, because: { group: 7, requestId: 'r' } }] },
      'because.group of read must be a string, not 7',
    ],
    [
      'a grant without a request',
      { grants: [{ ...GRANT, because: { group: 'g' } }] },
      'because.requestId of read must be a string',
    ],
  ])('read returning %s is a 500', async (_, wrong, message) => {
    const row = { account: 1, isActive: true, grants: [GRANT], ...wrong }
    const { send, createUser, access, errors, stored } = open({
      read: (ids: readonly string[]) =>
        stored.size === 0 ? new Map() : new Map(ids.map((id) => [id, row])),
    })
    const { body } = await createUser('ada@x')
    const patch = patchOf({ op: 'replace', path: 'title', value: 'x' })
    expect((await send('PATCH', `/Users/${body.id}`, patch)).status).toBe(500)
    expect(String(errors)).toContain(message)
    await expect(access.explain(body.id, { tenant: 'a' })).rejects.toThrow(message)
  })

  it.each([
    ['a string', () => 'admin', 'the result of roles must be a list of roles, not "admin"'],
    ['undefined', () => undefined, 'the result of roles must be a list of roles, not undefined'],
    ...[undefined, null, '', {}, new Set(['a']), 0.5, 2 ** 53].map(
      (role): [string, () => unknown, string] => [
        `a list with ${String(role)}`,
        () => ['a', role],
        'a role of roles must be a string, an integer or a bigint, not ',
      ],
    ),
  ])('roles returning %s is a 500', async (_, roles, message) => {
    const { send, createUser, errors } = open({ roles })
    const { body } = await createUser('ada@x')
    const group = { displayName: 'g', members: [{ value: body.id }] }
    expect((await send('POST', '/Groups', group)).status).toBe(500)
    expect(String(errors)).toContain(message)
  })

  it.each([0, 1, 'false', Uint8Array.of(0)])(
    'a store whose active is %o is a 500, and the user does not stay active',
    async (active) => {
      const { createUser, errors, applied } = open({}, (store) => ({
        ...store,
        list: async (context, request) => {
          const { resources } = (await store.list(context, request)) as {
            resources: readonly object[]
          }
          return { resources: resources.map((one) => ({ ...one, active })) as never }
        },
      }))
      expect((await createUser('ada@x')).status).toBe(500)
      expect(String(errors)).toContain('active in the store of User must be true or false')
      expect(applied).toEqual([])
    },
  )

  it.each([
    ['undefined', () => undefined, 'the result of stored must be a list'],
    ['numbers', () => [7], 'the result of stored must be a list'],
    ['the same page again', () => ['u1', 'u2'], 'stored returned the user u2 again'],
  ])('stored returning %s makes reconcile fail', async (_, stored, message) => {
    const { access, endpoint } = open({ stored })
    await expect(access.reconcile(endpoint, { tenant: 'a' })).rejects.toThrow(message)
  })
})

it("every callback gets the transaction's context, with the tenant", async () => {
  const seen = new Map<string, unknown>()
  const answers = (name: string, value: (first: unknown) => unknown) => ({
    [name]: (first: unknown, context: Context) => {
      seen.set(name, context)
      return value(first)
    },
  })
  const row = new Map([['gone', { account: 1, isActive: true, grants: [] }]])
  const { access, endpoint, send, createUser } = open({
    ...answers('find', (value) => (value === 'ada@x' ? FREE : null)),
    ...answers('mayManage', () => true),
    ...answers('create', () => 2),
    ...answers('roles', () => []),
    ...answers('read', () => row),
    ...answers('apply', () => undefined),
    ...answers('stored', () => []),
  })
  const { body: ada } = await createUser('ada@x')
  await send('POST', '/Users', { userName: 'bob', emails: [{ value: 'bob@x' }] })
  await send('POST', '/Groups', { displayName: 'g', members: [{ value: ada.id }] })
  await access.reconcile(endpoint, { tenant: 'a' })
  const context = { tenant: 'a', tx: 't1' }
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(
      ['find', 'mayManage', 'create', 'roles', 'read', 'apply', 'stored'].map((one) => [
        one,
        context,
      ]),
    ),
  )
})

it('roles are compared as strings, so a bigint equals the string a driver returns', async () => {
  const { createUser, send, applied, stored } = open({ roles: () => [7n] })
  const { body } = await createUser('ada@x')
  await send('POST', '/Groups', { displayName: 'g', members: [{ value: body.id }] })
  const [grant] = stored.get(body.id)?.grants ?? []
  expect(grant).toMatchObject({ role: 7n })
  stored.set(body.id, { account: 9, isActive: true, grants: [{ ...Object(grant), role: '7' }] })
  applied.length = 0
  const patch = patchOf({ op: 'replace', path: 'title', value: 'x' })
  expect((await send('PATCH', `/Users/${body.id}`, patch)).status).toBe(200)
  expect(applied).toEqual([])
})

it('explain hides an account the tenant may not manage', async () => {
  const { access, createUser, send } = open({
    mayManage: (_: number, { tenant }: Context) => tenant === 'a',
  })
  const { body } = await createUser('ada@x')
  await send('POST', '/Groups', { displayName: 'g', members: [{ value: body.id }] })
  expect(await access.explain(body.id, { tenant: 'a' })).toMatchObject([{ role: 'member' }])
  expect(await access.explain(body.id, { tenant: 'b' })).toEqual([])
})

describe('a write that timed out while a callback was running', () => {
  it.each(['find', 'mayManage', 'create', 'roles', 'read'])(
    'a write that timed out stores nothing when %s returns',
    async (name) => {
      const answers: Record<string, unknown> = {
        find: null,
        mayManage: true,
        create: 9,
        roles: ['member'],
        read: new Map(),
      }
      let isSlow = false
      let end = (_: unknown): void => undefined
      const late = new Promise((resolve) => {
        end = resolve
      })
      const { createUser, send, applied } = open({
        limits: { writeTime: 100 },
        [name]: async () => {
          if (isSlow) await late
          return answers[name]
        },
      })
      const { body } = await createUser('ada@x')
      applied.length = 0
      isSlow = true
      const group = { displayName: 'g', members: [{ value: body.id }] }
      const isOfUser = name === 'roles' || name === 'read'
      const { status } = await (isOfUser
        ? send('POST', '/Groups', group)
        : send('POST', '/Users', { userName: 'eve', emails: [{ value: 'eve@x' }] }))
      expect(status).toBe(503)
      end(null)
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(applied).toEqual([])
    },
  )
})

it.each([
  ['numbers and strings from one driver', 1, '1'],
  ['bigints and numbers', 1n, 1],
  ['equal strings', 'a1', 'a1'],
])('a user with two addresses for one account is linked: %s', async (_, first, second) => {
  const { createUser, stored } = open({
    find: (value: string) => ({ ...FREE, account: value === 'a@x' ? first : second }),
  })
  expect((await createUser('a@x', 'b@x')).status).toBe(201)
  expect([...stored.values()].map(({ account }) => account)).toEqual([first])
})

it('a user with more than 100 addresses is 400 tooMany before the first look-up', async () => {
  let calls = 0
  const find = () => {
    calls += 1
    return null
  }
  const { createUser, send } = open({ find })
  const addresses = Array.from({ length: 101 }, (_, at) => `${at}@x`)
  expect(await createUser(...addresses)).toMatchObject({
    status: 400,
    body: { scimType: 'tooMany' },
  })
  expect(calls).toBe(0)
  const emails = addresses.slice(1).map((value) => ({ value }))
  expect((await send('POST', '/Users', { userName: 'bob', emails })).status).toBe(201)
  expect(calls).toBe(100)
})

describe('a duplicate the database rejects while linking a user is 409 uniqueness', () => {
  const ERRORS: readonly [string, object][] = [
    ['pg', { code: '23505', constraint: 'one_user' }],
    ['mysql2', { code: 'ER_DUP_ENTRY', errno: 1062 }],
    [
      'node:sqlite',
      {
        code: 'ERR_SQLITE_ERROR',
        errcode: 2067,
        message: 'UNIQUE constraint failed: links.account_id',
      },
    ],
    ['Prisma', { code: 'P2002' }],
    ['a query library', { cause: { code: '23505' } }],
  ]
  it.each(
    ERRORS.flatMap(([name, error]) => ['apply', 'create'].map((at) => [name, at, error] as const)),
  )('a duplicate that %s reports in %s is 409 uniqueness', async (_, callback, error) => {
    const { createUser, errors } = open({
      [callback]: () => {
        throw Object.assign(new Error('failed'), error)
      },
    })
    expect(await createUser('ada@x')).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    expect(errors).toEqual([])
  })

  it.each([
    ['another constraint', { code: '23503' }],
    ['a lost connection', { code: 'ECONNRESET' }],
  ])('%s is a 500', async (_, error) => {
    const thrown = Object.assign(new Error('failed'), error)
    const { createUser, errors } = open({
      apply: () => {
        throw thrown
      },
    })
    expect((await createUser('ada@x')).status).toBe(500)
    expect(errors).toEqual([thrown])
  })

  it('a duplicate role for a linked user is a 500, because the client did not cause it', async () => {
    let isFull = false
    const { createUser, send, errors, stored } = open({
      apply: (changes: AccessChange<number, string>[]) => {
        if (isFull) throw Object.assign(new Error('duplicate'), { code: '23505' })
        for (const { user, isDeleted: _, ...rest } of changes) stored.set(user, rest)
      },
    })
    const { body } = await createUser('ada@x')
    isFull = true
    const group = { displayName: 'g', members: [{ value: body.id }] }
    expect((await send('POST', '/Groups', group)).status).toBe(500)
    expect(errors).toHaveLength(1)
  })
})

describe('reconcile', () => {
  const gone = { account: 1, isActive: true, grants: [] }

  it('reconcile ends the access when a user no longer exists', async () => {
    const { access, endpoint, stored, applied } = open()
    stored.set('gone', gone)
    expect(await access.reconcile(endpoint, { tenant: 'a' })).toEqual({
      checked: 1,
      repaired: ['gone'],
      failed: [],
    })
    expect(applied).toEqual([
      { user: 'gone', account: 1, isActive: false, isDeleted: true, grants: [] },
    ])
  })

  it('reconcile keeps access this tenant may not manage: stored may ignore the context', async () => {
    const { access, endpoint, stored, applied } = open({ mayManage: () => false })
    stored.set('of another tenant', gone)
    const { repaired, failed } = await access.reconcile(endpoint, { tenant: 'a' })
    expect([repaired, applied]).toEqual([[], []])
    expect(failed).toEqual([
      {
        user: 'of another tenant',
        scimType: 'uniqueness',
        reason: 'mayManage returned false',
      },
    ])
  })

  it('reconcile reports a user whose account this tenant may no longer manage, and keeps the access', async () => {
    let isManaged = true
    const { access, endpoint, createUser, stored, send, applied } = open({
      find: () => FREE,
      mayManage: () => isManaged,
    })
    const { body } = await createUser('ada@x')
    const before = stored.get(body.id)
    isManaged = false
    expect(await access.reconcile(endpoint, { tenant: 'a' })).toEqual({
      checked: 1,
      repaired: [],
      failed: [{ user: body.id, scimType: 'uniqueness', reason: 'mayManage returned false' }],
    })
    expect(stored.get(body.id)).toBe(before)
    // A write of the client is not rejected.
    await send('DELETE', `/Users/${body.id}`)
    expect(applied.at(-1)).toMatchObject({ user: body.id, isDeleted: true })
  })

  it('reconcile reports a user whose link the application rejects, and stops at a database error', async () => {
    let thrown: unknown = uniquenessError('emails.value')
    const { access, endpoint, users } = open({
      apply: () => {
        throw thrown
      },
    })
    for (const userName of ['ada', 'bob']) {
      await users.create({ userName }, {}, {} as never)
    }
    const { checked, failed } = await access.reconcile(endpoint, { tenant: 'a' })
    expect(checked).toBe(2)
    expect(failed.map(({ reason }) => reason)).toEqual(
      Array(2).fill('emails.value is already taken'),
    )
    thrown = new Error('connection lost')
    await expect(access.reconcile(endpoint, { tenant: 'a' })).rejects.toThrow('connection lost')
  })
})
