import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/harness.ts'
import { client } from '../support/spawned-server.ts'
import { type Pair, patch, scim, spread, startPair, statusesOf } from '../support/two-processes.ts'

let pair: Pair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())

describe('two processes on one failing PostgreSQL', () => {
  it('two processes stop the statements when a client hangs up', async () => {
    const { token } = await pair.tenantOf('hang-up')
    const waiting = async () => (await pair.database.query(WAITING)).rows.length
    const locker = await pair.connect()
    await locker.query('begin; lock table users in access exclusive mode')
    const left = pair.servers.flatMap(({ origin }) =>
      Array.from({ length: 20 }, () => {
        const client = new AbortController()
        const headers = { Authorization: `Bearer ${token}` }
        const answer = fetch(`${origin}/scim/v2/Users`, { headers, signal: client.signal })
        return { client, ends: expect(answer).rejects.toThrow(/abort/) }
      }),
    )
    // Each process scans over four connections.
    await expect.poll(waiting, { timeout: 100_000 }).toBe(8)
    for (const { client } of left) client.abort()
    await Promise.all(left.map(({ ends }) => ends))
    // The table is still locked: only the cancellation can end the statements that wait for it.
    await expect.poll(waiting, { timeout: 100_000 }).toBe(0)
    await locker.end()
    for (const { origin } of pair.servers) {
      expect((await client({ origin, token })('GET', '/Users')).status).toBe(200)
    }
  })

  it('two processes answer again without a restart each time all connections were cut', async () => {
    const { senders } = await pair.tenantOf('cut')
    const group = await senders[0]('POST', '/Groups', { displayName: 'all' })
    const acknowledged: string[] = []
    const rejected: Answer[] = []
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
        rejected.push(...answers.filter(({ status }) => status >= 300))
      }
    })
    for (let cut = 0; cut < 40; cut += 1) {
      await pair.database.query(CUT)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    cutting = false
    await Promise.all(clients)
    for (const answer of rejected) expect(answer).toMatchObject(scim(503))
    expect(rejected.length).toBeGreaterThan(0)
    expect(acknowledged.length).toBeGreaterThan(0)
    // Once without active requests, so that the next request finds a pool of dead connections.
    await pair.database.query(CUT)
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (const [at, { child, errors }] of pair.servers.entries()) {
      const again = await spread(40, [senders[at === 0 ? 0 : 1]], (send) =>
        send('GET', '/Users?count=1'),
      )
      expect(statusesOf(again)).toEqual({ 200: 40 })
      expect({ exitCode: child.exitCode, errors: errors() }).toEqual({ exitCode: null, errors: '' })
    }
    const { rows } = await pair.database.query(
      'select user_name_key as name from users where tenant_id = $1',
      ['cut'],
    )
    const kept = new Set(rows.map((row) => row.name))
    expect(acknowledged.filter((userName) => !kept.has(userName))).toEqual([])
  })

  it('two processes do not lose acknowledged writes when one is killed while it writes', async () => {
    const { senders } = await pair.tenantOf('killed')
    const [survivor, killed] = senders
    const group = await survivor('POST', '/Groups', { displayName: 'all' })
    const acknowledged: string[] = []
    const clients = Array.from({ length: 8 }, async () => {
      for (;;) {
        const user = await killed('POST', '/Users', { userName: crypto.randomUUID() }).catch(
          () => null,
        )
        if (user === null) return
        const value = [{ value: String(user.body.id) }]
        const path = `/Groups/${group.body.id}`
        const added = await killed(
          'PATCH',
          path,
          patch({ op: 'add', path: 'members', value }),
        ).catch(() => null)
        if (added?.status === 204) acknowledged.push(String(user.body.id))
      }
    })
    await expect.poll(() => acknowledged.length, { timeout: 100_000 }).toBeGreaterThan(40)
    pair.servers[1].child.kill('SIGKILL')
    await Promise.all(clients)
    const { body } = await survivor('GET', `/Groups/${group.body.id}`)
    const members = new Set((body.members ?? []).map(({ value }) => String(value)))
    expect(acknowledged.filter((id) => !members.has(id))).toEqual([])
    // The transactions of the killed process do not block the other.
    const { status } = await survivor('PUT', `/Groups/${group.body.id}`, { displayName: 'none' })
    expect(status).toBe(200)
  })
})

const WAITING = `
  select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`

const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`
