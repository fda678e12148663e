import { describe, expect, it } from 'vitest'
import type { Definitions } from '../schema/types.ts'
import { type Place, rowOrder } from './position.ts'
import { listByCursor, listByIndex, type RowList } from './row-list.ts'
import { sourceOfList } from './row-source.ts'

interface Row {
  readonly id: string
  readonly title?: string
}

const definitions: Definitions = {
  test: { id: 'urn:example:T', name: 'T', attributes: [{ name: 'title', type: 'string' }] },
}
const ROWS: readonly Row[] = ['b', 'A', null, 'B', 'a', null, 'c'].map((title, at) => ({
  id: String(at),
  ...(title === null ? {} : { title }),
}))

/** The rows on the side of a place where a page is. */
function rowsFrom(place: Place | null): readonly Row[] {
  if (place === null) return ROWS
  const { id, isForward, isInclusive } = place
  const some = ROWS.filter((row) => {
    if (row.id === id) return isInclusive
    return isForward ? row.id > id : row.id < id
  })
  return isForward ? some : some.reverse()
}

/** Lists the rows in the order of their ids. */
const listOf = (given: Partial<RowList<Row>> = {}): RowList<Row> => ({
  from: (place) => sourceOfList(rowsFrom(place)),
  positionOf: ({ id }) => ({ id, key: null }),
  matches: null,
  order: null,
  limits: { candidates: 100, batch: 2 },
  ...given,
})

const byTitle = (sortOrder: 'ascending' | 'descending') =>
  rowOrder<Row>({ sortBy: 'title', sortOrder }, { definitions, resourceOf: (row) => row })

/** The rows of the ids, as another request reads them. */
const reread = async (ids: readonly string[]): Promise<readonly Row[]> =>
  ids.flatMap((id) => ROWS.find((row) => row.id === id) ?? [])

const LISTS: readonly (readonly [what: string, list: RowList<Row>, ids: string])[] = [
  ['in the order of the store', listOf(), '0123456'],
  ['that match a filter', listOf({ matches: ({ title }) => title !== 'B' }), '012456'],
  ['sorted in memory', listOf({ order: byTitle('ascending') }), '1403625'],
  ['sorted in memory, descending', listOf({ order: byTitle('descending') }), '2560314'],
  ['that are read again', listOf({ order: byTitle('ascending'), reread }), '1403625'],
  ['that are read again after a filter', listOf({ matches: () => true, reread }), '0123456'],
]

describe('pages of rows', () => {
  it.each(LISTS)(
    '%s: pages by index contain each row once (RFC 7644 §3.4.2.4)',
    async (_, list, ids) => {
      for (const startIndex of [1, 3, 20]) {
        const { rows, totalResults } = await listByIndex(list, { startIndex, count: 3 })
        const found = rows.map(({ id }) => id).join('')
        expect(found).toBe(ids.slice(startIndex - 1, startIndex + 2))
        expect(totalResults).toBe(ids.length)
      }
    },
  )

  it.each(LISTS)(
    '%s: pages by cursor lead forward and back (RFC 9865 §2)',
    async (_, list, ids) => {
      const read = async (place: Place | null) => {
        const page = await listByCursor(list, { place, count: 2 }, async (rows) => rows)
        return { ...page, found: page.resources.map(({ id }) => id).join('') }
      }
      let page = await read(null)
      expect(page.previous).toBeNull()
      const pages = [page.found]
      while (page.next !== null) {
        page = await read(page.next)
        pages.push(page.found)
      }
      expect(pages).toEqual(ids.match(/..?/g))
      for (const found of pages.slice(0, -1).reverse()) {
        page = await read(page.previous)
        expect(page.found).toBe(found)
      }
      expect(page).toMatchObject({ previous: null, next: { isForward: true, isInclusive: true } })
    },
  )

  it('a page ends before a row exceeds the page size, and has at least one row', async () => {
    for (const order of [null, byTitle('ascending')]) {
      const limits = { candidates: 100, batch: 2, page: 5 }
      const list = listOf({ order, limits, sizeOf: ({ id }) => (id === '1' ? 6 : 2) })
      const page = await listByCursor(list, { place: null, count: 5 }, async (rows) => rows)
      expect(page.resources.map(({ id }) => id)).toEqual(order === null ? ['0'] : ['1'])
      expect(page.next?.id).toBe(page.resources[0]?.id)
    }
  })

  it('the next page starts with the first row not shown yet', async () => {
    const page = await listByCursor(listOf(), { place: null, count: 5 }, async (rows) =>
      rows.slice(0, 2),
    )
    expect(page).toMatchObject({ next: { id: '1', isForward: true }, totalResults: undefined })
  })

  it('a page has a total if it is the whole list, or if the list is sorted in memory', async () => {
    const totalOf = async (list: RowList<Row>, count: number) =>
      (await listByCursor(list, { place: null, count }, async (rows) => rows)).totalResults
    expect(await totalOf(listOf(), 7)).toBe(7)
    expect(await totalOf(listOf(), 6)).toBeUndefined()
    expect(await totalOf(listOf({ order: byTitle('ascending') }), 2)).toBe(7)
  })

  it('sorting more or larger rows than the limits fails (RFC 7644 §3.12)', async () => {
    const tooMany = { status: 400, scimType: 'tooMany' }
    const order = byTitle('ascending')
    for (const limits of [
      { candidates: 6, batch: 2 },
      { candidates: 7, batch: 2, searched: 6 },
    ]) {
      const list = listOf({ order, limits, sizeOf: () => 1 })
      await expect(listByIndex(list, { startIndex: 1, count: 1 })).rejects.toMatchObject(tooMany)
    }
    const enough = listOf({ order, limits: { candidates: 7, batch: 2, searched: 7 } })
    expect((await listByIndex(enough, { startIndex: 1, count: 1 })).totalResults).toBe(7)
  })
})
