import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { sql } from '@plumbline/scim/sql'
import { afterAll, describe, expect, it } from 'vitest'
import { exportResources } from '../../src/commands/export.ts'
import { fill } from '../../src/seed/fill.ts'
import { backUp } from '../../src/store/engines/sqlite/backup.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { createTenant, findTenant } from '../../src/store/tokens.ts'
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

describe('npm start -- --backup', () => {
  it('copies a database while a server has it open', async () => {
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

  it('copies the state of one moment while another connection writes', async () => {
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

  it('keeps a file that already exists', async () => {
    const store = await seeded('kept.db')
    const file = join(folder, 'kept.backup')
    writeFileSync(file, 'an older backup')
    await expect(backUp(join(folder, 'kept.db'), file)).rejects.toThrow(`${file} already exists`)
    expect(statSync(file).size).toBe('an older backup'.length)
    await store.close()
  })

  it('creates neither a database nor a backup if the database does not exist', async () => {
    const path = join(folder, 'missing.db')
    const { ended, errors } = start({ DATABASE_URL: `file:${path}` }, '--backup', `${path}.backup`)
    expect(await ended).toBe(1)
    expect(errors()).toBe(`The directory cannot be backed up: ${path} does not exist\n`)
    expect([path, `${path}.backup`].filter(existsSync)).toEqual([])
  })

  it('leaves nothing behind if the database is damaged', async () => {
    const path = join(folder, 'damaged.db')
    writeFileSync(path, 'not a database, but as long as the header of one\n'.repeat(9))
    await expect(backUp(path, `${path}.backup`)).rejects.toThrow(/not a database/)
    expect(readdirSync(folder).filter((name) => name.startsWith('damaged.db.'))).toEqual([])
  })

  it('refers to pg_dump for PostgreSQL', async () => {
    const { ended, errors } = start(
      { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' },
      '--backup',
      'x',
    )
    expect(await ended).toBe(1)
    expect(errors()).toBe('The directory cannot be backed up: use pg_dump for PostgreSQL\n')
  })
})

describe('npm start -- --export', () => {
  it('prints each user and group of one tenant as a line of JSON', async () => {
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

  it('does not know other tenants', async () => {
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

describe('npm start -- --pending and --migrate', () => {
  const run = async (path: string, option: string) => {
    const { ended, output, errors } = start({ DATABASE_URL: `file:${path}` }, option)
    return { code: await ended, lines: output().trimEnd().split('\n'), errors: errors() }
  }
  const done = (line: string) => ({ code: 0, lines: [line], errors: '' })

  it('list what a new database needs without creating it, create it, and then find nothing to do', async () => {
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

  it('list and run what a database of an earlier version needs, also while it is open', async () => {
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

  it('--migrate rejects a database of a newer version', async () => {
    const store = await seeded('newer.db')
    await store.write((db) =>
      db.exec(sql`update migrations set id = '29991231' where name = 'size_request_logs'`),
    )
    await store.close()
    const { code, errors } = await run(join(folder, 'newer.db'), '--migrate')
    expect(code).toBe(1)
    expect(errors).toMatch(/^The directory cannot be migrated: [^\n]+ newer version [^\n]+\n$/)
  })
})

it.each([
  [['--export'], '--export needs a tenant'],
  [['--backup', ''], '--backup needs a file'],
  [['--export', 'a', '--token'], 'unknown option --token; npm start -- --help lists the options'],
])('rejects the options %j', async (options, message) => {
  const { ended, errors } = start({}, ...options)
  expect(await ended).toBe(1)
  expect(errors()).toBe(`The directory cannot start: ${message}\n`)
})

it('the server starts without a folder that it can write compiled code to', async () => {
  const { ended, output } = start({ NODE_COMPILE_CACHE: '/dev/null/compiled' }, '--help')
  expect(await ended).toBe(0)
  expect(output()).toContain('npm start -- --help')
})

describe('npm start -- --rejected', () => {
  it('prints the requests of Okta and Entra ID that a profile rejects, with the reasons', async () => {
    const { ended, output } = start({}, '--rejected', 'interop')
    expect(await ended).toBe(0)
    expect(output()).toMatch(
      /^okta-patch: deactivate the user: .*\n {2}PATCH \/Users\/\S+: Operations\[0\] requires a path$/m,
    )
  })

  it('names the profiles if the profile is unknown', async () => {
    const { ended, errors } = start({}, '--rejected', 'acme')
    expect(await ended).toBe(1)
    expect(errors()).toContain('--rejected needs one of standard, entra, okta, interop')
  })
})
