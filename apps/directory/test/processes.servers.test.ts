import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from './harness.ts'
import { client, type Serving, serve } from './started.ts'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A database of its own, so that no other test meets what is done to it here. */
const name = `processes_${crypto.randomUUID().replaceAll('-', '')}`
let cluster: pg.Client
let database: pg.Client
let servers: readonly [Serving, Serving]
let admin: Client['send']
beforeAll(async () => {
  const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
  if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  cluster = await connected(url)
  await cluster.query(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  database = await connected(own.href)
  // Both at once: there is not one table yet.
  servers = await Promise.all([
    serve({ DATABASE_URL: own.href }),
    serve({ DATABASE_URL: own.href }),
  ])
  const token = servers[0].token ?? servers[1].token
  admin = client({ origin: servers[0].origin, token })
})
afterAll(async () => {
  for (const { child, ended } of servers ?? []) {
    child.kill('SIGKILL')
    await ended
  }
  await database?.end()
  await cluster?.query(`drop database if exists ${name} with (force)`)
  await cluster?.end()
})

describe('two processes on one empty PostgreSQL', () => {
  it('have made one schema and one token, which both take', async () => {
    const shown = servers.map(({ token }) => token).filter((token) => token !== null)
    expect(shown).toHaveLength(1)
    for (const { origin } of servers) {
      const send = client({ origin, token: shown[0] ?? '' })
      expect((await send('GET', '/api/tokens')).body.tokens).toHaveLength(1)
      expect((await send('GET', '/Users')).status).toBe(200)
    }
    const { rows } = await database.query('select count(*)::int as n from settings')
    expect(rows).toEqual([{ n: 1 }])
  })

  it('give a userName to one of twenty creates; the others are 409 (RFC 7644 §3.3)', async () => {
    const { senders } = await tenantOf('creates')
    const answers = await spread(20, senders, (send, at) =>
      send('POST', '/Users', { userName: at % 3 === 0 ? 'ANNA' : 'anna' }),
    )
    expect(statusesOf(answers)).toEqual({ 201: 1, 409: 19 })
    for (const { status, body } of answers) {
      if (status === 409) expect(body).toMatchObject({ schemas: [ERROR], scimType: 'uniqueness' })
    }
    for (const send of senders) expect((await send('GET', '/Users')).body.totalResults).toBe(1)
  })

  it('keep all of a hundred additions of members (RFC 7644 §3.5.2.1)', async () => {
    const { senders } = await tenantOf('members')
    const users = await spread(100, senders, (send, at) =>
      send('POST', '/Users', { userName: `user-${at}` }),
    )
    const ids = users.map(({ body }) => String(body.id))
    const group = await senders[0]('POST', '/Groups', { displayName: 'all' })
    const path = `/Groups/${group.body.id}`
    const answers = await spread(100, senders, (send, at) =>
      send('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value: ids[at] }] })),
    )
    expect(statusesOf(answers)).toEqual({ 204: 100 })
    for (const send of senders) {
      const { body } = await send('GET', path)
      expect((body.members ?? []).map(({ value }) => String(value)).sort()).toEqual(ids.sort())
    }
  })

  it.each(['/Users', '/Groups'])(
    'let one PUT to %s with an entity tag win, and refuse the others with 412 (RFC 7644 §3.14)',
    async (type) => {
      const { senders } = await tenantOf(`tags-${type.slice(1).toLowerCase()}`)
      const content = (text: string) => ({ userName: text, displayName: text })
      const { body } = await senders[0]('POST', type, content('first'))
      const headers = { 'If-Match': String(body.meta?.version) }
      const path = `${type}/${body.id}`
      const answers = await spread(20, senders, (send, at) =>
        send('PUT', path, content(`name-${at}`), headers),
      )
      expect(statusesOf(answers)).toEqual({ 200: 1, 412: 19 })
      const won = answers.find(({ status }) => status === 200)
      for (const send of senders) {
        const { displayName, meta } = (await send('GET', path)).body
        expect(displayName).toBe(won?.body.displayName)
        expect(meta?.version).toBe(won?.headers.get('ETag'))
      }
    },
  )

  it('leave nobody in a group who was deleted while they were added (RFC 7643 §4.2)', async () => {
    const { senders } = await tenantOf('leaving')
    const [one, other] = senders
    const group = await one('POST', '/Groups', { displayName: 'all' })
    const path = `/Groups/${group.body.id}`
    const users = await spread(60, senders, (send, at) =>
      send('POST', '/Users', { userName: `user-${at}` }),
    )
    const ids = users.map(({ body }) => String(body.id))
    const [added, deleted] = await Promise.all([
      Promise.all(
        ids.map((value) =>
          one('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value }] })),
        ),
      ),
      Promise.all(ids.map((id) => other('DELETE', `/Users/${id}`))),
    ])
    expect(statusesOf(deleted)).toEqual({ 204: 60 })
    // Who came too late to be added is no member, and whoever adds them is told so.
    for (const { status, body } of added) {
      if (status !== 204) expect({ status, body }).toMatchObject(scim(400, 'invalidValue'))
    }
    expect((await one('GET', path)).body.members ?? []).toEqual([])
  })

  it('read each other’s cursors (RFC 9865 §2)', async () => {
    const { senders } = await tenantOf('cursors')
    await spread(7, senders, (send, at) => send('POST', '/Users', { userName: `user-${at}` }))
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 4; page += 1) {
      const send = senders[page % 2 === 0 ? 0 : 1]
      const { body } = await send('GET', `/Users?sortBy=userName&count=2&cursor=${cursor}`)
      seen.push(...(body.Resources ?? []).map(({ userName }) => String(userName)))
      cursor = String(body.nextCursor ?? '')
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((at) => `user-${at}`))
    expect(cursor).toBe('')
  })

  it('refuse a token at once that was revoked at the other', async () => {
    const { senders, tokenId } = await tenantOf('revoked')
    for (const send of senders) expect((await send('GET', '/Users')).status).toBe(200)
    expect((await admin('DELETE', `/api/tokens/${tokenId}`)).status).toBe(204)
    const [, other] = senders
    expect(await other('GET', '/Users')).toMatchObject(scim(401))
  })

  it('answer again after all connections were cut, time after time, without a restart', async () => {
    const { senders } = await tenantOf('cut')
    const group = await senders[0]('POST', '/Groups', { displayName: 'all' })
    const acknowledged: string[] = []
    const refused: Answer[] = []
    let cutting = true
    const clients = Array.from({ length: 24 }, async (_, worker) => {
      const send = senders[worker % 2 === 0 ? 0 : 1]
      for (let at = 0; cutting; at += 1) {
        const userName = `user-${worker}-${at}`
        const answers = [
          await send('POST', '/Users', { userName }),
          await send('GET', '/Users?count=50'),
          await send(
            'PATCH',
            `/Groups/${group.body.id}`,
            patch({ op: 'add', value: { externalId: userName } }),
          ),
        ]
        if (answers[0]?.status === 201) acknowledged.push(userName)
        refused.push(...answers.filter(({ status }) => status >= 300))
      }
    })
    for (let cut = 0; cut < 40; cut += 1) {
      await database.query(CUT)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    cutting = false
    await Promise.all(clients)
    for (const answer of refused) expect(answer).toMatchObject(scim(503))
    expect(refused.length).toBeGreaterThan(0)
    expect(acknowledged.length).toBeGreaterThan(0)
    // And once while nothing is under way: who comes next meets a pool of dead connections.
    await database.query(CUT)
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (const [at, { child, errors }] of servers.entries()) {
      const again = await spread(40, [senders[at === 0 ? 0 : 1]], (send) =>
        send('GET', '/Users?count=1'),
      )
      expect(statusesOf(again)).toEqual({ 200: 40 })
      expect({ exitCode: child.exitCode, errors: errors() }).toEqual({ exitCode: null, errors: '' })
    }
    const { rows } = await database.query(
      'select user_name_key as name from users where tenant_id = $1',
      ['cut'],
    )
    const kept = new Set(rows.map((row) => row.name))
    expect(acknowledged.filter((userName) => !kept.has(userName))).toEqual([])
  })
})

/** A tenant with a token that is sent to the one process, and to the other. */
async function tenantOf(id: string) {
  expect((await admin('POST', '/api/tenants', { id, name: id })).status).toBe(201)
  const { status, body } = await admin('POST', '/api/tokens', { tenantId: id, name: id })
  expect(status).toBe(201)
  const token = String(body.token)
  const [one, other] = servers
  const senders = [client({ ...one, token }), client({ ...other, token })] as const
  return { senders, tokenId: String(body.id) }
}

/** Sends so many requests at once, to each process in turn. */
async function spread(
  count: number,
  senders: readonly Client['send'][],
  request: (send: Client['send'], at: number) => Promise<Answer>,
): Promise<Answer[]> {
  const sent = Array.from({ length: count }, (_, at) => {
    const send = senders[at % senders.length]
    if (send === undefined) throw new Error('there is no process to send to')
    return request(send, at)
  })
  return await Promise.all(sent)
}

/** How often each status was answered. */
function statusesOf(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function patch(...Operations: readonly object[]) {
  return { schemas: [PATCH_OP], Operations }
}

/** An error document (RFC 7644 §3.12). */
function scim(status: number, scimType?: string) {
  const body = { schemas: [ERROR], status: String(status) }
  return { status, body: scimType === undefined ? body : { ...body, scimType } }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const made = new pg.Client({ connectionString })
  await made.connect()
  return made
}

const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`
