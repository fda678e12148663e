import { beforeAll, expect, it } from 'vitest'
import { type Database, insertRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Answer, type Client, connect } from '../support/harness.ts'
import { fillUsers, nestGroups } from './filled.ts'
import { addUsers, ENDLESS } from './scans.ts'

const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

/** The limit of rows that one request may read: candidates, memberships, and the page itself. */
const MAX_ROWS = 60_000
const PAGE = 17 * 2 ** 20

/**
 * One tenant sends the most expensive requests while another tenant looks up a user, on every store. The
 * cost of a request is counted in rows and characters, not in time.
 */
export function hostileContract(storeOf: () => Store): void {
  let hostile: Client
  let victim: Client
  /** The number of rows that were read for the hostile tenant since this was set to 0. */
  let rows = 0
  /** Whether the searches of the hostile tenant run until they are stopped. */
  let isEndless = false

  beforeAll(async () => {
    hostile = await connect(watched(storeOf()))
    victim = await connect(storeOf())
    await addUsers(hostile)
    await addUsers(victim, 1)
  })

  const watched = (store: Store): Store => {
    const watch = <Value>(work: (db: Database) => Promise<Value>) => {
      return (db: Database) => work(counting(db, (count) => (rows += count)))
    }
    return {
      ...store,
      read: (work, options) => store.read(watch(work), options),
      scan: (work, options) =>
        store.scan(async (db) => {
          if (isEndless) await db.exec(ENDLESS)
          return await watch(work)(db)
        }, options),
    }
  }

  const lookUp = () => victim.send('GET', '/Users?filter=userName eq "user-0"')
  const served = { status: 200, body: { totalResults: 1 } }

  /** Sends a request of the hostile tenant and, while it runs, a look-up of the other tenant. */
  const attack = async (...request: Parameters<Client['send']>): Promise<Answer> => {
    rows = 0
    const answer = hostile.send(...request)
    expect(await lookUp()).toMatchObject(served)
    return await answer
  }

  it('a page with users in 2,800 nested groups ends at 16 MiB', async () => {
    const { tenantId } = hostile
    const memberIds = await fillUsers(storeOf(), tenantId, { count: 1_000, size: 100 })
    await nestGroups(storeOf(), tenantId, { count: 2_800, memberIds })
    const { status, body } = await attack('GET', '/Users?count=1000')
    expect(status).toBe(200)
    expect(body.itemsPerPage).toBe(body.Resources?.length)
    expect(JSON.stringify(body).length).toBeLessThan(PAGE)
    expect(rows).toBeLessThan(MAX_ROWS)
  })

  it('a filter in memory with 1,000 comparisons × 20,000 values fails with tooMany', async () => {
    for (let at = 0; at < 4; at += 1) {
      const phoneNumbers = Array.from({ length: 5_000 }, (_, place) => ({
        value: `${at}-${place}`,
      }))
      const user = { userName: `phones-${at}`, phoneNumbers }
      expect((await hostile.send('POST', '/Users', user)).status).toBe(201)
    }
    const filter = Array.from({ length: 1_000 }, (_, at) => `phoneNumbers co "z${at}"`).join(' or ')
    const answer = await attack('POST', '/Users/.search', { schemas: [SEARCH], filter })
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    expect(rows).toBeLessThan(MAX_ROWS)
  })

  it('a PATCH path with 45,000 comparisons is rejected', async () => {
    const { body } = await hostile.send('GET', '/Users?filter=userName eq "phones-0"')
    const filter = Array.from({ length: 45_000 }, (_, at) => `value co "z${at}"`).join(' or ')
    const operation = { op: 'replace', path: `phoneNumbers[${filter}].value`, value: 'x' }
    const patch = { schemas: [PATCH_OP], Operations: [operation] }
    const answer = await attack('PATCH', `/Users/${body.Resources?.[0]?.id}`, patch)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  it('a PATCH with 1,000 comparisons × 5,000 values fails with tooMany', async () => {
    const { body } = await hostile.send('GET', '/Users?filter=userName eq "phones-0"')
    const filter = Array.from({ length: 1_000 }, (_, at) => `value co "z${at}"`).join(' or ')
    const operation = { op: 'replace', path: `phoneNumbers[${filter}].value`, value: 'x' }
    const patch = { schemas: [PATCH_OP], Operations: [operation] }
    const answer = await attack('PATCH', `/Users/${body.Resources?.[0]?.id}`, patch)
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
  })

  it('a PATCH adding 4,000 addresses is applied, and one adding 8,000 fails with tooMany', async () => {
    const { body } = await hostile.send('POST', '/Users', { userName: 'addresses' })
    const add = (count: number) => {
      const value = Array.from({ length: count }, (_, at) => ({ streetAddress: `${at}` }))
      const Operations = [{ op: 'add', path: 'addresses', value }]
      return attack('PATCH', `/Users/${body.id}`, { schemas: [PATCH_OP], Operations })
    }
    expect(await add(8_000)).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    expect((await add(4_000)).status).toBe(200)
  })

  it("endless searches do not block another tenant's look-ups, lists and health check", async () => {
    isEndless = true
    const client = new AbortController()
    let ended = 0
    const attacks = Array.from({ length: 20 }, async () => {
      await search(hostile, 'title co "x"', client.signal)
      ended += 1
    })
    const before = ended
    expect(await lookUp()).toMatchObject(served)
    expect((await victim.send('GET', '/Users?filter=title co "x"')).status).toBe(200)
    expect((await victim.send('GET', '/Groups')).status).toBe(200)
    expect((await victim.send('POST', '/Users', { userName: crypto.randomUUID() })).status).toBe(
      201,
    )
    expect((await victim.send('GET', '/api/ready')).status).toBe(200)
    expect(ended).toBe(before)
    client.abort()
    await Promise.all(attacks)
    isEndless = false
    expect((await hostile.send('GET', '/Users?count=1')).status).toBe(200)
  })

  it('a search for 1,000 long strings in each row fails with tooMany before it reads a user', async () => {
    const filter = Array.from({ length: 1_000 }, (_, at) => `title co "${'a'.repeat(900)}${at}"`)
    const body = { schemas: [SEARCH], filter: filter.join(' or ') }
    const answer = await attack('POST', '/Users/.search', body)
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    // The rows of the token, the tenant and its schemas.
    expect(rows).toBeLessThan(4)
  })

  it('a bulk request patching a group with 20,000 members many times lets other requests run', async () => {
    const { body } = await hostile.send('POST', '/Groups', { displayName: 'whole' })
    await addMembers(storeOf(), hostile.tenantId, String(body.id), 20_000)
    const operation = (at: number) => ({
      method: 'PATCH',
      path: `/Groups/${body.id}`,
      data: {
        schemas: [PATCH_OP],
        Operations: [{ op: 'replace', path: 'members[display eq "none"].display', value: `${at}` }],
      },
    })
    const Operations = Array.from({ length: 10 }, (_, at) => operation(at))
    let isOver = false
    const bulk = hostile.send('POST', '/Bulk', { schemas: [BULK], Operations }).then((answer) => {
      isOver = true
      return answer
    })
    expect(await lookUp()).toMatchObject(served)
    expect(isOver).toBe(false)
    expect((await bulk).status).toBe(200)
  })
}

async function search(client: Client, filter: string, signal: AbortSignal): Promise<void> {
  const url = `http://localhost/scim/v2/Users?${new URLSearchParams({ filter })}`
  const headers = { Authorization: `Bearer ${client.token}` }
  await client.directory.fetch(new Request(url, { headers, signal }))
}

/** Wraps a database so that the rows it reads are counted. */
function counting(db: Database, add: (rows: number) => void): Database {
  return {
    exec: async (statement) => {
      const result = await db.exec(statement)
      add(result.rows.length)
      return result
    },
  }
}

async function addMembers(
  store: Store,
  tenant_id: string,
  group_id: string,
  count: number,
): Promise<void> {
  const about = { tenant_id, group_id, member_type: 'User', display: null }
  await store.write(async (db) => {
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => ({
        ...about,
        member_id: `member-${from + at}`,
      }))
      await insertRows(db, 'group_members', rows)
    }
  })
}
