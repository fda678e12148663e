import { sql } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import { StoreUnavailableError } from '../../../../../src/kernel/store/store.ts'
import { findLost, startWriters, type Writers } from '../../../../support/acknowledged.ts'
import { type Forwarder, startForwarder } from '../../../../support/forwarder.ts'
import { type Cluster, createCluster } from '../../../../support/postgres-cluster.ts'
import { client, type Serving, serve } from '../../../../support/spawned-server.ts'
import { scim } from '../../../../support/two-processes.ts'

it('the store loses no acknowledged write and needs no restart when a primary is killed and the standby promoted, twice', async () => {
  const first = removed(await createCluster())
  const second = removed(await first.addStandby())
  const way = await startForwarder(first.url)
  onTestFinished(() => way.close())
  const server = await serve({ DATABASE_URL: way.url })
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const send = client(server)
  const group = await send('POST', '/Groups', { displayName: 'all' })
  const groupId = String(group.body.id)
  await first.requireStandby()

  const writers = startWriters(send, groupId, 8)
  await failOver({ server, way, writers, primary: first, standby: second })
  const third = removed(await second.addStandby())
  await second.requireStandby()
  await failOver({ server, way, writers, primary: second, standby: third })
  expect(await findLost(send, groupId, await writers.stop())).toEqual([])

  for (const answer of writers.failed) {
    expect(answer).toMatchObject(scim(503))
    expect(answer.headers.get('Retry-After')).toBe('5')
  }
  const { exitCode } = server.child
  expect({ exitCode, errors: server.errors() }).toEqual({ exitCode: null, errors: '' })
}, 400_000)

it('the store is not ready while the address leads to a standby, which rejects writes, until the standby is promoted', async () => {
  const primary = removed(await createCluster())
  const standby = removed(await primary.addStandby())
  const way = await startForwarder(primary.url)
  onTestFinished(() => way.close())
  const server = await serve({ DATABASE_URL: way.url })
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const create = () => client(server)('POST', '/Users', { userName: crypto.randomUUID() })
  expect(await statusesOf(server)).toEqual({ health: 200, ready: 200 })
  expect(await create()).toMatchObject({ status: 201 })
  // A load balancer that knows only whether a server accepts connections.
  primary.kill()
  way.redirect(standby.port)
  await expect.poll(create, PATIENTLY).toMatchObject(scim(503))
  expect((await client(server)('GET', '/Users')).status).toBe(200)
  expect(await statusesOf(server)).toEqual({ health: 200, ready: 503 })
  await standby.promote()
  expect(await statusesOf(server)).toEqual({ health: 200, ready: 200 })
  expect(await create()).toMatchObject({ status: 201 })
})

it('the store does not acknowledge a write the synchronous standby has not stored, however long it waits', async () => {
  const primary = removed(await createCluster())
  const standby = removed(await primary.addStandby())
  const store = await openPostgres(primary.url, { answerTimeout: 200 })
  onTestFinished(() => store.close())
  const write = () => store.write((db) => db.exec(sql`update settings set value = value`))
  await primary.requireStandby()
  await write()
  standby.kill()
  // A cancellation would end the wait with success, and only a warning: a time limit must not cancel a commit.
  await expect(write()).rejects.toThrow(StoreUnavailableError)
})

/** A directory at a primary and its standby. */
interface Setting {
  readonly server: Serving
  readonly way: Forwarder
  readonly writers: Writers
  readonly primary: Cluster
  readonly standby: Cluster
}

/** Kills the primary during writes, promotes the standby, and waits until writes are acknowledged again. */
async function failOver({ server, way, writers, primary, standby }: Setting): Promise<void> {
  await writesAfter(writers)
  const failures = writers.failed.length
  primary.kill()
  const killed = performance.now()
  await expect.poll(() => writers.failed.length, PATIENTLY).toBeGreaterThan(failures + 20)
  expect(await statusesOf(server)).toEqual({ health: 200, ready: 503 })

  await standby.promote()
  const promoted = performance.now()
  const before = writers.acknowledged()
  way.redirect(standby.port)
  await expect.poll(writers.acknowledged, { ...PATIENTLY, interval: 5 }).toBeGreaterThan(before)
  const [down, recovery] = [killed, promoted].map((time) => Math.round(performance.now() - time))
  console.log(`writes after ${down} ms, and ${recovery} ms after the standby was promoted`)
  await writesAfter(writers)
  expect(await statusesOf(server)).toEqual({ health: 200, ready: 200 })
}

/** Waits until another hundred writes are acknowledged. */
async function writesAfter({ acknowledged }: Writers): Promise<void> {
  await expect.poll(acknowledged, PATIENTLY).toBeGreaterThan(acknowledged() + 100)
}

/** The statuses of the health check and the readiness check. */
async function statusesOf({ origin }: Serving) {
  const [health, ready] = await Promise.all(
    ['health', 'ready'].map(async (name) => (await fetch(`${origin}/api/${name}`)).status),
  )
  return { health, ready }
}

function removed(cluster: Cluster): Cluster {
  onTestFinished(cluster.remove)
  return cluster
}

const PATIENTLY = { timeout: 100_000 }
