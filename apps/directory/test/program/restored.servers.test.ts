import { afterEach, expect, it } from 'vitest'
import { type Cluster, createCluster } from '../support/postgres-cluster.ts'
import { createConsumers, createUsers, deactivate } from '../support/restored-consumers.ts'
import { client, type Serving, serve, start } from '../support/spawned-server.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

it('after an asynchronous standby is promoted with lost writes, every consumer ends with the state of the tenant', async () => {
  const primary = removed(await createCluster())
  const standby = removed(await primary.addStandby())
  const count = `select count(*) from users`
  await expectNothingMissed(primary, {
    keep: async () => {
      const users = await primary.sql(count)
      await expect.poll(() => standby.sql(count), { timeout: 30_000 }).toBe(users)
      standby.kill()
    },
    replace: async () => {
      primary.kill()
      await standby.resume()
      await standby.promote()
      return standby
    },
  })
})

it('after a recovery to a point in time, every consumer ends with the state of the tenant', async () => {
  const primary = removed(await createCluster())
  const recover = await primary.backUp()
  await expectNothingMissed(primary, {
    keep: async () => void (await primary.sql(`select pg_create_restore_point('kept')`)),
    replace: async () => {
      await primary.sql('select pg_switch_wal()')
      primary.kill()
      return removed(await recover('kept'))
    },
  })
})

interface Loss {
  /** Marks the state that is kept. */
  readonly keep: () => Promise<void>
  /** Returns the server that has this state. */
  readonly replace: () => Promise<Cluster>
}

async function expectNothingMissed(database: Cluster, { keep, replace }: Loss): Promise<void> {
  const first = await begin(database)
  const send = client(first)
  const [ada, bob] = await createUsers(send, 2)
  const consumers = await createConsumers(send)
  ends.push(consumers.close)
  await createUsers(send, 2)
  await consumers.expectState(send)
  await keep()
  await createUsers(send, 5)
  await deactivate(send, bob)
  await consumers.expectState(send)
  first.child.kill('SIGTERM')
  await first.ended
  const replaced = await replace()

  // Without --restored, a start says what to do.
  const careless = await begin(replaced)
  expect(careless.output()).toMatch(/^\{"time":.*"level":"error".*--restored/m)
  careless.child.kill('SIGTERM')
  await careless.ended
  const { ended, output } = start(envOf(replaced), '--restored')
  expect([await ended, output()]).toEqual([0, expect.stringContaining('new copy')])
  const second = await begin(replaced)
  expect(second.output()).not.toContain('--restored')
  const again = client({ ...second, token: first.token })
  await deactivate(again, ada)
  await createUsers(again, 8)
  expect(await consumers.statusOfStream(second.origin, first.token ?? '')).toBe(410)
  await consumers.expectState(again)
}

function envOf({ url }: Cluster) {
  return {
    DATABASE_URL: url,
    WEBHOOK_ALLOW: '127.0.0.1',
    PUBLIC_URL: 'https://directory.example.com',
  }
}

async function begin(database: Cluster): Promise<Serving> {
  const server = await serve(envOf(database))
  ends.push(async () => {
    server.child.kill('SIGKILL')
    await server.ended
  })
  return server
}

function removed(cluster: Cluster): Cluster {
  ends.push(cluster.remove)
  return cluster
}
