import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from '@plumbline/scim/internal'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { prepare } from '../../../../../src/commands/seed/bootstrap.ts'
import { DEFAULT_TENANT } from '../../../../../src/kernel/access/tenant-store.ts'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { connect } from '../../../../support/harness.ts'
import { client, type Serving, serve } from '../../../../support/spawned-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
afterAll(() => rmSync(folder, { recursive: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("a SQLite database's files", () => {
  it("the files are readable only for the process's user, as is the folder", async () => {
    const path = join(folder, 'private', 'data', 'directory.db')
    const store = await openSqlite(path)
    await connect(store)
    expect(modeOf(join(folder, 'private'))).toBe('700')
    expect(modeOf(join(folder, 'private', 'data'))).toBe('700')
    for (const suffix of ['', '-wal', '-shm']) expect(modeOf(`${path}${suffix}`)).toBe('600')
    await store.close()
  })

  it("the files from an earlier version lose other users' permissions; an existing folder keeps its mode", async () => {
    const shared = join(folder, 'shared')
    mkdirSync(shared, { mode: 0o755 })
    const path = join(shared, 'directory.db')
    writeFileSync(path, '', { mode: 0o644 })
    await (await openSqlite(path)).close()
    expect([modeOf(shared), modeOf(path)]).toEqual(['755', '600'])
  })
})

describe('processes started at the same time', () => {
  it('the processes all work on a new SQLite file with one demo person, and one prints a token', async () => {
    const env = { DATABASE_URL: `file:${join(folder, 'new', 'directory.db')}` }
    const servers = await Promise.all([1, 2, 3].map(() => serving(env)))
    const tokens = servers.flatMap(({ token }) => token ?? [])
    expect(tokens).toHaveLength(1)
    for (const { origin } of servers) {
      const { body } = await client({ origin, token: tokens[0] ?? '' })('GET', '/Users')
      expect(body).toMatchObject({ totalResults: 1, Resources: [{ userName: 'ada@demo.example' }] })
    }
    const answers = servers.map(({ origin }, at) =>
      client({ origin, token: tokens[0] ?? '' })('POST', '/Users', { userName: `user-${at}` }),
    )
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201, 201])
  })

  it('the processes open and migrate a new SQLite file at the same moment', async () => {
    const openers = Array.from({ length: 3 }, startOpener)
    for (let round = 0; round < 5; round += 1) {
      const path = join(folder, `round-${round}.db`)
      const results = await Promise.all(openers.map((open) => open(path)))
      expect(results).toEqual(['opened', 'opened', 'opened'])
    }
  })
})

describe('a database on a read-only mount', () => {
  it('the database is served for reading, and rejects writes with 503', async ({ skip }) => {
    const { path, token, close } = await filled('reads')
    await close()
    if (!makeReadOnly(dirname(path))) skip('this machine does not allow mounts')
    const server = await serving({ DATABASE_URL: `file:${path}` })
    const send = client({ origin: server.origin, token })
    expect(await send('GET', '/Users')).toMatchObject({ status: 200, body: { totalResults: 1 } })
    const byName = await send('GET', '/Users?filter=userName+eq+"anna"')
    expect(byName).toMatchObject({ status: 200, body: { totalResults: 1 } })
    expect((await send('POST', '/Users', { userName: 'b' })).status).toBe(503)
    expect((await send('GET', '/api/ready')).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  it('the database is rejected if an earlier version migrated it', async ({ skip }) => {
    const { path, store, close } = await filled('earlier')
    await store.write((db) => db.exec(sql`delete from migrations where id = '20261121000003'`))
    await close()
    if (!makeReadOnly(dirname(path))) skip('this machine does not allow mounts')
    await expect(openSqlite(path)).rejects.toThrow('earlier version')
  })
})

/** Creates a database with a tenant and a user, and returns a client's token. */
async function filled(name: string) {
  const path = join(folder, name, 'directory.db')
  const store = await openSqlite(path)
  await prepare(store, { token: 'set' }, Date.now())
  const { token, send } = await connect(store, { tenantId: DEFAULT_TENANT })
  expect((await send('POST', '/Users', { userName: 'anna' })).status).toBe(201)
  return { path, store, token, close: () => store.close() }
}

/** Mounts a folder read-only, which also restricts a superuser; returns whether that is allowed. */
function makeReadOnly(path: string): boolean {
  const mounted = [
    ['mount', '--bind', path, path],
    ['mount', '-o', 'remount,bind,ro', path],
  ].every(([command = '', ...args]) => spawnSync(command, args).status === 0)
  if (mounted) onTestFinished(() => void spawnSync('umount', ['--lazy', path]))
  return mounted
}

/** Starts a process that opens the given files, and returns the outcome of each. */
function startOpener(): (path: string) => Promise<string> {
  const script = fileURLToPath(new URL('../../../../support/opener.ts', import.meta.url))
  const { stdin, stdout } = spawn(process.execPath, ['--conditions=@plumbline/source', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void stdin.end())
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return async (path) => {
    stdin.write(`${path}\n`)
    return String((await lines.next()).value)
  }
}

async function serving(env: Readonly<Record<string, string>>): Promise<Serving> {
  const server = await serve(env)
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
  })
  return server
}
