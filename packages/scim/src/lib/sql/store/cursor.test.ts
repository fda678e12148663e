import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../filter/parse.ts'
import type { Place, Position } from '../../list/position.ts'
import { type CursorQuery, readCursor, writeCursor } from './cursor.ts'

const query: CursorQuery = { table: 'users', filter: null, sortBy: null, sortOrder: 'ascending' }
const filter = unwrap(parseFilter('userName eq "a"'))

const FORWARD = { isForward: true, isInclusive: false }
const write = (place: Position & Partial<Place>, given = query, isInMemory = false) =>
  writeCursor(given, { ...FORWARD, ...place, isInMemory })

/** The place of a cursor, if the resource has a key by now. */
const placeOf = async (cursor: string, given = query, key?: Position['key']) => {
  const sent = await readCursor(given, cursor)
  return sent && (await sent.place(async () => key))
}

/** A cursor whose JSON has other members than it was written with. */
async function changed(members: object): Promise<string> {
  const written = await write({ id: 'a', key: 'b' })
  const json = JSON.parse(atob(written.replaceAll('-', '+').replaceAll('_', '/')))
  return btoa(JSON.stringify({ ...json, ...members }))
}

describe('a cursor (RFC 9865 §2)', () => {
  it.each<Position & Partial<Place>>([
    { id: 'a', key: null },
    { id: '', key: 0 },
    { id: '1', key: true },
    { id: '1', key: '' },
    { id: '雪é?>~', key: '雪é?>~' },
    // One of them has the letter of base64 that a URL cannot contain, wherever the text begins.
    { id: '????', key: 1.5 },
    { id: 'a????', key: 'x'.repeat(498) },
    { id: 'aa????', key: '\ud800' },
    { id: 'a', key: 'b', isForward: false },
    { id: 'a', key: 'b', isForward: false, isInclusive: true },
    { id: 'a', key: null, isInclusive: true },
  ])('is read as it was written: %j', async (position) => {
    const cursor = await write(position, { ...query, filter })
    // RFC 4648 §5: it can be a part of a URL.
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(await placeOf(cursor, { ...query, filter })).toEqual({ ...FORWARD, ...position })
  })

  it.each([true, false])('says whether its list is sorted in memory: %j', async (isInMemory) => {
    const cursor = await write({ id: 'a', key: 'b' }, query, isInMemory)
    expect(await readCursor(query, cursor)).toMatchObject({ isInMemory })
  })

  it('is that of the first page if it is empty', async () => {
    expect(await readCursor(query, '')).toBeNull()
  })

  it.each<[string, Partial<CursorQuery>]>([
    ['another table', { table: 'teams' }],
    ['another filter', { filter: unwrap(parseFilter('userName eq "b"')) }],
    ['no filter', { filter: null }],
    ['another attribute', { sortBy: 'title' }],
    ['another order', { sortOrder: 'descending' }],
  ])('is rejected for a query with %s', async (_, other) => {
    const given: CursorQuery = { ...query, filter, sortBy: 'userName' }
    const cursor = await write({ id: 'a', key: 'b' }, given)
    await expect(readCursor({ ...given, ...other }, cursor)).rejects.toMatchObject({
      status: 400,
      scimType: 'invalidCursor',
      message: 'the cursor is not valid for this query',
    })
    expect(await placeOf(cursor, given)).toEqual({ ...FORWARD, id: 'a', key: 'b' })
  })

  it.each(['!', 'a', btoa('x'), btoa('[]'), btoa('null'), btoa('{"id":"a"}'), 'A'.repeat(4_001)])(
    'is rejected if it is not one: %#',
    async (cursor) => {
      const rejected = { scimType: 'invalidCursor', message: expect.stringMatching('not valid') }
      await expect(readCursor(query, cursor)).rejects.toMatchObject(rejected)
    },
  )

  it.each([{ id: 1 }, { id: undefined }, { key: {} }, { key: ['a'] }])(
    'is rejected with the position %j',
    async (members) => {
      const cursor = await changed(members)
      await expect(readCursor(query, cursor)).rejects.toMatchObject({ scimType: 'invalidCursor' })
    },
  )
})

describe('the cursor of a sort key that is too long for a URL', () => {
  const position = { id: 'a', key: '\u0001'.repeat(2_000) }

  it('is short, and the position has the key that its resource has by now', async () => {
    const cursor = await write(position)
    expect(cursor.length).toBeLessThan(200)
    expect(await placeOf(cursor, query, position.key)).toEqual({ ...FORWARD, ...position })
  })

  it.each([
    ['another key', `${position.key}x`],
    ['no key', null],
    ['nothing', undefined],
  ])('has expired if the resource has %s by now (RFC 9865 §3.2)', async (_, key) => {
    const expired = { status: 400, scimType: 'expiredCursor' }
    await expect(placeOf(await write(position), query, key)).rejects.toMatchObject(expired)
  })

  it('is rejected with another digest', async () => {
    const cursor = await changed({ digest: 'x' })
    await expect(placeOf(cursor, query, 'b')).rejects.toMatchObject({
      scimType: 'expiredCursor',
    })
  })
})
