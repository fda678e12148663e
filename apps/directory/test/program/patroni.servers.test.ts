import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { findLost, startWriters } from '../support/acknowledged.ts'
import { stateOf } from '../support/consumed-state.ts'
import { createFeedConsumer, type FeedConsumer } from '../support/feed-consumer.ts'
import { type PatroniCluster, startPatroniCluster } from '../support/patroni/patroni-cluster.ts'
import { client, type Serving } from '../support/spawned-server.ts'
import { scim, startProcesses } from '../support/two-processes.ts'

it('no write is lost and no change is missed while Patroni replaces dying, hanging or switched primaries', async () => {
  const cluster = await startPatroniCluster()
  onTestFinished(cluster.remove)
  await cluster.whole()
  const processes = await startProcesses(cluster.url)
  onTestFinished(processes.stop)
  const { adminToken, servers } = processes
  const tenantId = 'acme'
  const { senders, token } = await processes.tenantOf(tenantId)
  const [send, sendToOther] = senders
  const groupId = String((await send('POST', '/Groups', { displayName: 'all' })).body.id)
  // The deletions of the writers are not held.
  const rule = { percent: 100, least: 1_000_000, delay: 0 }
  const answer = await processes.admin('PATCH', `/api/tenants/${tenantId}/connection`, { rule })
  expect(answer.status).toBe(200)
  const source = () => {
    const { origin } = servers[Math.random() < 0.5 ? 0 : 1]
    return { origin, admin: client({ origin, token: adminToken }), scim: client({ origin, token }) }
  }

  const consumer = createFeedConsumer({ tenantId, adminToken, source })
  const stopFollowing = follow(consumer)
  const writers = [startWriters(send, groupId, 4), startWriters(sendToOther, groupId, 4)]
  const count = (of: (writer: (typeof writers)[number]) => number) => () =>
    writers.reduce((sum, writer) => sum + of(writer), 0)
  const [acknowledged, failed] = [
    count((writer) => writer.acknowledged()),
    count((writer) => writer.failed.length),
  ]
  const outage = async () => {
    await expect.poll(failed, PATIENTLY).toBeGreaterThan(failed() + 20)
    expect(await readiness(servers)).toEqual([503, 503])
  }
  for (const [name, fault] of Object.entries(FAULTS)) {
    await atLeast(acknowledged, 50)
    const begun = performance.now()
    const repair = await fault(cluster, outage)
    await atLeast(acknowledged, 50)
    console.log(`${name}: 50 writes after ${Math.round(performance.now() - begun)} ms`)
    expect(await readiness(servers)).toEqual([200, 200])
    await repair()
    await cluster.whole()
  }

  for (const writer of writers) {
    expect(await findLost(send, groupId, await writer.stop())).toEqual([])
    for (const answer of writer.failed) {
      expect(answer).toMatchObject(scim(503))
      expect(answer.headers.get('Retry-After')).toBe('5')
    }
  }
  await stopFollowing()
  const { users, groups, copies } = consumer.kept
  expect({ users, groups, copies }).toEqual(await stateOf(source()))
  expect(servers.map(({ child }) => child.exitCode)).toEqual([null, null])
}, 600_000)

/** Causes a fault, and returns its repair, which writes do not wait for. */
type Fault = (
  cluster: PatroniCluster,
  /** Waits until writes fail, and expects that no process is ready. */
  outage: () => Promise<void>,
) => Promise<() => Promise<void> | void>

const FAULTS: Readonly<Record<string, Fault>> = {
  'the machine of the primary dies': async (cluster, outage) => {
    const primary = await cluster.whole()
    await primary.kill()
    await outage()
    return primary.start
  },
  'the machine of the primary hangs': async (cluster, outage) => {
    const primary = await cluster.whole()
    const resume = primary.hang()
    await outage()
    return resume
  },
  'etcd is down': async ({ etcd }) => {
    await etcd.kill()
    return etcd.start
  },
  'the primary is switched': async (cluster) => {
    await cluster.switchover()
    return () => undefined
  },
}

/** Lets a consumer follow the feed. Returns a function that reads the rest, and stops. */
function follow({ step }: FeedConsumer): () => Promise<void> {
  let isOver = false
  const followed = (async () => {
    for (;;) {
      const hasMore = await step()
      if (!hasMore && isOver) return
      if (!hasMore) await setTimeout(10)
    }
  })()
  const stop = async (): Promise<void> => {
    isOver = true
    await followed
  }
  onTestFinished(stop)
  return stop
}

/** Waits until a count has increased by this much. */
async function atLeast(count: () => number, more: number): Promise<void> {
  await expect.poll(count, PATIENTLY).toBeGreaterThan(count() + more)
}

/** The statuses of `/api/ready`, with which a load balancer chooses. */
async function readiness(servers: readonly Serving[]): Promise<readonly number[]> {
  return await Promise.all(
    servers.map(async ({ origin }) => (await fetch(`${origin}/api/ready`)).status),
  )
}

const PATIENTLY = { timeout: 200_000 }
