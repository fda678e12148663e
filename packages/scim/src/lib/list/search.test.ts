import { describe, expect, it } from 'vitest'
import { takePage } from './page.ts'
import { mapSource, type RowSource, sourceOfList } from './row-source.ts'
import { findAll, findPage, type Search } from './search.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
const isEven = (row: number): boolean => row % 2 === 0

/** A source that knows neither its size nor, with the last row, that it has ended. */
function silentSource(rows: readonly number[], most = 3): RowSource<number> & { read: number } {
  const source = {
    read: 0,
    next: async (limit: number) => {
      const batch = rows.slice(source.read, source.read + Math.min(limit, most))
      source.read += batch.length
      return { rows: batch, isLast: batch.length === 0 }
    },
  }
  return source
}

const search = (given: Partial<Search<number>>): Search<number> => ({
  source: silentSource(numbers(10)),
  matches: null,
  candidates: 100,
  batch: 4,
  ...given,
})

const all = (given: Search<number>, most?: number): Promise<number[]> =>
  findAll(given, { keep: (row) => row, most })

describe('a search for all rows', () => {
  it.each([
    ['all rows without a filter', null, numbers(10)],
    ['only the rows that match', isEven, [0, 2, 4, 6, 8]],
  ])('a search for all rows returns %s', async (_, matches, found) => {
    expect(await all(search({ matches }))).toEqual(found)
    expect(await all(search({ matches, source: sourceOfList(numbers(10)) }))).toEqual(found)
  })

  it('a search accepts as many rows as the candidates limit, and rejects one more', async () => {
    expect(await all(search({ candidates: 10 }))).toHaveLength(10)
    const rejected = { status: 400, scimType: 'tooMany' }
    await expect(all(search({ candidates: 9 }))).rejects.toMatchObject(rejected)
  })

  it('a search accepts rows up to a total size, and rejects a larger total', async () => {
    const sized = () => search({ sizeOf: (row) => row, matches: isEven })
    expect(await all(sized(), 45)).toEqual([0, 2, 4, 6, 8])
    await expect(all(sized(), 44)).rejects.toMatchObject({ status: 400, scimType: 'tooMany' })
  })

  it('a search tests no row if the list is longer than the limit', async () => {
    const matches = () => expect.unreachable()
    const source = mapSource(sourceOfList(numbers(10)), () => expect.unreachable())
    const found = all(search({ source, matches, candidates: 9 }))
    await expect(found).rejects.toMatchObject({ scimType: 'tooMany' })
  })

  it('a search lets other tasks run while it tests many rows', async () => {
    let isOver = false
    setTimeout(() => {
      isOver = true
    })
    const matches = (): boolean => {
      for (const end = performance.now() + 1; performance.now() < end; );
      return isOver
    }
    const source = sourceOfList(numbers(100))
    expect((await all(search({ source, matches }))).length).toBeGreaterThan(0)
  })
})

describe('a search for a page', () => {
  it.each([
    [3, null, [0, 1, 2], true],
    [10, null, numbers(10), false],
    [9, null, numbers(9), true],
    [0, null, [], true],
    [2, isEven, [0, 2], true],
    [5, isEven, [0, 2, 4, 6, 8], false],
    [5, () => false, [], false],
  ])('a page with up to %i rows ends with the source', async (count, matches, rows, hasMore) => {
    expect(await findPage(search({ matches }), { count })).toEqual({ rows, hasMore })
  })

  it('a page reads at most one row beyond its end', async () => {
    const source = silentSource(numbers(1_000), 1_000)
    await findPage(search({ source }), { count: 5 })
    expect(source.read).toBe(6)
  })

  it.each([
    [8, [0, 1, 2, 3], true],
    [0, [0], true],
    [1_000, numbers(10), false],
  ])(
    'a page ends before the row that exceeds a size of %i, and has at least one row',
    async (most, rows, hasMore) => {
      const sized = search({ sizeOf: (row) => row })
      expect(await findPage(sized, { count: 10, most })).toEqual({ rows, hasMore })
    },
  )

  it('a page reads nothing more after one row alone exceeds the size', async () => {
    const source = silentSource(numbers(10))
    const sized = search({ source, matches: (row) => row === 1, sizeOf: () => 2 })
    expect(await findPage(sized, { count: 10, most: 1 })).toEqual({ rows: [1], hasMore: true })
    expect(source.read).toBe(3)
  })

  it('a page ends where the source is cut, because more rows would be too large together', async () => {
    const { next } = silentSource(numbers(10))
    const source = { next: async (limit: number) => ({ ...(await next(limit)), isCut: true }) }
    expect(await findPage(search({ source }), { count: 10 })).toEqual({
      rows: [0, 1, 2],
      hasMore: true,
    })
    const filtered = search({ source, matches: (row) => row > 4 })
    expect(await findPage(filtered, { count: 10 })).toMatchObject({ rows: [5, 6, 7, 8, 9] })
  })

  it('a page whose filter must read too many rows is rejected, unless the page is full', async () => {
    const given = { matches: (row: number) => row < 2, candidates: 6 }
    await expect(findPage(search(given), { count: 3 })).rejects.toMatchObject({
      scimType: 'tooMany',
    })
    expect(await findPage(search(given), { count: 2 })).toEqual({ rows: [0, 1], hasMore: true })
  })
})

it('a page by index is the same for a list and for rows read one by one (RFC 7644 §3.4.2.4)', () => {
  for (const startIndex of [1, 3, 10, 11]) {
    for (const count of [0, 2, 20]) {
      const page = takePage(numbers(10), { startIndex, count })
      expect(page).toEqual(numbers(10).slice(startIndex - 1, startIndex - 1 + count))
      expect(takePage(new Set(numbers(10)), { startIndex, count })).toEqual(page)
    }
  }
})
