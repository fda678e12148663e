import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { SQLITE } from '../../../../../src/kernel/store/engines/sqlite/engine.ts'

const root = mkdtempSync(join(tmpdir(), 'directory-'))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
const folderOf = () => {
  count += 1
  const folder = join(root, String(count))
  mkdirSync(folder)
  return folder
}

/** Files that a mistyped `DATABASE_URL` may name. */
const FOREIGN: readonly (readonly [what: string, make: (path: string) => void, reason: RegExp])[] =
  [
    ['a text', (path) => writeFileSync(path, 'hello\n'), /is not a database$/],
    ['a text of a length', (path) => writeFileSync(path, 'x'.repeat(9_000)), /not a database/],
    ['the start of a header', (path) => writeFileSync(path, 'SQLite format'), /not a database/],
    [
      'another database',
      (path) => createOther(path, 'delete'),
      /is a database of another program$/,
    ],
    ['another one with a log', (path) => createOther(path, 'wal'), /of another program$/],
  ]

describe.each(FOREIGN)('a file with %s', (_, make, reason) => {
  it.each([
    ['a start', (url: string) => SQLITE.open(url)],
    ['--migrate', (url: string) => SQLITE.migrate(url)],
    ['--pending', (url: string) => SQLITE.pending(url)],
    ['--backup', (url: string) => SQLITE.backup?.(url, `${url.slice('file:'.length)}.copy`)],
  ])('the file is neither changed nor joined by other files by %s', async (_, run) => {
    const folder = folderOf()
    const path = join(folder, 'file')
    make(path)
    chmodSync(path, 0o644)
    const before = { content: readFileSync(path), names: readdirSync(folder) }
    await expect(run(`file:${path}`)).rejects.toThrow(reason)
    expect({ content: readFileSync(path), names: readdirSync(folder) }).toEqual(before)
    expect(statSync(path).mode & 0o777).toBe(0o644)
  })
})

it('a device keeps its mode', async () => {
  const { mode } = statSync('/dev/null')
  await expect(SQLITE.open('file:/dev/null')).rejects.toThrow('it is not a file')
  expect(statSync('/dev/null').mode).toBe(mode)
})

it('a backup does not replace a file while another one writes it', async () => {
  const folder = folderOf()
  const url = `file:${join(folder, 'directory.db')}`
  await (await SQLITE.open(url)).close()
  const target = join(folder, 'copy.db')
  writeFileSync(`${target}.partial`, 'mine')
  await expect(SQLITE.backup?.(url, target)).rejects.toThrow('EEXIST')
  expect(readFileSync(`${target}.partial`, 'utf8')).toBe('mine')
  expect(existsSync(target)).toBe(false)
})

function createOther(path: string, mode: 'wal' | 'delete'): void {
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = ${mode}`)
  database.exec('create table cookies (name text); insert into cookies values (1)')
  database.close()
}
