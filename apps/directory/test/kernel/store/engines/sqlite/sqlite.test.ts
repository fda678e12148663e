import { join } from 'node:path'
import { sql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { openConnection } from '../../../../../src/kernel/store/engines/sqlite/sqlite-connection.ts'
import { namedRows, openFile } from '../../../../../src/kernel/store/engines/sqlite/sqlite-file.ts'
import { storeContract } from '../../../../contract/store.ts'
import { useSqliteStore } from '../../../../support/sqlite-store.ts'

describe('on SQLite', () => {
  const { folder, storeOf } = useSqliteStore()
  storeContract(storeOf)

  it('a file migrated by a newer version is rejected', async () => {
    const path = join(folder, 'newer.db')
    const newer = await openSqlite(path)
    await newer.write((db) =>
      db.exec(
        sql`insert into migrations (id, name, checksum, batch)
          values ('29991231000000', 'from_the_future', 'x', 2)`,
      ),
    )
    await newer.close()
    await expect(openSqlite(path)).rejects.toThrow('newer version of the directory')
  })

  it('prepared statements are cached, except very long ones', () => {
    const connection = openConnection(() => openMemory())
    const prepare = connection.preparing((statement) => statement)
    const short = 'select 1 as one'
    const long = `select 1 where 1 in (${Array(2_000).fill('?').join(', ')})`
    expect(prepare(short)).toBe(prepare(short))
    expect(prepare(long)).not.toBe(prepare(long))
    connection.database.close()
  })

  it('prepared statements are cached up to 250,000 characters in total', () => {
    let opened = 0
    const connection = openConnection(() => {
      opened += 1
      return openMemory()
    })
    const prepare = connection.preparing((statement) => statement)
    const MANY = 300
    const text = (at: number) => `select ${at} where 1 in (${Array(3_000).fill('?').join(',')})`
    const first = prepare('select 1 as one')
    for (let at = 0; at < MANY; at += 1) {
      connection.renewIfDue()
      prepare(text(at))
    }
    expect(opened).toBeGreaterThan((MANY * text(0).length) / 270_000)
    expect(opened).toBeLessThan((MANY * text(0).length) / 230_000 + 2)
    expect(prepare('select 1 as one') === first).toBe(false)
    expect(() => first.get()).toThrow('finalized')
  })
})

it('a SQLite row has a member for each column, and no others', () => {
  expect(
    namedRows(
      ['a', 'b'],
      [
        [1, null],
        ['x', 2],
      ],
    ),
  ).toStrictEqual([
    { a: 1, b: null },
    { a: 'x', b: 2 },
  ])
  expect(namedRows(['a'], [])).toStrictEqual([])
})

const openMemory = () => openFile(':memory:', { busyTimeout: 0, cache: 1_024 })
