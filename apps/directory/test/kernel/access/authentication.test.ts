import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { authenticate } from '../../../src/kernel/access/authenticate.ts'
import { createJobReports } from '../../../src/kernel/jobs/job-reports.ts'
import { PROFILE_NAMES } from '../../../src/kernel/profiles.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { type JobEntry, jobEntry } from '../../../src/shell/observe/request-log.ts'
import { type Client, connect, sender } from '../../support/harness.ts'

let store: Store
let client: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store)
})
afterAll(() => store.close())

async function statusOf(credentials: string): Promise<number> {
  const headers = { Authorization: credentials }
  return (await client.send('GET', '/Users?count=0', undefined, headers)).status
}

describe('the Authorization header (RFC 6750 §2.1)', () => {
  it.each([
    ['Bearer', 200],
    ['bearer', 200],
    ['BEARER', 200],
    ['bEaReR', 200],
    ['Bearer ', 200],
    ['Basic Bearer', 401],
    ['Basic', 401],
    ['Bearer Bearer', 401],
    ['Bearerx', 401],
    ['xBearer', 401],
    ['Digest x, Bearer', 401],
    ['', 401],
  ])('the header with the scheme %j (RFC 9110 §11.1) is answered %i', async (scheme, status) => {
    expect(await statusOf(`${scheme} ${client.token}`)).toBe(status)
  })

  it.each([
    ['a second part', (token: string) => `${token} x`],
    ['a parameter', (token: string) => `${token}, realm=x`],
    ['quotes', (token: string) => `"${token}"`],
    ['another letter case', (token: string) => token.toUpperCase()],
  ])('the header with %s is answered 401', async (_, change) => {
    expect(await statusOf(`Bearer ${change(client.token)}`)).toBe(401)
  })
})

it.each(PROFILE_NAMES)(
  "a tenant's token is a client with the profile %s and its user",
  async (profile) => {
    const { tenantId, token } = await connect(store, { profile, userId: 'u' })
    const request = new Request('http://localhost', {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(await authenticate(request, { store, token: null, now: Date.now })).toEqual({
      tokenId: token.split('.')[0],
      tenantId,
      role: 'client',
      profile,
      access: 'write',
      userId: 'u',
    })
  },
)

it("the environment's token is an administrator in the default tenant", async () => {
  const headers = { Authorization: 'Bearer of-the-environment' }
  const authority = { store, token: 'of-the-environment', now: () => 0 }
  expect(await authenticate(new Request('http://localhost', { headers }), authority)).toEqual({
    tokenId: null,
    tenantId: 'default',
    role: 'admin',
    profile: 'standard',
    access: 'write',
    userId: null,
  })
})

describe("a process's cached tokens", () => {
  it('the cached tokens do not include a revoked one if the clock is set back', async () => {
    const { token } = await connect(store)
    let time = Date.now()
    // A second store, like that of another process.
    const directory = createDirectory({ store: { ...store }, now: () => time })
    const send = sender(directory, token)
    expect((await send('GET', '/ServiceProviderConfig')).status).toBe(200)
    await store.write((db) => db.exec(sql`delete from tokens where id = ${idOf(token)}`))
    time += 1_000
    expect((await send('GET', '/ServiceProviderConfig')).status).toBe(401)
    time -= 1_000
    expect((await send('GET', '/ServiceProviderConfig')).status).toBe(401)
  })
})

it('a token with the role admin and a tenant cannot use the management API', async () => {
  const { send, token } = await connect(store)
  // Such a row can only exist in a database whose table does not have the constraint.
  await store.write(async (db) => {
    await db.exec(sql`pragma ignore_check_constraints = on`)
    await db.exec(sql`update tokens set role = 'admin' where id = ${idOf(token)}`)
    await db.exec(sql`pragma ignore_check_constraints = off`)
  })
  expect((await send('GET', '/api/tenants')).status).toBe(403)
  expect((await send('GET', '/Users?count=0')).status).toBe(200)
})

describe('the time when a token was last used', () => {
  const failing = (error: Error) => async (): Promise<never> => {
    throw error
  }

  it('the request does not fail if the time cannot be stored', async () => {
    const { token } = await connect(store)
    const write = failing(new StoreUnavailableError('the database is busy'))
    const directory = createDirectory({ store: { ...store, background: write } })
    expect((await sender(directory, token)('GET', '/Users?count=0')).status).toBe(200)
  })

  it('the next request writes the time if the first write failed', async () => {
    const { token, tenantId } = await connect(store)
    let isAway = true
    let writes = 0
    const background: Store['background'] = async (work) => {
      writes += 1
      if (isAway) throw new StoreUnavailableError('the database is busy')
      return await store.background(work)
    }
    let time = Date.now()
    const send = sender(
      createDirectory({ store: { ...store, background }, now: () => time }),
      token,
    )
    await send('GET', '/Users?count=0')
    isAway = false
    time += 60_000
    await send('GET', '/Users?count=0')
    await send('GET', '/Users?count=0')
    expect(writes).toBe(2)
    const admin = await connect(store, { role: 'admin' })
    const { body } = await admin.send('GET', `/api/tokens?tenantId=${tenantId}`)
    expect(body.tokens).toMatchObject([{ lastUsedAt: new Date(time).toISOString() }])
  })

  it('the request does not fail if writing the time raises an internal error, which is reported', async () => {
    const { token } = await connect(store)
    const background = failing(new TypeError('secret'))
    const jobs = createJobReports()
    const log: JobEntry[] = []
    jobs.writeTo((failure) => log.push(jobEntry(failure, Date.now())))
    const directory = createDirectory({ store: { ...store, background, jobs } })
    expect((await sender(directory, token)('GET', '/Users?count=0')).status).toBe(200)
    expect(log).toMatchObject([
      { job: 'last-use', level: 'error', error: expect.stringMatching(/^TypeError at /) },
    ])
    expect(JSON.stringify(log)).not.toContain('secret')
  })
})

function idOf(token: string): string {
  return token.split('.')[0] ?? ''
}
