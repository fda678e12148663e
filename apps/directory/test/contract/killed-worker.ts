import { expect, it, onTestFinished } from 'vitest'
import { LAYOUT } from '../../src/features/tenants/tables.ts'
import { distribute } from '../../src/kernel/store/engines/postgres/distribute.ts'
import { migratePostgres } from '../../src/kernel/store/engines/postgres/migrate.ts'
import { findLost, startWriters, type Writers } from '../support/acknowledged.ts'
import { type CitusDatabase, createCitusDatabase, stopWorker } from '../support/citus-cluster.ts'
import type { Client } from '../support/harness.ts'
import { type Processes, scim, startProcesses } from '../support/two-processes.ts'

/** A tenant whose clients write without a pause. */
interface Tenant {
  readonly send: Client['send']
  readonly groupId: string
  readonly writers: Writers
}

/** The tenants of the other nodes do not notice that a worker of a Citus cluster is killed. */
export function killedWorkerContract(): void {
  it('a killed worker stops only its own tenants, loses no acknowledged write, and needs no restart of the directory', async () => {
    const database = await createCitusDatabase()
    onTestFinished(database.drop)
    await migratePostgres(database.url)
    await distribute(database.url, LAYOUT)
    const processes = await startProcesses(database.url)
    onTestFinished(processes.stop)
    const { down, up } = await tenantsOf(database, processes)
    const all = [...down, ...up]
    await writesAfter(all)

    const restart = await stopWorker(database.workers[0] ?? '')
    const failures = () => down.map(({ writers }) => writers.failed.length)
    await expect.poll(() => Math.min(...failures()), PATIENTLY).toBeGreaterThan(10)
    await writesAfter(up)
    for (const tenant of up) expect(await readsOf(tenant)).toEqual(READS.map(() => 200))
    for (const { send } of down) expect(await send('GET', '/Users')).toMatchObject(scim(503))

    await restart()
    await writesAfter(all)
    for (const tenant of all) expect(await readsOf(tenant)).toEqual(READS.map(() => 200))
    for (const { send, groupId, writers } of all) {
      expect(await findLost(send, groupId, await writers.stop())).toEqual([])
    }
    expect(up.flatMap(({ writers }) => writers.failed)).toEqual([])
    for (const answer of down.flatMap(({ writers }) => writers.failed)) {
      expect(answer).toMatchObject(scim(503))
      expect(answer.headers.get('Retry-After')).toBe('5')
    }
    for (const { child, errors } of processes.servers) {
      expect({ exitCode: child.exitCode, errors: errors() }).toEqual({ exitCode: null, errors: '' })
    }
  }, 300_000)
}

/** Creates tenants until two are on the first worker, and three on others, and starts their clients. */
async function tenantsOf({ client, workers }: CitusDatabase, { tenantOf }: Processes) {
  const [down, up]: [Tenant[], Tenant[]] = [[], []]
  const { port } = new URL(workers[0] ?? '')
  for (let number = 0; down.length < 2 || up.length < 3; number += 1) {
    const id = `tenant-${number}`
    const { rows } = await client.query(
      `select nodeport::text as port from citus_shards
       where shardid = get_shard_id_for_distribution_column('users', $1::text)`,
      [id],
    )
    const list = rows[0].port === port ? down : up
    if (list.length >= 3) continue
    const { senders } = await tenantOf(id)
    const send = senders[number % 2] ?? senders[0]
    const group = await send('POST', '/Groups', { displayName: 'all' })
    const groupId = String(group.body.id)
    list.push({ send, groupId, writers: startWriters(send, groupId, 2) })
  }
  return { down, up }
}

/** Waits until each tenant has some more acknowledged writes. */
async function writesAfter(tenants: readonly Tenant[]): Promise<void> {
  const counts = tenants.map(({ writers }) => writers.acknowledged() + 10)
  for (const [at, { writers }] of tenants.entries()) {
    await expect.poll(writers.acknowledged, PATIENTLY).toBeGreaterThan(counts[at] ?? 0)
  }
}

/** The statuses of reads of every kind. */
async function readsOf({ send, groupId }: Tenant): Promise<readonly number[]> {
  const paths = READS.map((path) => path.replace('{id}', groupId))
  return await Promise.all(paths.map(async (path) => (await send('GET', path)).status))
}

const READS = [
  '/Users?filter=userName%20eq%20%22anna%22',
  '/Users?filter=emails%20sw%20%22a%22%20or%20not%20(title%20eq%20%22one%22)',
  '/Users?sortBy=meta.created&count=10',
  '/Users?cursor',
  '/Groups/{id}',
  '/Groups?filter=displayName%20eq%20%22all%22',
  '/Groups?excludedAttributes=members',
]
const PATIENTLY = { timeout: 100_000 }
