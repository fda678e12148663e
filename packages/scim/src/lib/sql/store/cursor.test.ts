import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import type { ListRequest } from '../../endpoint/store.ts'
import { parseFilter } from '../../filter/parse.ts'
import { createWorkBudget } from '../../work-budget.ts'
import { type CursorPosition, readCursor, writeCursor } from './cursor.ts'

const request: ListRequest = {
  ...{ base: '', signal: new AbortController().signal, budget: createWorkBudget() },
  ...{ view: { needs: () => true }, filter: null, sortBy: null, sortOrder: 'ascending' },
  ...{ startIndex: 1, count: 10, cursor: null },
}
const filter = unwrap(parseFilter('userName eq "a"'))

/** Reads a cursor whose JSON has other members than it was written with. */
async function readWith(members: object, given: ListRequest = request) {
  const written = atob(
    (await writeCursor(given, { skip: 1 })).replace(/-/g, '+').replace(/_/g, '/'),
  )
  const { skip: _, ...rest } = JSON.parse(written)
  return await readCursor({ ...given, cursor: btoa(JSON.stringify({ ...rest, ...members })) })
}

describe('a cursor (RFC 9865 §2)', () => {
  it.each<CursorPosition>([
    { skip: 0 },
    { skip: 25 },
    { after: 'a' },
    { after: '' },
    { after: '雪é?>~' },
    // One of them has the letter of base64 that a URL cannot contain, wherever the text begins.
    { after: '????' },
    { after: 'a????' },
    { after: 'aa????' },
  ])('is read as it was written: %j', async (position) => {
    const cursor = await writeCursor({ ...request, filter }, position)
    // RFC 4648 §5: it can be a part of a URL.
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(await readCursor({ ...request, filter, cursor })).toEqual(position)
  })

  it.each([null, ''])('%j is that of the first page', async (cursor) => {
    expect(await readCursor({ ...request, cursor })).toBeNull()
  })

  it.each<[string, Partial<ListRequest>]>([
    ['another filter', { filter: unwrap(parseFilter('userName eq "b"')) }],
    ['no filter', { filter: null }],
    ['another attribute', { sortBy: 'title' }],
    ['another order', { sortOrder: 'descending' }],
  ])('is rejected for a query with %s', async (_, other) => {
    const given: ListRequest = { ...request, filter, sortBy: 'userName' }
    const cursor = await writeCursor(given, { skip: 1 })
    await expect(readCursor({ ...given, ...other, cursor })).rejects.toMatchObject({
      status: 400,
      scimType: 'invalidCursor',
      message: 'the cursor is not valid for this query',
    })
    expect(await readCursor({ ...given, startIndex: 3, count: 1, cursor })).toEqual({ skip: 1 })
  })

  it.each(['!', 'a', btoa('x'), btoa('[]'), btoa('null'), btoa('{"skip":1}'), 'A'.repeat(4_001)])(
    'is rejected if it is not one: %#',
    async (cursor) => {
      await expect(readCursor({ ...request, cursor })).rejects.toMatchObject({
        scimType: 'invalidCursor',
        message: 'the cursor is not valid for this query',
      })
    },
  )

  it.each([{ skip: -1 }, { skip: 1.5 }, { skip: '1' }, { skip: 2 ** 53 }, { after: 1 }, {}])(
    'is rejected with the position %j',
    async (members) => {
      await expect(readWith(members)).rejects.toMatchObject({
        scimType: 'invalidCursor',
        message: 'the cursor is not valid',
      })
    },
  )

  it('has at most 4,000 characters', async () => {
    const empty = (await writeCursor(request, { after: '' })).length
    const after = 'x'.repeat(Math.floor(((4_000 - empty) * 3) / 4))
    const cursor = await writeCursor(request, { after })
    expect(cursor.length).toBe(4_000)
    expect(await readCursor({ ...request, cursor })).toEqual({ after })
    const longer = await writeCursor(request, { after: `${after}xx` })
    await expect(readCursor({ ...request, cursor: longer })).rejects.toThrow('not valid')
  })
})
