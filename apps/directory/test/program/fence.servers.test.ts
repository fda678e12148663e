import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../src/kernel/store/database.ts'
import { POSTGRES_DIALECT } from '../../src/kernel/store/engines/postgres/dialect.ts'
import { migratedBy } from '../../src/kernel/store/engines/postgres/migrate.ts'
import { withConnection } from '../../src/kernel/store/engines/postgres/pools.ts'
import { SQLITE_DIALECT } from '../../src/kernel/store/engines/sqlite/dialect.ts'
import type { SqlDialect } from '../../src/kernel/store/store.ts'
import { type FencedDatabase, NEWER, upgrade } from '../contract/fence.ts'
import { createFreshDatabase } from '../support/fresh-postgres.ts'
import type { Client } from '../support/harness.ts'
import { client, type Serving, serve, start } from '../support/spawned-server.ts'
import { withSqliteMigrated } from '../support/sqlite-migrated.ts'

/** A database of this version, and how a newer version migrates it. */
interface Fenced extends Pick<FencedDatabase, 'migrating'> {
  readonly url: string
  readonly dialect: SqlDialect
}

it.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)(
  'two processes stop when a newer version migrates their %s database under load, and lose no acknowledged write',
  async (_, create) => {
    const database = await create()
    const writing = await started(database.url)
    // The other process gets only reads, and its token is that of the first.
    const reading = { ...(await started(database.url)), token: writing.token }
    const load = startLoad(client(writing))
    const reads = startReads(client(reading))
    await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(50)
    const seen = new Set<string>()
    await upgrade(database, database, {
      ...NEWER,
      up: async ({ db }) => {
        for (const id of await usersOf(db)) seen.add(id)
        await setTimeout(500)
      },
    })
    const refused = load.refused.length
    await expect.poll(() => load.refused.length, { timeout: 60_000 }).toBeGreaterThan(refused + 10)
    for (const { origin } of [writing, reading]) {
      const readyOf = async () => (await fetch(`${origin}/api/ready`)).status
      await expect.poll(readyOf, { timeout: 9_000 }).toBe(503)
      expect((await fetch(`${origin}/api/health`)).status).toBe(200)
    }
    for (const { ended, errors } of [writing, reading]) {
      expect(await ended).toBe(1)
      expect(errors()).toBe(
        `The directory stops: a newer version of the directory has migrated the database (${NEWER.id}). Start the new version instead, or keep this process stopped.\n`,
      )
    }
    await Promise.all([load.ended, reads.ended])
    expect(load.acknowledged.filter((id) => !seen.has(id))).toEqual([])
    expect(load.refused.filter(({ status, after }) => status !== 503 || after === null)).toEqual([])
    expect(new Set(reads.statuses)).toEqual(new Set([200]))
    await database.migrating(async ({ db }) => expect(new Set(await usersOf(db))).toEqual(seen))
    const again = start({ DATABASE_URL: database.url, PORT: '0' })
    expect(await again.ended).toBe(78)
    expect(again.errors()).toContain(NEWER.id)
  },
)

async function started(url: string): Promise<Serving> {
  const server = await serve({ DATABASE_URL: url, RATE_LIMIT: '0' })
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
  })
  return server
}

/** Creates users over four connections until the server does not answer any more. */
function startLoad(send: Client['send']) {
  const acknowledged: string[] = []
  const refused: { readonly status: number; readonly after: string | null }[] = []
  const writer = async (): Promise<void> => {
    for (;;) {
      const answer = await send('POST', '/Users', { userName: crypto.randomUUID() }).catch(
        () => null,
      )
      if (answer === null) return
      const { status, body, headers } = answer
      if (status === 201) acknowledged.push(String(body.id))
      else {
        refused.push({ status, after: headers.get('Retry-After') })
        await setTimeout(50)
      }
    }
  }
  return { acknowledged, refused, ended: Promise.all(Array.from({ length: 4 }, writer)) }
}

/** Reads a page until the server does not answer any more. */
function startReads(send: Client['send']) {
  const statuses: number[] = []
  const reader = async (): Promise<void> => {
    for (;;) {
      const answer = await send('GET', '/Users?count=10').catch(() => null)
      if (answer === null) return
      statuses.push(answer.status)
      await setTimeout(20)
    }
  }
  return { statuses, ended: reader() }
}

async function usersOf(db: Database): Promise<readonly string[]> {
  const { rows } = await db.exec(sql`select id from users`)
  return rows.map(({ id }) => String(id))
}

async function sqlite(): Promise<Fenced> {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'directory.db')
  return {
    url: `file:${path}`,
    dialect: SQLITE_DIALECT,
    migrating: (work) => withSqliteMigrated(path, work),
  }
}

async function postgres(): Promise<Fenced> {
  const { url, drop } = await createFreshDatabase()
  onTestFinished(drop)
  return {
    url,
    dialect: POSTGRES_DIALECT,
    migrating: (work) => withConnection(url, (single) => work(migratedBy(single))),
  }
}
