import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw, sql } from '@plumbline/scim/internal'
import { afterAll, describe, expect, it } from 'vitest'
import { backUp } from '../../../../../src/kernel/store/engines/sqlite/backup.ts'
import { openScanDatabase } from '../../../../../src/kernel/store/engines/sqlite/scan-database.ts'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'directory-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)

describe("a SQLite file's backup", () => {
  it('a backup is one file only its user can read, with all rows', async () => {
    const path = at('source.db')
    const store = await openSqlite(path)
    await store.write((db) =>
      db.exec(sql`insert into settings (name, value) values ('copied', 'yes')`),
    )
    await backUp(path, at('copy.db'))
    await store.close()
    expect(statSync(at('copy.db')).mode & 0o777).toBe(0o600)
    // https://sqlite.org/fileformat.html#file_format_version_numbers: 2 requires a log next to the file.
    expect([...readFileSync(at('copy.db')).subarray(18, 20)]).toEqual([1, 1])
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
    const copy = await openSqlite(at('copy.db'))
    const text = `select value from settings where name = 'copied'`
    const { rows } = await copy.read((db) => db.exec(raw(text)))
    expect(rows).toEqual([{ value: 'yes' }])
    await copy.close()
  })

  it('a backup is rejected if the database does not exist, or the file does', async () => {
    await expect(backUp(at('missing.db'), at('new.db'))).rejects.toThrow(
      `${at('missing.db')} does not exist`,
    )
    writeFileSync(at('taken.db'), '')
    await expect(backUp(at('source.db'), at('taken.db'))).rejects.toThrow(
      `${at('taken.db')} already exists`,
    )
  })

  it('a backup is rejected while another one writes the copy, which is kept', async () => {
    writeFileSync(at('busy.db.partial'), 'other')
    await expect(backUp(at('source.db'), at('busy.db'))).rejects.toThrow('EEXIST')
    expect(existsSync(at('busy.db.partial'))).toBe(true)
    expect(existsSync(at('busy.db'))).toBe(false)
  })

  it('a failing backup does not leave files', async () => {
    writeFileSync(at('broken.db'), `SQLite format 3\0${'but not a database'.repeat(99)}`)
    await expect(backUp(at('broken.db'), at('failed.db'))).rejects.toThrow('not a database')
    expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([])
  })
})

it('only its user can read and write a SQLite file and those next to it', async () => {
  writeFileSync(at('open.db'), '', { mode: 0o644 })
  const store = await openSqlite(at('open.db'))
  await store.write((db) => db.exec(sql`select 1`))
  for (const suffix of ['', '-wal', '-shm']) {
    expect(statSync(at(`open.db${suffix}`)).mode & 0o777, suffix).toBe(0o600)
  }
  await store.close()
})

describe('a scan database', () => {
  it('a scan database runs statements with a function', async () => {
    const calls: unknown[] = []
    const db = openScanDatabase(async (text, values) => {
      calls.push([text, values])
      return [{ a: 1 }]
    })
    const { rows } = await db.exec(sql`select ${true} as a`)
    expect(rows).toEqual([{ a: 1 }])
    expect(calls).toEqual([['select ? as a', [1]]])
  })
})
