import { describe, expect, it } from 'vitest'
import { renderSql } from './dialect.ts'
import { type Fragment, raw, sql } from './fragment.ts'
import { type RowRange, readByIds, readRange, type TableRows } from './table-rows.ts'

interface Row {
  readonly id: string
  readonly size: number
}

/** A table of rows with these sizes. It understands the statements that it is sent by their ends. */
function tableOf(sizes: readonly number[], given: Partial<TableRows<Row>> = {}) {
  const all = sizes.map((size, at): Row => ({ id: `r${at}`, size }))
  const ran: string[] = []
  const table: TableRows<Row> = {
    run: async (statement: Fragment) => {
      const { sql: text, parameters } = renderSql(statement, 'sqlite')
      ran.push(text)
      const [, limit = '', , skip = '0'] = /limit (\d+)( offset (\d+))?$/.exec(text) ?? []
      if (/ id (?:=|in) /.test(text)) {
        // A database returns rows in an order of its own.
        return all.filter(({ id }) => parameters.includes(id)).reverse()
      }
      const rows = all.slice(Number(skip), Number(skip) + Number(limit))
      return text.includes('row_size') ? rows.map((row) => ({ ...row, row_size: row.size })) : rows
    },
    source: sql`users where tenant = ${7}`,
    columns: raw('id, data'),
    id: raw('id'),
    idOf: ({ id }) => id,
    size: raw('length(data)'),
    sizeOf: ({ size }) => size,
    ...given,
  }
  return { table, ran }
}

const range = (given: Partial<RowRange>): RowRange => ({
  where: null,
  orderBy: raw('name'),
  limit: 10,
  ...given,
})
const LIMITS = { most: 10, few: 2 }

describe('the rows in a range', () => {
  it.each([
    ['are all read if they fit', [1, 1, 1, 1], {}, '0123', false],
    ['end before the first that does not fit', [3, 3, 3, 3], {}, '012', true],
    ['have a few at least, whatever their sizes', [90, 90, 1], {}, '01', true],
    ['behind others have a few at least', [1, 90, 90, 1], { skip: 1 }, '12', true],
    ['behind others end before the first that does not fit', [1, 5, 5, 5], { skip: 1 }, '12', true],
    ['are not cut at their limit', [5, 5, 5], { limit: 2 }, '01', false],
    ['may be none', [], {}, '', false],
  ])('the rows %s', async (_, sizes, given, ids, isCut) => {
    const found = await readRange(tableOf(sizes).table, range(given), LIMITS)
    expect(found.rows.map(({ id }) => id.slice(1)).join('')).toBe(ids)
    expect(found.isCut).toBe(isCut)
  })

  it('after the first few, rows are read by id, so the database tests each row once', async () => {
    const { table, ran } = tableOf([1, 1, 1, 1], { first: raw('groups') })
    await readRange(table, range({ where: sql`active = ${1}`, limit: 4 }), LIMITS)
    const from = 'from users where tenant = ? and'
    expect(ran).toEqual([
      `select id, data, groups ${from} active = ? order by name limit 2`,
      `select id, length(data) as row_size ${from} active = ? order by name limit 2 offset 2`,
      `select id, data ${from} id in (?, ?) order by id limit 2`,
    ])
  })

  it('one statement reads the rows if all rows in the table are small', async () => {
    const { table, ran } = tableOf([90, 90, 90], { size: null })
    const { rows, isCut } = await readRange(table, range({ skip: 1 }), LIMITS)
    expect([rows.length, isCut]).toEqual([2, false])
    expect(ran).toEqual([
      'select id, data from users where tenant = ? order by name limit 10 offset 1',
    ])
  })
})

describe('rows by id', () => {
  it('rows keep the order of the ids, without those that do not exist', async () => {
    const rows = await readByIds(tableOf([1, 1, 1]).table, ['r2', 'x', 'r0'])
    expect(rows.map(({ id }) => id)).toEqual(['r2', 'r0'])
  })

  it('a statement reads rows for at most 500 keys', async () => {
    const { table, ran } = tableOf(Array.from({ length: 501 }, () => 1))
    const ids = Array.from({ length: 501 }, (_, at) => `r${at}`)
    expect(await readByIds(table, ids)).toHaveLength(501)
    expect(ran.map((text) => text.slice(-8))).toEqual(['imit 500', ' limit 1'])
  })
})
