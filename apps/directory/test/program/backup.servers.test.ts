import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startWriters } from '../support/acknowledged.ts'
import { createFreshDatabase } from '../support/fresh-postgres.ts'
import type { Client } from '../support/harness.ts'
import { programsFolder } from '../support/postgres-cluster.ts'
import { client, serve, start } from '../support/spawned-server.ts'

const page = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8')

it('pg_dump during writes and pg_restore, as docs/operate.md shows them, copy the state at one moment', async () => {
  const source = await freshDatabase()
  const server = await started(source)
  const send = client(server)
  const group = await send('POST', '/Groups', { displayName: 'all' })
  const groupId = String(group.body.id)
  const writers = startWriters(send, groupId, 8)
  await expect.poll(writers.acknowledged, { timeout: 100_000 }).toBeGreaterThan(200)
  const before = await idsOf(send)
  const copied = await copy(source)
  const { deleted, users } = await writers.stop()

  const restored = await started(copied)
  const sendToCopy = client({ origin: restored.origin, token: server.token })
  const kept = await idsOf(sendToCopy)
  const missing = [...before].filter((id) => users.has(id) && !kept.has(id) && !deleted.has(id))
  expect(missing).toEqual([])
  const { body } = await sendToCopy('GET', `/Groups/${groupId}`)
  const members = (body.members ?? []).map(({ value }) => String(value))
  expect(members.length).toBeGreaterThan(0)
  expect(members.filter((id) => !kept.has(id))).toEqual([])
  expect((await sendToCopy('POST', '/Users', { userName: 'after' })).status).toBe(201)
})

it('a restored database has the same users, groups and tokens', async () => {
  const source = await freshDatabase()
  const server = await started(source)
  const send = client(server)
  const { body: user } = await send('POST', '/Users', { userName: 'Émilie "the first"\n' })
  await send('POST', '/Groups', { displayName: 'all', members: [{ value: user.id }] })
  const tokens = (await send('GET', '/api/tokens')).body.tokens
  const copied = await copy(source)
  expect(await exported(copied)).toBe(await exported(source))
  const restored = await started(copied)
  const answer = await client({ ...restored, token: server.token })('GET', '/api/tokens')
  expect(answer.body.tokens?.map(({ id }) => id)).toEqual(tokens?.map(({ id }) => id))
})

/** Runs the commands of docs/operate.md: dumps a database, and restores it into a new one. */
async function copy(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'directory-dump-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const copied = await freshDatabase()
  for (const [program, DATABASE_URL] of [
    ['pg_dump', url],
    ['pg_restore', copied],
  ]) {
    const command = new RegExp(`^${program} .+$`, 'm').exec(page)?.[0]
    const env = { PATH: `${programsFolder()}:${process.env.PATH}`, DATABASE_URL }
    await promisify(execFile)('sh', ['-c', command ?? 'false'], { cwd: folder, env })
  }
  return copied
}

/** The lines of `npm start -- --export default`. */
async function exported(url: string): Promise<string> {
  const { ended, output } = start({ DATABASE_URL: url }, '--export', 'default')
  expect(await ended).toBe(0)
  expect(output().split('\n')).toHaveLength(4)
  return output()
}

async function idsOf(send: Client['send']): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const { body } = await send('GET', `/Users?count=1000&attributes=id&cursor=${cursor}`)
    for (const { id } of body.Resources ?? []) ids.add(String(id))
    cursor = body.nextCursor
  }
  return ids
}

async function freshDatabase(): Promise<string> {
  const { url, drop } = await createFreshDatabase()
  onTestFinished(drop)
  return url
}

async function started(url: string) {
  const server = await serve({ DATABASE_URL: url })
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
  })
  return server
}
