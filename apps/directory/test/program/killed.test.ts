import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { createDirectory } from '../../src/app.ts'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import { sender } from '../support/harness.ts'
import { type Serving, serve } from '../support/spawned-server.ts'

const TOKEN = 'a-token-of-the-environment'
const folder = mkdtempSync(join(tmpdir(), 'directory-'))
const file = join(folder, 'directory.db')
const running: Serving[] = []
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

it('a server killed three times during writes has every acknowledged user', async () => {
  const acknowledged = new Map<string, string>()
  for (let round = 0; round < 3; round += 1) {
    const server = await serving()
    let isAlive = true
    const clients = Array.from({ length: 4 }, async (_, worker) => {
      for (let at = 0; isAlive; at += 1) {
        const userName = `user-${round}-${worker}-${at}`
        const id = await create(server, userName).catch(() => null)
        if (id !== null) acknowledged.set(userName, id)
      }
    })
    const wanted = acknowledged.size + 40
    await vi.waitUntil(() => acknowledged.size >= wanted, { timeout: 100_000, interval: 1 })
    server.child.kill('SIGKILL')
    await server.ended
    isAlive = false
    await Promise.all(clients)
  }
  const found = await list()
  for (const [userName, id] of acknowledged) expect(found.get(userName)).toBe(id)
  // There may also be users that were written and not acknowledged; each of them is complete.
  expect(found.size).toBeLessThanOrEqual(acknowledged.size + 3 * 4)
  expect(ask('pragma integrity_check')).toEqual({ integrity_check: 'ok' })
  expect(ask(WITHOUT_EMAIL)).toEqual({ count: 0 })
})

async function serving(): Promise<Serving> {
  const server = await serve({ DATABASE_URL: `file:${file}`, DIRECTORY_TOKEN: TOKEN })
  running.push(server)
  return server
}

async function create({ origin }: Serving, userName: string): Promise<string | null> {
  const response = await fetch(`${origin}/scim/v2/Users`, {
    method: 'POST',
    headers: { ...AUTHORIZED, 'Content-Type': 'application/scim+json' },
    body: JSON.stringify({ userName, emails: [{ value: `${userName}@example.com` }] }),
  })
  return response.status === 201 ? String((await response.json()).id) : null
}

/** The ids of all users of the next server, keyed by userName. */
async function list(): Promise<ReadonlyMap<string, string>> {
  const store = await openSqlite(file)
  const send = sender(createDirectory({ store, token: TOKEN }), TOKEN)
  const ids = new Map<string, string>()
  for (let total = 1; ids.size < total; ) {
    const { body } = await send('GET', `/Users?startIndex=${ids.size + 1}&count=1000`)
    for (const { userName, id } of body.Resources ?? []) ids.set(String(userName), String(id))
    total = Number(body.totalResults)
  }
  await store.close()
  return ids
}

/** Queries the database directly. */
function ask(query: string): object {
  const database = new DatabaseSync(file)
  try {
    return { ...database.prepare(query).get() }
  } finally {
    database.close()
  }
}

const WITHOUT_EMAIL = `
  select count(*) as count from users
  where not exists (select 1 from user_values where user_values.resource_id = users.id)`

const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` }
