import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate, findPrincipal, forgetTokens, profileOf } from '../src/auth.ts'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../src/store/store.ts'
import { createToken, DEFAULT_TENANT, type TokenOptions } from '../src/store/tokens.ts'
import { newTenant } from './in-scope.ts'

const START = 1_700_000_000_000
const MINUTE = 60_000

let database: Store
let tenant: string
beforeAll(async () => {
  database = await openSqlite(':memory:')
  tenant = await newTenant(database)
})
afterAll(() => database.close())

/** A store that counts its reads and writes, and that may fail to write. */
function open(failure: unknown = null) {
  const calls = { reads: 0, writes: 0 }
  const store: Store = {
    ...database,
    read: (work, options) => {
      calls.reads += 1
      return database.read(work, options)
    },
    write: (work, options) => {
      calls.writes += 1
      return failure === null ? database.write(work, options) : Promise.reject(failure)
    },
  }
  let time = START
  const auth = { store, token: 'root-token', now: () => time }
  const find = async (text: string, at = START) => {
    time = at
    return await findPrincipal(text, auth)
  }
  return { auth, calls, find, store }
}

async function tokenOf(options: Partial<TokenOptions> = {}) {
  const common = { name: 'Test', role: 'client', profile: 'okta', now: 0 } as const
  return await database.write((db) => createToken(db, { ...common, tenantId: tenant, ...options }))
}

describe('the principal of a token', () => {
  it('of the environment is an administrator, without a read', async () => {
    const { find, calls } = open()
    expect(await find('root-token')).toEqual({
      ...{ tokenId: null, tenantId: DEFAULT_TENANT, role: 'admin' },
      ...{ profile: 'standard', userId: null },
    })
    expect(calls).toEqual({ reads: 0, writes: 0 })
    expect(await find('root-tokens')).toBeNull()
  })

  it('has the tenant, the profile and the user of the token', async () => {
    const tenantId = await newTenant(database)
    const { row, text } = await tokenOf({ tenantId, userId: 'u1' })
    expect(await open().find(text)).toEqual({
      ...{ tokenId: row.id, tenantId, role: 'client', profile: 'okta', userId: 'u1' },
    })
  })

  it('is an administrator if the token does not belong to a tenant', async () => {
    const { row, text } = await tokenOf({ tenantId: null, role: 'admin' })
    expect(await open().find(text)).toEqual({
      ...{ tokenId: row.id, tenantId: DEFAULT_TENANT, role: 'admin' },
      ...{ profile: 'okta', userId: null },
    })
  })

  it.each([
    ['entra', 'entra'],
    ['okta', 'okta'],
    ['standard', 'standard'],
    ['other', 'standard'],
  ])('with the profile %s is that of %s', (text, profile) => {
    expect(profileOf(text)).toBe(profile)
  })
})

it.each([
  ['Bearer root-token', true],
  ['bearer   root-token', true],
  ['Bearerroot-token', false],
  ['xBearer root-token', false],
  ['Bearer root-token x', false],
  ['Basic root-token', false],
])('the header "Authorization: %s" authenticates: %j (RFC 6750 §2.1)', async (header, known) => {
  const request = new Request('http://localhost', { headers: { Authorization: header } })
  expect((await authenticate(request, open().auth)) !== null).toBe(known)
})

it('a token of more than 500 characters is not searched', async () => {
  const { find, calls } = open()
  expect(await find('x'.repeat(501))).toBeNull()
  expect(calls.reads).toBe(0)
  expect(await find('x'.repeat(500))).toBeNull()
  expect(calls.reads).toBe(1)
})

describe('the cache of tokens', () => {
  it.each([
    [999, 1],
    [1_000, 2],
    [-999, 1],
    // The clock was set back.
    [-1_000, 2],
  ])('after %i ms, the token was read %i times', async (later, reads) => {
    const { text } = await tokenOf()
    const { find, calls } = open()
    await find(text)
    expect(await find(text, START + later)).not.toBeNull()
    expect(calls.reads).toBe(reads)
  })

  it('does not contain tokens that do not exist', async () => {
    const { find, calls } = open()
    expect(await find('unknown.secret')).toBeNull()
    expect(await find('unknown.secret')).toBeNull()
    expect(calls.reads).toBe(2)
  })

  it('is cleared for one database', async () => {
    const { text } = await tokenOf()
    const [one, other] = [open(), open()]
    for (const { find } of [one, other]) await find(text)
    forgetTokens(one.store)
    for (const { find } of [one, other]) await find(text)
    expect([one.calls.reads, other.calls.reads]).toEqual([2, 1])
  })
})

describe('the last use of a token', () => {
  it('is stored once a minute', async () => {
    const { text } = await tokenOf()
    const { find, calls } = open()
    for (const later of [0, 500, 2_000, MINUTE - 1]) await find(text, START + later)
    expect(calls.writes).toBe(1)
    await find(text, START + MINUTE)
    expect(calls.writes).toBe(2)
  })

  it('may be lost if the database is busy, and other errors are thrown', async () => {
    const { text } = await tokenOf()
    const busy = open(new StoreUnavailableError('busy'))
    expect(await busy.find(text)).not.toBeNull()
    expect(busy.calls.writes).toBe(1)
    const broken = open(new RangeError('a bug'))
    await expect(broken.find(text)).rejects.toThrow('a bug')
  })
})
