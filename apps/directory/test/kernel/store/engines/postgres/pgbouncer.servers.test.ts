import { expect, it, onTestFinished } from 'vitest'
import { findLost, startWriters } from '../../../../support/acknowledged.ts'
import { createFreshDatabase } from '../../../../support/fresh-postgres.ts'
import { startPgbouncer } from '../../../../support/pgbouncer.ts'
import { client, serve } from '../../../../support/spawned-server.ts'

/** A directory of two processes on a database behind PgBouncer. */
async function serveBehind(mode: 'session' | 'transaction') {
  const database = await createFreshDatabase()
  onTestFinished(database.drop)
  const pooler = await startPgbouncer(database.url, mode)
  onTestFinished(pooler.stop)
  const first = await serve({ DATABASE_URL: pooler.url })
  const second = await serve({ DATABASE_URL: pooler.url })
  onTestFinished(async () => {
    for (const { child, ended } of [first, second]) {
      child.kill('SIGKILL')
      await ended
    }
  })
  return { first, second, pooler, database }
}

it.each([
  ['session', /^$/],
  ['transaction', /^A pooler [^\n]+ PgBouncer [^\n]+\n$/],
] as const)(
  'two processes behind PgBouncer pooling by %s serve every request',
  async (mode, errors) => {
    const { first, second } = await serveBehind(mode)
    const { token } = first
    const [one, other] = [client(first), client({ ...second, token })]
    const group = await one('POST', '/Groups', { displayName: 'all' })
    const groupId = String(group.body.id)
    const writers = [startWriters(one, groupId, 4), startWriters(other, groupId, 4)]
    const reads: number[] = []
    for (let at = 0; at < 40; at += 1) {
      const filter = encodeURIComponent(`userName sw "${at % 16}"`)
      for (const send of [one, other]) {
        reads.push((await send('GET', `/Users?filter=${filter}`)).status)
        reads.push((await send('GET', `/Groups/${groupId}`)).status)
      }
    }
    for (const { acknowledged } of writers) {
      await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(100)
    }
    const failed = writers.flatMap((writer) => writer.failed.map(({ status }) => status))
    for (const writer of writers) {
      expect(await findLost(one, groupId, await writer.stop())).toEqual([])
    }
    expect({ failed, reads: reads.filter((status) => status !== 200) }).toEqual({
      failed: [],
      reads: [],
    })
    for (const server of [first, second]) expect(server.errors()).toMatch(errors)
  },
)
