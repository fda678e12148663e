import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@plumbline/scim/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createReceivers } from '../../../src/features/webhooks/addresses.ts'
import { createDeliveryJob } from '../../../src/features/webhooks/delivery-job.ts'
import { createSendChange } from '../../../src/features/webhooks/send-change.ts'
import { DAY } from '../../../src/kernel/durations.ts'
import { backUp } from '../../../src/kernel/store/engines/sqlite/backup.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { renameRestored } from '../../../src/kernel/store/restore.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'
import { createNames, createReader, messageOf } from '../../support/history-consumers.ts'
import { patch } from '../../support/two-processes.ts'
import { OWN_LEASE, startReceiver } from '../../support/webhook-receiver.ts'

const TENANT = 'acme'

const STEPS = [
  'create',
  'create',
  'create',
  'deactivate',
  'delete',
  'pause',
  'release',
  'drop',
  'back up',
  'restore',
  'a day ahead',
  'a minute later',
  'break the receivers',
  'repair the receivers',
  'deliver',
  'read',
  'read',
] as const
type Step = (typeof STEPS)[number]

it('every consumer kind gets every change, whatever is dropped, restored, broken or set to a wrong time', async () => {
  const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 10, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = await createWorld()
      try {
        for (const step of history) await world.take(step)
        await world.expectNothingMissed()
      } finally {
        await world.close()
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
})

/** A tenant with a consumer of each kind. */
async function createWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'directory-history-'))
  const file = join(folder, 'directory.db')
  let time = Date.now()
  // Each write is in a millisecond of its own, as with the clock of other tests.
  const now = () => {
    time += 1
    return time
  }
  let backups = 0
  let isBroken = false
  const receivers = createReceivers({ allow: ['127.0.0.1'] })
  const open = () => openSqlite(file)
  const openClient = (opened: Store, isNew: boolean) => {
    const sources = { now, receivers, publicOrigin: 'https://directory.example.com' }
    return connect(opened, { role: 'admin', ...sources, ...(!isNew && { tenantId: TENANT }) })
  }
  let store = await open()
  await store.write((db) =>
    db.exec(sql`insert into tenants (id, name, created_at) values (${TENANT}, 'Acme', 0)`),
  )
  await store.write((db) =>
    db.exec(
      sql`insert into change_feeds (tenant_id, position, bytes, epoch) values (${TENANT}, 0, 0, 'k3f9x2ab')`,
    ),
  )
  let client = await openClient(store, false)
  const names = createNames()
  const readers = [createReader(names, 'pages'), createReader(names, 'stream')]
  const hooks = [
    await createHook(client, { format: 'standard', isBroken: () => isBroken }),
    await createHook(client, { format: 'set', isBroken: () => isBroken }),
  ]
  const deliver = async () => {
    const sources = { receivers, now, publicOrigin: 'https://directory.example.com' }
    const send = createSendChange({ store, ...sources })
    const job = createDeliveryJob({ store, send, now, lease: OWN_LEASE })
    for (let runs = 0; runs < 3; runs += 1) {
      await job.run()
      await job.idle()
    }
    await job.close()
    for (const { accepted, received } of hooks) {
      for (const message of accepted.splice(0)) {
        const { id, said } = messageOf(message)
        names.add(id, said)
        received.add(id)
      }
    }
  }
  const anyUser = async () => {
    const { body } = await client.send('GET', '/Users?count=1&filter=active eq true')
    return body.Resources?.[0]?.id
  }
  const connection = `/api/tenants/${TENANT}/connection`
  const readAll = async () => {
    for (const reader of readers) await reader.read(client)
  }
  const restore = async () => {
    if (backups === 0) return
    await store.close()
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    copyFileSync(`${file}.${backups}`, file)
    store = await open()
    await store.write(renameRestored)
    client = await openClient(store, false)
    for (const hook of hooks) hook.received.clear()
    for (const hook of hooks) hook.start = await positionOf(store, hook.id)
  }
  const actions: Readonly<Record<Step, () => Promise<unknown>>> = {
    create: () => client.send('POST', '/Users', { userName: crypto.randomUUID(), active: true }),
    deactivate: async () => {
      const value = patch({ op: 'replace', path: 'active', value: false })
      return await client.send('PATCH', `/Users/${await anyUser()}`, value)
    },
    delete: async () => await client.send('DELETE', `/Users/${await anyUser()}`),
    pause: () => client.send('PATCH', connection, { state: 'paused' }),
    release: () => client.send('PATCH', connection, { state: 'active' }),
    drop: () => client.send('POST', `${connection}/drop`),
    'back up': async () => {
      backups += 1
      await backUp(file, `${file}.${backups}`)
    },
    restore,
    'a day ahead': async () => {
      time += DAY
      await actions.deactivate()
      await actions.create()
      await deliver()
      time -= DAY
    },
    'a minute later': async () => {
      time += 60_000
    },
    'break the receivers': async () => {
      isBroken = true
    },
    'repair the receivers': async () => {
      isBroken = false
    },
    deliver,
    read: readAll,
  }
  return {
    take: (step: Step) => actions[step](),
    expectNothingMissed: async () => {
      isBroken = false
      await actions.release()
      for (let turns = 0; turns < 8; turns += 1) {
        time += 2 * 3_600_000
        await deliver()
        await readAll()
      }
      const epoch = await epochIn(store)
      const stored = await positionsIn(store)
      for (const { start, received } of readers) {
        const after = Number(start.split('.').at(-1))
        const cursors = stored.filter((at) => at > after).map((at) => `${epoch}.${at}`)
        expect([...received].sort()).toEqual(cursors.sort())
      }
      for (const { id, start, received, separator } of hooks) {
        const wanted = stored.filter((at) => at > start)
        const ids = wanted.map((at) => `${TENANT}${separator}${epoch}${separator}${at}`)
        expect([...received]).toEqual(expect.arrayContaining(ids))
        expect(await positionOf(store, id)).toBe(await newestIn(store))
      }
    },
    close: async () => {
      for (const { close } of hooks) close()
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function createHook(
  client: Client,
  { format, isBroken }: { readonly format: 'standard' | 'set'; readonly isBroken: () => boolean },
) {
  const { accepted, url, close } = await startReceiver((_, response) =>
    response.writeHead(isBroken() ? 500 : 202).end(),
  )
  const audience = format === 'set' ? 'app' : null
  const path = `/api/tenants/${TENANT}/webhooks`
  const { status, body } = await client.send('POST', path, { url, format, audience })
  expect(status).toBe(201)
  const separator = format === 'set' ? '.' : '-'
  return { id: String(body.id), accepted, close, separator, received: new Set<string>(), start: 0 }
}

async function positionOf(store: Store, id: string): Promise<number> {
  const statement = sql`select position from webhooks where tenant_id = ${TENANT} and id = ${id}`
  return Number((await store.read((db) => db.exec(statement))).rows[0]?.position)
}

async function positionsIn(store: Store): Promise<readonly number[]> {
  const statement = sql`select position from changes where tenant_id = ${TENANT} order by position`
  const { rows } = await store.read((db) => db.exec(statement))
  return rows.map(({ position }) => Number(position))
}

async function newestIn(store: Store): Promise<number> {
  const statement = sql`select position from change_feeds where tenant_id = ${TENANT}`
  return Number((await store.read((db) => db.exec(statement))).rows[0]?.position)
}

async function epochIn(store: Store): Promise<string> {
  const statement = sql`select epoch from change_feeds where tenant_id = ${TENANT}`
  return String((await store.read((db) => db.exec(statement))).rows[0]?.epoch)
}
