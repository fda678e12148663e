import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFreshDatabase } from '../support/fresh-postgres.ts'
import { createCluster, signalServer } from '../support/postgres-cluster.ts'
import { client, type Serving, serve } from '../support/spawned-server.ts'

const TOKEN = 'a-token-of-the-environment'

/** Sends SIGTERM, and waits for the end of the process. Returns the last line of its log. */
async function stopped(server: Serving) {
  server.child.kill('SIGTERM')
  const started = performance.now()
  const code = await server.ended
  const last = server.output().trim().split('\n').at(-1) ?? ''
  return { code, seconds: (performance.now() - started) / 1_000, last: JSON.parse(last) }
}

describe('SIGTERM ends a process', () => {
  it('SIGTERM ends a process whose PostgreSQL is frozen', async () => {
    const cluster = await createCluster()
    onTestFinished(() => cluster.remove())
    const server = await serve({ DATABASE_URL: cluster.url, DIRECTORY_TOKEN: TOKEN })
    onTestFinished(() => void server.child.kill('SIGKILL'))
    const send = client({ origin: server.origin, token: TOKEN })
    expect((await send('POST', '/Users', { userName: 'ada' })).status).toBe(201)
    const folder = (await cluster.sql('show data_directory')).trim()
    signalServer(folder, 'SIGSTOP')
    onTestFinished(() => signalServer(folder, 'SIGCONT'))
    // A request that waits for the database.
    const waiting = send('POST', '/Users', { userName: 'bob' }).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { code, seconds, last } = await stopped(server)
    expect(code).toBe(1)
    expect(seconds).toBeLessThan(30)
    expect(last).toMatchObject({
      level: 'error',
      message: 'stopped early',
      hanging: expect.arrayContaining(['jobs', 'database', 'job webhooks']),
    })
    await waiting
  })

  it('SIGTERM ends a process whose job waits for a lock', async () => {
    const database = await createFreshDatabase()
    onTestFinished(() => database.drop())
    const server = await serve({ DATABASE_URL: database.url, DIRECTORY_TOKEN: TOKEN })
    onTestFinished(() => void server.child.kill('SIGKILL'))
    const locker = new pg.Client({ connectionString: database.url })
    await locker.connect()
    onTestFinished(() => locker.end())
    await locker.query('begin; lock table leases in access exclusive mode')
    const waiting = `select 1 from pg_locks where not granted`
    await expect
      .poll(async () => (await database.client.query(waiting)).rows.length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    const { code, last } = await stopped(server)
    expect(code).toBe(1)
    expect(last).toMatchObject({ message: 'stopped early' })
    expect(last.hanging).toEqual(
      expect.arrayContaining(['jobs', expect.stringMatching(/^job webhook/)]),
    )
  })
})
