import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { sql } from '@plumbline/scim/internal'
import { afterAll, describe, expect, it } from 'vitest'
import { exportResources } from '../../src/commands/export.ts'
import { fill } from '../../src/commands/seed/fill.ts'
import { readEventKeys } from '../../src/features/changes/event-key-store.ts'
import { createTenant } from '../../src/features/tenants/store.ts'
import { findTenant } from '../../src/kernel/access/tenant-store.ts'
import { backUp } from '../../src/kernel/store/engines/sqlite/backup.ts'
import { openStore } from '../../src/kernel/store/open.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { runCommand } from '../support/run-command.ts'
import { start } from '../support/spawned-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function seeded(name: string, { users = 30, groups = 2 } = {}): Promise<Store> {
  const store = await openStore(`file:${join(folder, name)}`)
  await store.write((db) => createTenant(db, { id: 'acme', name: 'Acme', created_at: 0 }))
  await fill(store, { tenantId: 'acme', users, groups, seed: 1 })
  return store
}

function countUsers(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare('select count(*) as count from users').get()?.count
  } finally {
    database.close()
  }
}

describe('npm start -- --rotate-event-keys', () => {
  it('--rotate-event-keys adds a key to sign later, and --revoke deletes the others', async () => {
    const store = await seeded('keys.db', { users: 0 })
    const rotate = async (...options: readonly string[]) => {
      const environment = { DATABASE_URL: `file:${join(folder, 'keys.db')}` }
      const { code, output } = await runCommand(environment, '--rotate-event-keys', ...options)
      expect(code).toBe(0)
      const [newest, ...others] = await store.read(readEventKeys)
      expect(output).toContain(`The key ${newest.kid} signs from `)
      return [newest, ...others].map(({ kid }) => kid)
    }
    const [first] = await store.read(readEventKeys)
    const [second, ...old] = await rotate()
    expect(old).toEqual([first.kid])
    const revoked = await rotate('--revoke')
    expect(revoked).toHaveLength(1)
    expect(revoked).not.toContain(second)
    await store.close()
  })
})

describe('npm start -- --backup', () => {
  it('a backup copies a database while a server has it open', async () => {
    const store = await seeded('open.db')
    const file = join(folder, 'open.backup')
    const { ended, output } = start(
      { DATABASE_URL: `file:${join(folder, 'open.db')}` },
      '--backup',
      file,
    )
    expect(await ended).toBe(0)
    expect(output()).toBe(`The backup is in ${file}.\n`)
    expect(countUsers(file)).toBe(30)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.startsWith('open.backup'))).toEqual([
      'open.backup',
    ])
    await store.close()
    const restored = await openStore(`file:${file}`)
    expect(await restored.read((db) => findTenant(db, 'acme'))).toMatchObject({ name: 'Acme' })
    await restored.close()
  })

  it('a backup copies the state at one moment while another connection writes', async () => {
    const store = await seeded('busy.db', { users: 2_000, groups: 0 })
    let isDone = false
    const writing = (async () => {
      for (let n = 0; !isDone; n += 1) {
        const id = `t${n}`
        await store.write(async (db) => {
          await createTenant(db, { id: `${id}-a`, name: 'a', created_at: n })
          await createTenant(db, { id: `${id}-b`, name: 'b', created_at: n })
        })
        // Writes to SQLite are microtasks: without a turn, nothing else would run.
        await setImmediate()
      }
    })()
    for (let round = 0; round < 5; round += 1) {
      const file = join(folder, `busy-${round}.backup`)
      await backUp(join(folder, 'busy.db'), file)
      const database = new DatabaseSync(file, { readOnly: true })
      const count = (end: string) =>
        database.prepare('select count(*) as n from tenants where id like ?').get(`t%-${end}`)?.n
      expect(count('a')).toBe(count('b'))
      database.close()
    }
    isDone = true
    await writing
    await store.close()
  })

  it('a backup keeps an existing file', async () => {
    const store = await seeded('kept.db')
    const file = join(folder, 'kept.backup')
    writeFileSync(file, 'an older backup')
    await expect(backUp(join(folder, 'kept.db'), file)).rejects.toThrow(`${file} already exists`)
    expect(statSync(file).size).toBe('an older backup'.length)
    await store.close()
  })

  it('an interrupted backup deletes the incomplete copy', async () => {
    const path = join(folder, 'interrupted.db')
    const large = new DatabaseSync(path)
    large.exec('create table migrations (id text); create table large (value blob)')
    for (let at = 0; at < 200; at += 1) large.exec('insert into large values (zeroblob(1000000))')
    large.close()
    const copies = () => readdirSync(folder).filter((name) => name.startsWith('interrupted.copy'))
    const { child, ended } = start(
      { DATABASE_URL: `file:${path}` },
      '--backup',
      join(folder, 'interrupted.copy'),
    )
    await expect.poll(copies, { timeout: 60_000, interval: 1 }).not.toEqual([])
    child.kill('SIGTERM')
    await ended
    expect(child.signalCode).toBe('SIGTERM')
    expect(copies()).toEqual([])
    rmSync(path)
  })

  it('--backup creates neither a database nor a backup if the database does not exist', async () => {
    const path = join(folder, 'missing.db')
    const env = { DATABASE_URL: `file:${path}` }
    expect(await runCommand(env, '--backup', `${path}.backup`)).toEqual({
      code: 1,
      output: '',
      errors: `The directory cannot be backed up: ${path} does not exist\n`,
    })
    expect([path, `${path}.backup`].filter(existsSync)).toEqual([])
  })

  it('a backup leaves nothing behind if the database is damaged', async () => {
    const path = join(folder, 'damaged.db')
    writeFileSync(path, 'not a database, but as long as the header of one\n'.repeat(9))
    await expect(backUp(path, `${path}.backup`)).rejects.toThrow(/not a database/)
    expect(readdirSync(folder).filter((name) => name.startsWith('damaged.db.'))).toEqual([])
  })

  it('a backup refers to pg_dump for PostgreSQL', async () => {
    const env = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' }
    expect(await runCommand(env, '--backup', 'x')).toEqual({
      code: 1,
      output: '',
      errors: 'The directory cannot be backed up: use pg_dump for PostgreSQL\n',
    })
  })
})

describe('npm start -- --export', () => {
  it('an export prints each user and group in one tenant as a JSON line', async () => {
    const store = await seeded('export.db', { users: 1_200, groups: 3 })
    await store.write((db) => createTenant(db, { id: 'other', name: 'Other', created_at: 0 }))
    await store.close()
    const { ended, output } = start(
      { DATABASE_URL: `file:${join(folder, 'export.db')}`, PUBLIC_URL: 'https://example.com' },
      '--export',
      'acme',
    )
    expect(await ended).toBe(0)
    const resources = output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const types = resources.map(({ meta }) => meta.resourceType)
    expect(types).toEqual([...Array(1_200).fill('User'), ...Array(3).fill('Group')])
    expect(new Set(resources.map(({ id }) => id)).size).toBe(1_203)
    const [first] = resources
    expect(first.meta.location).toBe(`https://example.com/scim/v2/Users/${first.id}`)
    expect(resources.at(-3).members.length).toBeGreaterThan(0)
  })

  it('an export does not know other tenants', async () => {
    const store = await seeded('tenants.db')
    await store.write((db) => createTenant(db, { id: 'empty', name: 'Empty', created_at: 0 }))
    const lines: string[] = []
    const options = {
      store,
      base: 'https://example.com/scim/v2',
      now: () => 0,
      write: async (line: string) => void lines.push(line),
    }
    expect(await exportResources({ ...options, tenantId: 'empty' })).toBe(0)
    expect(await exportResources({ ...options, tenantId: 'missing' })).toBeNull()
    expect(lines).toEqual([])
    await store.close()
  })
})

describe('npm start -- --import', () => {
  const env = (name: string) => ({
    DATABASE_URL: `file:${join(folder, name)}`,
    PUBLIC_URL: 'https://example.com',
  })
  const run = (name: string, ...options: string[]) => runCommand(env(name), ...options)
  const file = join(folder, 'acme.jsonl')

  it('an export imported into another database is exported again identically', async () => {
    await (await seeded('from.db')).close()
    const other = await openStore(`file:${join(folder, 'to.db')}`)
    await other.write((db) => createTenant(db, { id: 'new', name: 'New', created_at: 0 }))
    await other.close()
    const { output: lines } = await run('from.db', '--export', 'acme')
    writeFileSync(file, lines)
    const options = ['--import', file, '--tenant', 'new']
    const dry = await run('to.db', ...options, '--dry-run')
    expect(dry).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Nothing was written.* 32 new and 0 existing/),
    })
    const { errors, ...done } = await run('to.db', ...options)
    const summary = '32 new and 0 existing resources; 0 rows rejected, 0 members left out'
    expect(done).toEqual({ code: 0, output: `The import has ${summary}.\n` })
    expect(errors).toMatch(/^\[#{40}\] 100 %$/m)
    expect(await run('to.db', '--export', 'new')).toEqual({ code: 0, output: lines, errors: '' })
  })

  it('an import exits with 2 and names each rejected line, and with 1 if it cannot run', async () => {
    writeFileSync(join(folder, 'rejected.jsonl'), '{}\n')
    const options = ['--import', join(folder, 'rejected.jsonl'), '--tenant']
    const rejected = await run('from.db', ...options, 'acme')
    expect(rejected).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^line 1: neither meta.resourceType nor/),
    })
    expect(await run('from.db', ...options, 'missing')).toMatchObject({
      code: 1,
      errors: 'The directory cannot import the rows: tenant missing not found\n',
    })
    const csv = join(folder, 'people.csv')
    writeFileSync(csv, '\nemail,name\na@example.com,A\nb@example.com,B\n')
    expect(await run('from.db', '--import', csv, '--tenant', 'acme')).toEqual({
      code: 1,
      output: '',
      errors: `The directory cannot import the rows: ${csv} is not an export, because its first line is not JSON. A CSV file needs --mapping <file>\n`,
    })
    const missing = await run('from.db', '--import', join(folder, 'missing.jsonl'))
    expect(missing).toMatchObject({
      code: 1,
      errors: expect.stringContaining('cannot import the rows: ENOENT'),
    })
  })
})

it("npm start -- --from prints the other server's text without control characters", async () => {
  const clear = '\u001b[2J\u202e\u{e0001}'
  let answer: object = {}
  const server = createServer((request, response) => {
    const isUsers = request.url?.includes('/Users') === true
    response.statusCode = isUsers ? ('detail' in answer ? 500 : 200) : 404
    response.end(JSON.stringify(isUsers ? answer : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  const run = async () => {
    const env = { DATABASE_URL: `file:${join(folder, 'hostile.db')}` }
    const { ended, output, errors } = start(env, '--from', `http://127.0.0.1:${port}`)
    return { code: await ended, text: output() + errors() }
  }
  const store = await openStore(`file:${join(folder, 'hostile.db')}`)
  await store.write((db) => createTenant(db, { id: 'default', name: 'Default', created_at: 0 }))
  await store.close()
  answer = { detail: `no ${clear}` }
  const failed = await run()
  answer = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 1,
    Resources: [
      { id: `7${clear}`, schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], active: clear },
    ],
  }
  const rejected = await run()
  server.close()
  expect(failed).toMatchObject({ code: 1, text: expect.stringContaining('status 500, no ') })
  expect(rejected.code).toBe(2)
  for (const { text } of [failed, rejected]) expect(text).not.toMatch(/[^\P{Cc}\n\r]|\p{Cf}/u)
  expect(rejected.text).toContain('\\u001b[2J\\u202e\\u{e0001}')
})

describe('npm start -- --pending and --migrate', () => {
  const run = async (path: string, option: string) => {
    const { output, ...end } = await runCommand({ DATABASE_URL: `file:${path}` }, option)
    return { ...end, lines: output.trimEnd().split('\n') }
  }
  const done = (line: string) => ({ code: 0, lines: [line], errors: '' })

  it('--pending and --migrate list what a new database needs without creating it, create it, and then find nothing to do', async () => {
    const path = join(folder, 'new', 'new.db')
    const { lines, ...end } = await run(path, '--pending')
    expect(end).toEqual({ code: 0, errors: '' })
    expect(lines).toEqual(expect.arrayContaining(['create_directory', 'index_values']))
    expect(existsSync(join(folder, 'new'))).toBe(false)
    expect(await run(path, '--migrate')).toEqual(done(`Migrated: ${lines.join(', ')}`))
    expect(countUsers(path)).toBe(0)
    expect(await run(path, '--pending')).toEqual(done('No migration is necessary.'))
    expect(await run(path, '--migrate')).toEqual(done('No migration was necessary.'))
  })

  it("--pending and --migrate list and run what an earlier version's database needs, also while it is open", async () => {
    const store = await seeded('earlier.db')
    const path = join(folder, 'earlier.db')
    await store.write(async (db) => {
      await db.exec(sql`drop table request_sizes`)
      await db.exec(sql`delete from migrations where name = 'size_request_logs'`)
    })
    expect(await run(path, '--pending')).toEqual(done('size_request_logs'))
    await store.close()
    expect(await run(path, '--pending')).toEqual(done('size_request_logs'))
    expect(await run(path, '--migrate')).toEqual(done('Migrated: size_request_logs'))
    expect(countUsers(path)).toBe(30)
  })

  it("--migrate rejects a newer version's database", async () => {
    const store = await seeded('newer.db')
    await store.write((db) =>
      db.exec(sql`update migrations set id = '29991231' where name = 'size_request_logs'`),
    )
    await store.close()
    const { code, errors } = await run(join(folder, 'newer.db'), '--migrate')
    expect(code).toBe(78)
    expect(errors).toMatch(/^The directory cannot be migrated: [^\n]+ newer version [^\n]+\n$/)
  })
})

it.each([
  [['--export'], '--export needs a tenant'],
  [['--from', 'old.example.com'], '--from needs an http or https URL'],
  [['--export', 'a', '--token'], 'unknown option --token; npm start -- --help lists the options'],
])('the program rejects the options %j', async (options, message) => {
  const { code, errors } = await runCommand({}, ...options)
  expect({ code, errors }).toEqual({ code: 1, errors: `The directory cannot start: ${message}\n` })
})

it('the server starts without a writable folder for compiled code', async () => {
  const { ended, output } = start({ NODE_COMPILE_CACHE: '/dev/null/compiled' }, '--help')
  expect(await ended).toBe(0)
  expect(output()).toContain('npm start -- --help')
})
