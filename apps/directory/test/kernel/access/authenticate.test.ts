import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { writeAccessToken } from '../../../src/kernel/access/access-token.ts'
import {
  accessOf,
  authenticate,
  explainRejection,
  findPrincipal,
  principalOf,
  TenantNotFoundError,
} from '../../../src/kernel/access/authenticate.ts'
import { createClient } from '../../../src/kernel/access/client-store.ts'
import { accessTokenKey } from '../../../src/kernel/access/signing-key.ts'
import { DEFAULT_TENANT } from '../../../src/kernel/access/tenant-store.ts'
import { forgetTokens, lookUpToken } from '../../../src/kernel/access/token-cache.ts'
import { createToken, type TokenOptions } from '../../../src/kernel/access/token-store.ts'
import { MINUTE } from '../../../src/kernel/durations.ts'
import { profileOf } from '../../../src/kernel/profiles.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { newTenant } from '../../support/in-scope.ts'

const START = 1_700_000_000_000

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
    background: (work) => {
      calls.writes += 1
      return failure === null ? database.background(work) : Promise.reject(failure)
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

describe("a token's principal", () => {
  it("the environment token's principal is an administrator, without a read", async () => {
    const { find, calls } = open()
    expect(await find('root-token')).toEqual({
      tokenId: null,
      tenantId: DEFAULT_TENANT,
      role: 'admin',
      profile: 'standard',
      access: 'write',
      userId: null,
    })
    expect(calls).toEqual({ reads: 0, writes: 0 })
    expect(await find('root-tokens')).toBeNull()
  })

  it("a principal has the token's tenant, profile and user", async () => {
    const tenantId = await newTenant(database)
    const { row, text } = await tokenOf({ tenantId, userId: 'u1' })
    expect(await open().find(text)).toEqual({
      tokenId: row.id,
      tenantId,
      role: 'client',
      profile: 'okta',
      access: 'write',
      userId: 'u1',
    })
  })

  it('a principal is an administrator if the token does not belong to a tenant', async () => {
    const { row, text } = await tokenOf({ tenantId: null, role: 'admin' })
    expect(await open().find(text)).toEqual({
      tokenId: row.id,
      tenantId: DEFAULT_TENANT,
      role: 'admin',
      profile: 'okta',
      access: 'write',
      userId: null,
    })
  })

  it.each([
    ['admin', null, 'admin'],
    ['client', null, 'client'],
    ['admin', 'a', 'client'],
  ])(
    'a principal has a role: a row with %s and the tenant %j is %s',
    async (role, tenant_id, expected) => {
      const { row } = await tokenOf()
      expect(principalOf({ ...row, role, tenant_id }, START)?.role).toBe(expected)
    },
  )

  it.each([
    ['entra', 'entra'],
    ['okta', 'okta'],
    ['standard', 'standard'],
    ['other', 'standard'],
  ])('the principal of a token with the profile %s has the profile %s', (text, profile) => {
    expect(profileOf(text)).toBe(profile)
  })

  it.each([
    ['write', 'write'],
    ['read', 'read'],
    ['other', 'read'],
  ])('the principal of a token with the access %s has the access %s', (text, access) => {
    expect(accessOf(text)).toBe(access)
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

it('a token may have every character in RFC 6750 §2.1', async () => {
  const token = 'aZ09-._~+/=='
  const { auth } = open()
  const principal = await authenticate(bearing(token), { ...auth, token })
  expect(principal).toMatchObject({ tokenId: null, role: 'admin' })
})

it('a missing tenant has an error with its id', () => {
  expect({ ...new TenantNotFoundError('acme') }).toEqual({ name: 'TenantNotFoundError' })
  expect(new TenantNotFoundError('acme').message).toBe('tenant acme not found')
})

it('an access token may only read after its client was limited to reading', async () => {
  const { auth, find, store } = open()
  const { row } = await database.write((db) =>
    createClient(db, {
      tenantId: tenant,
      name: 'a',
      profile: 'okta',
      access: 'write',
      userId: null,
      keys: null,
      now: START,
    }),
  )
  const { id: clientId, revision } = row
  const content = { clientId, tenantId: tenant, revision, access: 'write' } as const
  const expiresAt = START + MINUTE
  const text = writeAccessToken({ ...content, expiresAt }, await accessTokenKey(store))
  expect(await find(text)).toMatchObject({ tokenId: clientId, access: 'write' })
  const change = sql`update clients set access = 'read' where id = ${clientId}`
  await database.write((db) => db.exec(change))
  forgetTokens(auth.store)
  expect(await find(text)).toMatchObject({ tokenId: clientId, access: 'read' })
})

describe("a path's tenant", () => {
  const principalAt = async (text: string, path: string) => {
    const { auth, calls } = open()
    const principal = await authenticate(bearing(text), auth, path)
    return { principal, calls }
  }

  it("a client's token must belong to the path's tenant", async () => {
    const other = await newTenant(database)
    const { row, text } = await tokenOf()
    const expected = { tokenId: row.id, tenantId: tenant, role: 'client' }
    expect((await principalAt(text, tenant)).principal).toMatchObject(expected)
    expect((await principalAt(text, other)).principal).toBeNull()
  })

  it('the tenant is not looked up for a client, which does not learn whether it exists', async () => {
    const { text } = await tokenOf()
    const { principal, calls } = await principalAt(text, 'nowhere')
    expect([principal, calls.reads]).toEqual([null, 1])
  })

  it("an administrator acts in the path's tenant", async () => {
    const { row, text } = await tokenOf({ tenantId: null, role: 'admin' })
    const expected = { tenantId: tenant, role: 'admin', profile: 'okta', access: 'write' }
    const { principal } = await principalAt(text, tenant)
    expect(principal).toEqual({ ...expected, tokenId: row.id, userId: null })
    const environment = await principalAt('root-token', tenant)
    expect(environment.principal).toMatchObject({ tokenId: null, tenantId: tenant, role: 'admin' })
  })

  it('the tenant must exist for an administrator, also the tenant default', async () => {
    const empty = await openSqlite(':memory:')
    const auth = { store: empty, token: 'root-token', now: () => START }
    for (const path of ['nowhere', DEFAULT_TENANT]) {
      await expect(authenticate(bearing('root-token'), auth, path)).rejects.toThrow(
        new TenantNotFoundError(path),
      )
    }
    await empty.close()
  })

  it('an administrator has the user only in the tenant default', async () => {
    const { text } = await tokenOf({ tenantId: null, role: 'admin', userId: 'u1' })
    await database.write((db) =>
      createTenant(db, { id: DEFAULT_TENANT, name: 'Default', created_at: 0 }),
    )
    expect((await principalAt(text, tenant)).principal?.userId).toBeNull()
    expect((await principalAt(text, DEFAULT_TENANT)).principal?.userId).toBe('u1')
  })

  it('the tenant is looked up once a second, and again if it does not exist', async () => {
    const { auth, calls, find } = open()
    const enter = (path: string) => authenticate(bearing('root-token'), auth, path)
    for (const later of [0, 999]) {
      await find('root-token', START + later)
      await enter(tenant)
    }
    expect(calls.reads).toBe(1)
    await find('root-token', START + 1_000)
    await enter(tenant)
    expect(calls.reads).toBe(2)
    for (const reads of [3, 4]) {
      await expect(enter('nowhere')).rejects.toThrow('tenant nowhere not found')
      expect(calls.reads).toBe(reads)
    }
  })
})

describe('an expiring token', () => {
  it('an expiring token is accepted before the expiry, and rejected at it, also from the cache', async () => {
    const { text } = await tokenOf({ expiresAt: START + 500 })
    const { find, calls } = open()
    expect(await find(text, START + 499)).not.toBeNull()
    expect(await find(text, START + 500)).toBeNull()
    expect(calls.reads).toBe(1)
  })

  it('an expired token is not used, and is looked up once a second', async () => {
    const { text } = await tokenOf({ expiresAt: START })
    const { find, calls } = open()
    for (const later of [0, 999]) expect(await find(text, START + later)).toBeNull()
    expect(calls).toEqual({ reads: 1, writes: 0 })
  })
})

describe("a rejection's reason", () => {
  const reject = async (text: string, path: string | null = null) => {
    const { auth } = open()
    expect(await authenticate(bearing(text), auth, path)).toBeNull()
    return await explainRejection(bearing(text), auth, path)
  }

  it.each([
    ['expired', { expiresAt: START }, null],
    ['other-tenant', {}, 'other'],
    // The path does not matter for a token that is not valid anywhere.
    ['expired', { expiresAt: START }, 'other'],
  ])(
    "the reason is %s, with the token's tenant: %j at the path of %j",
    async (reason, token, path) => {
      const { row, text } = await tokenOf(token)
      expect(await reject(text, path)).toEqual({ reason, tenantId: tenant, tokenId: row.id })
    },
  )

  it('the reason has the tenant default for an administrator', async () => {
    const { row, text } = await tokenOf({ tenantId: null, role: 'admin', expiresAt: START })
    expect(await reject(text, tenant)).toEqual({
      reason: 'expired',
      tenantId: DEFAULT_TENANT,
      tokenId: row.id,
    })
  })

  it("the reason is unknown for a wrong secret, without the token's tenant", async () => {
    const { row } = await tokenOf({ expiresAt: START })
    const unknown = { reason: 'unknown', tenantId: null, tokenId: null }
    expect(await reject(`${row.id}.wrong`, 'other')).toEqual(unknown)
  })

  it('the reason is unknown for a token valid by now', async () => {
    const { text } = await tokenOf()
    expect(await explainRejection(bearing(text), open().auth, tenant)).toMatchObject({
      reason: 'unknown',
    })
  })
})

function bearing(text: string): Request {
  return new Request('http://localhost', { headers: { Authorization: `Bearer ${text}` } })
}

it('a token with more than 500 characters is not searched', async () => {
  const { find, calls } = open()
  expect(await find('x'.repeat(501))).toBeNull()
  expect(calls.reads).toBe(0)
  expect(await find('x'.repeat(500))).toBeNull()
  expect(calls.reads).toBe(1)
})

it('the reason is not searched for a token with more than 500 characters', async () => {
  const { auth, calls } = open()
  const unknown = { reason: 'unknown', tenantId: null, tokenId: null }
  expect(await explainRejection(bearing('x'.repeat(501)), auth)).toEqual(unknown)
  expect(calls.reads).toBe(0)
  expect(await explainRejection(bearing('x'.repeat(500)), auth)).toEqual(unknown)
  expect(calls.reads).toBe(1)
})

describe('the token cache', () => {
  it.each([
    [999, 1],
    [1_000, 2],
    [-999, 1],
    // The clock was set back.
    [-1_000, 2],
  ])('after %i ms, the token cache has read the token %i times', async (later, reads) => {
    const { text } = await tokenOf()
    const { find, calls } = open()
    await find(text)
    expect(await find(text, START + later)).not.toBeNull()
    expect(calls.reads).toBe(reads)
  })

  it('the token cache does not contain missing tokens', async () => {
    const { find, calls } = open()
    expect(await find('unknown.secret')).toBeNull()
    expect(await find('unknown.secret')).toBeNull()
    expect(calls.reads).toBe(2)
  })

  it('the token cache is cleared for one database', async () => {
    const { text } = await tokenOf()
    const [one, other] = [open(), open()]
    for (const { find } of [one, other]) await find(text)
    forgetTokens(one.store)
    for (const { find } of [one, other]) await find(text)
    expect([one.calls.reads, other.calls.reads]).toEqual([2, 1])
  })
})

describe("a token's last use", () => {
  it('the last use is stored once a minute', async () => {
    const { text } = await tokenOf()
    const { find, calls } = open()
    for (const later of [0, 500, 2_000, MINUTE - 1]) await find(text, START + later)
    expect(calls.writes).toBe(1)
    await find(text, START + MINUTE)
    expect(calls.writes).toBe(2)
  })

  it('the last use may be lost if it cannot be stored', async () => {
    const { text } = await tokenOf()
    for (const error of [new StoreUnavailableError('busy'), new RangeError('a bug')]) {
      const { find, calls } = open(error)
      expect(await find(text)).not.toBeNull()
      expect(calls.writes).toBe(1)
    }
  })

  it('the last use delays no request while it is stored', async () => {
    const { text } = await tokenOf()
    const { store } = open()
    const hanging = { ...store, background: () => new Promise<never>(() => undefined) }
    expect(await lookUpToken(text, hanging, START)).not.toBeNull()
  })
})
