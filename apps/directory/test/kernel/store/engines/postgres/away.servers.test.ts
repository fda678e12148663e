import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { startPgbouncer } from '../../../../support/pgbouncer.ts'
import { createCluster } from '../../../../support/postgres-cluster.ts'
import { client, serve } from '../../../../support/spawned-server.ts'

async function serveOn(url: string) {
  const server = await serve({ DATABASE_URL: url })
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
  })
  const send = client(server)
  const write = () => send('POST', '/Users', { userName: crypto.randomUUID() })
  const ready = () => fetch(new URL('/api/ready', server.origin))
  expect([(await ready()).status, (await write()).status]).toEqual([200, 201])
  return { write, ready }
}

/** Expects that each answer is 503 with Retry-After, until the database is back. */
async function expectAway({ write, ready }: Awaited<ReturnType<typeof serveOn>>): Promise<void> {
  for (let at = 0; at < 10; at += 1) {
    for (const answer of await Promise.all([ready(), write(), write()])) {
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5'])
    }
  }
}

it('behind PgBouncer, a killed primary is 503 for writes and for /api/ready', async () => {
  const cluster = await createCluster()
  onTestFinished(cluster.remove)
  const pooler = await startPgbouncer(cluster.url, 'transaction')
  onTestFinished(pooler.stop)
  const server = await serveOn(pooler.url)
  cluster.kill()
  await expectAway(server)
}, 120_000)

it.each([
  ['whose role may not log in', 'alter role directory nologin'],
  ['that does not accept connections', 'alter database away with allow_connections false'],
  ['that was renamed', 'alter database away rename to other'],
])(
  'a database %s is 503 for writes and for /api/ready',
  async (_, change) => {
    const cluster = await createCluster()
    onTestFinished(cluster.remove)
    await cluster.sql('create role directory login')
    await cluster.sql('create database away owner directory')
    const url = `postgres://directory@127.0.0.1:${cluster.port}/away`
    const server = await serveOn(url)
    const disconnect = `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('away', 'other')`
    await cluster.sql(disconnect)
    await cluster.sql(change)
    await cluster.sql(disconnect)
    // The first answers find the connections closed.
    await Promise.all(Array.from({ length: 12 }, server.write))
    await expectAway(server)
  },
  120_000,
)

it("a write waiting for a lock longer than the role's lock_timeout is 503", async () => {
  const cluster = await createCluster()
  onTestFinished(cluster.remove)
  await cluster.sql('create role directory login')
  await cluster.sql('create database away owner directory')
  await cluster.sql(`alter role directory set lock_timeout = '100ms'`)
  const { write } = await serveOn(`postgres://directory@127.0.0.1:${cluster.port}/away`)
  const other = new pg.Client({ connectionString: cluster.url.replace(/postgres$/, 'away') })
  await other.connect()
  await other.query('begin; lock table users in exclusive mode')
  const answer = await write()
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5'])
  await other.query('rollback')
  expect((await write()).status).toBe(201)
  await other.end()
}, 120_000)
