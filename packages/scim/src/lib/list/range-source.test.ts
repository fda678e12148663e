import { describe, expect, it } from 'vitest'
import type { Place } from './position.ts'
import { type RangeReader, sourceOfRanges } from './range-source.ts'

/** Reads two ranges of letters, with at most `most` letters of a range at a time. */
function readerOf(given: Partial<RangeReader<string, string, string>> = {}, most = 10) {
  const places: (Place | null)[] = []
  const reader: RangeReader<string, string, string> = {
    rangesFrom: (place) => {
      places.push(place)
      const ranges = ['abc', 'defg']
      return ranges.map((range) =>
        [...range].filter((id) => place === null || id > place.id).join(''),
      )
    },
    read: async (range, limit) => ({
      rows: [...range].slice(0, Math.min(limit, most)),
      isCut: range.length > most && most < limit,
    }),
    positionOf: (id) => ({ id, key: null }),
    load: async (rows) => rows,
    ...given,
  }
  return { reader, places }
}

async function batches(reader: RangeReader<string, string, string>, limit: number) {
  const source = sourceOfRanges(null, reader)
  const found: string[] = []
  for (let count = 0; count < 20; count += 1) {
    const { rows, isLast, isCut } = await source.next(limit)
    found.push(`${rows.join('')}${isCut ? '…' : ''}`)
    if (isLast) return found
  }
  return expect.unreachable('the source does not end')
}

describe('a source of ranges', () => {
  it.each([
    [10, ['abcdefg']],
    [4, ['abcd', 'efg']],
    [7, ['abcdefg', '']],
  ])('a range source reads %d rows from one range after the other', async (limit, found) => {
    expect(await batches(readerOf().reader, limit)).toEqual(found)
  })

  it('a range source continues after rows that together fill the memory limit', async () => {
    expect(await batches(readerOf({}, 2).reader, 4)).toEqual(['ab…', 'cde…', 'fg'])
  })

  it('rows that did not fit into memory are loaded next, without reading them again', async () => {
    const { reader, places } = readerOf({ load: async (rows) => rows.slice(0, 2) })
    expect(await batches(reader, 4)).toEqual(['ab…', 'cd', 'ef…', 'g'])
    expect(places).toHaveLength(2)
  })

  it("a range source keeps the start position's direction", async () => {
    const { reader, places } = readerOf()
    const start = { id: 'a', key: null, isForward: false, isInclusive: true }
    const source = sourceOfRanges(start, reader)
    await source.next(1)
    await source.next(1)
    expect(places).toEqual([start, { ...start, id: 'b', isInclusive: false }])
  })
})
