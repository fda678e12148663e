/**
 * Tries the way to a new version of the directory and back, as apps/directory/UPGRADING.md describes it, with the program of
 * the release before this one, under load: upgrade, return to the backup, and upgrade again with the changes between. On SQLite, and on
 * PostgreSQL if PLUMBLINE_TEST_POSTGRES_URL is set. Needs git, and the registry for the packages of the other version.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { root, run } from './run.ts'

/** A database, with the commands of the documentation that copy and restore it. */
interface Database {
  readonly name: string
  /** Its URL, which is another one after it was restored. */
  url(): string
  backUp(): Promise<unknown>
  restore(): Promise<unknown>
  drop(): Promise<unknown>
}

/** A user or a group, with what a client notices of it. */
interface Resource {
  readonly id: string
  readonly userName?: string
  readonly displayName?: string
  readonly emails?: unknown
  readonly members?: readonly { readonly value: string }[]
}

type Send = (
  path: string,
  body?: unknown,
) => Promise<{ readonly Resources: readonly Resource[] } & Resource>

/** The last commit with the database of version 2026.11.21, which does not have a tag. */
const FIRST_RELEASE = '01a5370352f05a12e8df19db37ad7876c06f269a'
const work = mkdtempSync(join(tmpdir(), 'plumbline-upgrade-'))
const before = join(work, 'before')
const token = crypto.randomUUID()
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
try {
  const version = await installBefore()
  for (const database of [sqlite(), ...(await postgres())]) {
    try {
      await tryUpgrade(database)
      console.log(`ok     ${database.name}: from ${version} to this version, back, and again`)
    } finally {
      await database.drop()
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function tryUpgrade(database: Database): Promise<void> {
  const load = startLoad()
  await serving(before, database, async (send) => {
    const { id } = await send('/Users', { userName: 'anna', emails: [{ value: 'a@b.example' }] })
    await send('/Groups', { displayName: 'all', members: [{ value: id }] })
    await load.more()
  })
  // The old program has stopped under load.
  const written = await load.stop()
  const original = await serving(before, database, contentOf)
  assertContains(original, written)
  const pending = await succeed(database, '--pending')
  await database.backUp()

  // Clients go on while the new program migrates and starts.
  const later = startLoad()
  const migrated = await serving(root, database, async (send) => {
    await later.more()
    const ids = original.map(({ id }) => id)
    const kept = (await contentOf(send)).filter(({ id }) => ids.includes(id))
    assert.deepEqual(kept, original, 'a migration keeps users and groups')
    await send('/Users', { userName: 'of the new version' })
    const added = await later.stop()
    const content = await contentOf(send)
    assertContains(content, added)
    return content
  })
  if (pending !== 'No migration is necessary.\n') {
    const rejected = await startProgram(before, database.url()).ended
    assert.match(rejected.output, /a newer version of the directory has migrated the database/)
  }
  const changes = join(work, `${database.name}.jsonl`)
  writeFileSync(changes, await succeed(database, '--export', 'default'))

  await database.restore()
  await serving(before, database, async (send) => {
    assert.deepEqual(await contentOf(send), original, 'the old version has what was backed up')
    await send('/Users', { userName: 'of the old version' })
  })
  await succeed(database, '--import', changes, '--tenant', 'default')
  await serving(root, database, async (send) => {
    const names = (await contentOf(send)).map(({ name }) => name)
    const expected = [...migrated.map(({ name }) => name), 'of the old version']
    assert.deepEqual(names.sort(), expected.sort(), 'no change is lost')
  })
}

/** A client that creates users, also while no program answers. */
interface Writer {
  /** Waits until more users were created. */
  more(): Promise<void>
  /** Returns the ids of the users whose creation was acknowledged. */
  stop(): Promise<readonly string[]>
}

function startLoad(): Writer {
  const ids: string[] = []
  let isStopped = false
  const write = async (): Promise<void> => {
    const body = JSON.stringify({ userName: crypto.randomUUID() })
    const response = await fetch(`${origin}/scim/v2/Users`, { method: 'POST', headers, body })
    const text = await response.text()
    if (response.status === 201) ids.push((JSON.parse(text) as Resource).id)
  }
  const written = (async () => {
    // Slower than the limit of requests for a client.
    for (; !isStopped; await setTimeout(100)) await write().catch(() => undefined)
  })()
  return {
    more: async () => {
      for (const count = ids.length; ids.length < count + 20; ) await setTimeout(50)
    },
    stop: async () => {
      isStopped = true
      await written
      return ids
    },
  }
}

function assertContains(content: readonly Pick<Resource, 'id'>[], ids: readonly string[]): void {
  const found = new Set(content.map(({ id }) => id))
  const lost = ids.filter((id) => !found.has(id))
  assert.deepEqual(lost, [], 'each acknowledged user is stored')
}

/** Clones the release before this version, and installs it. Returns its version. */
async function installBefore(): Promise<string> {
  const pattern = '@plumbline/directory@*'
  const tag = await run('git', ['describe', '--tags', '--abbrev=0', '--match', pattern])
  const commit = tag.code === 0 ? tag.output.trim() : FIRST_RELEASE
  await shell(`git clone --quiet '${root}' before && cd before && git checkout --quiet '${commit}'`)
  await shell('cd before && npm ci --omit=dev --no-audit --no-fund')
  const manifest = readFileSync(join(before, 'apps/directory/package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

function sqlite(): Database {
  const database: Database = {
    name: 'SQLite',
    url: () => `file:${join(work, 'directory.db')}`,
    backUp: () => succeed(database, '--backup', join(work, 'before.db')),
    restore: () => shell('rm -f directory.db-wal directory.db-shm && cp before.db directory.db'),
    drop: async () => undefined,
  }
  return database
}

/** A database on the server of `.ci/servers`, and another one into which it is restored. */
async function postgres(): Promise<readonly Database[]> {
  const { PLUMBLINE_TEST_POSTGRES_URL: server, PLUMBLINE_TEST_POSTGRES_PROGRAMS } = process.env
  if (!server) return []
  const page = readFileSync(join(root, 'apps/directory/docs/operate.md'), 'utf8')
  const names = [`before_${port}`, `restored_${port}`]
  let [name = ''] = names
  const url = () => Object.assign(new URL(server), { pathname: name }).href
  const program = (command: string) =>
    shell(`PATH="${PLUMBLINE_TEST_POSTGRES_PROGRAMS}:$PATH" DATABASE_URL='${url()}' && ${command}`)
  const documented = (command: string) =>
    program(new RegExp(`^${command} .+$`, 'm').exec(page)?.[0] ?? 'false')
  for (const one of names) await program(`createdb --maintenance-db='${server}' ${one}`)
  const database: Database = {
    name: 'PostgreSQL',
    url,
    backUp: () => documented('pg_dump'),
    restore: () => {
      name = `restored_${port}`
      return documented('pg_restore')
    },
    drop: async () => {
      for (const one of names) await program(`dropdb --force --maintenance-db='${server}' ${one}`)
    },
  }
  return [database]
}

/** Runs a server while it is used. Throws if it does not stop. */
async function serving<T>(
  folder: string,
  database: Database,
  use: (send: Send) => Promise<T>,
): Promise<T> {
  const { child, ended } = startProgram(folder, database.url())
  try {
    for (;;) {
      if (
        await fetch(`${origin}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break
      const early = await Promise.race([ended, setTimeout(100)])
      if (early !== undefined) throw new Error(early.output)
    }
    return await use(async (path, body) => {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${origin}/scim/v2${path}`, { headers, ...sent })
      const text = await response.text()
      assert.ok(response.ok, text)
      return JSON.parse(text)
    })
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

/** The users and groups, in one order. */
async function contentOf(send: Send) {
  const users = (await send('/Users?count=1000&attributes=userName,displayName,emails')).Resources
  const groups = (await send('/Groups?attributes=displayName,members.value')).Resources
  return [...users, ...groups]
    .map(({ id, userName, displayName, emails, members }) => ({
      id,
      name: userName ?? displayName,
      displayName,
      emails,
      members: members?.map(({ value }) => value),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Runs a command of this version. Returns its output. */
async function succeed(database: Database, ...options: readonly string[]): Promise<string> {
  const { code, output } = await startProgram(root, database.url(), options).ended
  assert.equal(code, 0, output)
  return output
}

interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>
}

/** Starts the directory of a checkout, as UPGRADING.md does. */
function startProgram(folder: string, url: string, options: readonly string[] = []): Program {
  const settings = { PORT: String(port), DATABASE_URL: url, DIRECTORY_TOKEN: token }
  const env = { ...process.env, ...settings }
  const args = ['start', '--silent', '--', ...options]
  const child = spawn('npm', args, { cwd: folder, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended }
}

/** Runs a line of a shell in the folder of this run. */
async function shell(line: string): Promise<void> {
  const { code, output } = await run('sh', ['-ec', line], work)
  if (code !== 0) throw new Error(`${line} failed:\n${output}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
