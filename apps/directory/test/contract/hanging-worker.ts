import { expect, it, onTestFinished } from 'vitest'
import { LAYOUT } from '../../src/features/tenants/tables.ts'
import { distribute } from '../../src/kernel/store/engines/postgres/distribute.ts'
import { migratePostgres } from '../../src/kernel/store/engines/postgres/migrate.ts'
import {
  type CitusDatabase,
  createCitusDatabase,
  freezeWorker,
  stopWorker,
} from '../support/citus-cluster.ts'
import type { Client } from '../support/harness.ts'
import { type Processes, startProcesses } from '../support/two-processes.ts'

/** The administration and the tenants of other nodes while a worker of a Citus cluster does not answer. */
export function hangingWorkerContract(): void {
  it.each([
    ['hangs', async (url: string) => await freezeWorker(url)],
    ['was killed', stopWorker],
  ])(
    "while a worker %s, tokens are created and revoked, administrators sign in, and the tenant list shows the worker's tenants as unknown",
    async (_, stop) => {
      const database = await createCitusDatabase()
      onTestFinished(database.drop)
      await migratePostgres(database.url)
      await distribute(database.url, LAYOUT)
      const processes = await startProcesses(database.url)
      onTestFinished(processes.stop)
      const { down, up } = await tenantsOf(database, processes)
      const { admin, adminToken } = processes
      const { origin } = processes.servers[0]
      const again = await stop(database.workers[0] ?? '')
      onTestFinished(async () => await again())
      for (const tenant of [down, up]) {
        const token = { name: 'Leaked', tenantId: tenant.id }
        const created = await inTime(admin('POST', '/api/tokens', token))
        expect(created.status).toBe(201)
        expect((await inTime(admin('DELETE', `/api/tokens/${created.body.id}`))).status).toBe(204)
      }
      const signIn = await inTime(
        fetch(new URL('/console/sign-in', origin), {
          method: 'POST',
          headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ token: adminToken }),
          redirect: 'manual',
        }),
      )
      expect(signIn.status).toBe(303)
      const { status, body } = await inTime(admin('GET', '/api/tenants?summary=true'))
      expect(status).toBe(200)
      const summaries = new Map(body.tenants?.map((one) => [one.id, one.summary]))
      expect(summaries.get(down.id as never)).toBeNull()
      expect(summaries.get(up.id as never)).toMatchObject({ resources: { User: { count: 1 } } })
      for (let at = 0; at < 10; at += 1) {
        const user = { userName: crypto.randomUUID() }
        expect((await inTime(up.send('POST', '/Users', user))).status).toBe(201)
      }
    },
    300_000,
  )
}

/** Creates a tenant on the first worker and one on another. Each has a user. */
async function tenantsOf({ client: db, workers }: CitusDatabase, { tenantOf }: Processes) {
  const { port } = new URL(workers[0] ?? '')
  const found = new Map<boolean, { id: string; send: Client['send'] }>()
  for (let number = 0; found.size < 2; number += 1) {
    const id = `tenant-${number}`
    const { rows } = await db.query(
      `select nodeport::text as port from citus_shards
       where shardid = get_shard_id_for_distribution_column('users', $1::text)`,
      [id],
    )
    const isDown = rows[0].port === port
    if (found.has(isDown)) continue
    const { senders } = await tenantOf(id)
    const [send] = senders
    expect((await send('POST', '/Users', { userName: 'ada' })).status).toBe(201)
    found.set(isDown, { id, send })
  }
  const [down, up] = [found.get(true), found.get(false)]
  if (down === undefined || up === undefined) throw new Error('a tenant is missing')
  return { down, up }
}

/** Rejects if an answer needs longer than a client waits. */
async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer in 20 seconds')), 20_000).unref()
  })
  return await Promise.race([answer, late])
}
