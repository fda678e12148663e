import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../filter/parse.ts'
import { type CursorQuery, readCursor, writeCursor } from './cursor.ts'
import type { Place, Position } from './position.ts'

const query: CursorQuery = {
  list: ['users'],
  filter: null,
  sortBy: null,
  sortOrder: 'ascending',
  now: 0,
}
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
async function changed(members: object, given = query): Promise<string> {
  const written = await write({ id: 'a', key: 'b' }, given)
  const json = JSON.parse(atob(written.replaceAll('-', '+').replaceAll('_', '/')))
  return btoa(JSON.stringify({ ...json, ...members })).replace(/=+$/, '')
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
  ])('a cursor is read as it was written: %j', async (position) => {
    const cursor = await write(position, { ...query, filter })
    // RFC 4648 §5: it can be a part of a URL.
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(await placeOf(cursor, { ...query, filter })).toEqual({ ...FORWARD, ...position })
  })

  it.each([true, false])(
    'a cursor says whether the list is sorted in memory: %j',
    async (isInMemory) => {
      const cursor = await write({ id: 'a', key: 'b' }, query, isInMemory)
      expect(await readCursor(query, cursor)).toMatchObject({ isInMemory })
    },
  )

  it('an empty cursor requests the first page', async () => {
    expect(await readCursor(query, '')).toBeNull()
  })

  it.each<[string, Partial<CursorQuery>]>([
    ['another list', { list: ['users', 'acme'] }],
    ['another filter', { filter: unwrap(parseFilter('userName eq "b"')) }],
    ['no filter', { filter: null }],
    ['another attribute', { sortBy: 'title' }],
    ['another order', { sortOrder: 'descending' }],
  ])('a cursor is rejected for a query with %s', async (_, other) => {
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
    'an invalid cursor is rejected: %#',
    async (cursor) => {
      const rejected = { scimType: 'invalidCursor', message: expect.stringMatching('not valid') }
      await expect(readCursor(query, cursor)).rejects.toMatchObject(rejected)
    },
  )

  it.each([{ id: 1 }, { id: undefined }, { key: {} }, { key: ['a'] }])(
    'a cursor with the position %j is rejected',
    async (members) => {
      const cursor = await changed(members)
      await expect(readCursor(query, cursor)).rejects.toMatchObject({ scimType: 'invalidCursor' })
    },
  )
})

describe('a signed cursor', () => {
  const invalid = { status: 400, scimType: 'invalidCursor' }
  /** A signature of four hexadecimal digits, which these tests need to differ. */
  const signedWith = (secret: number): CursorQuery => ({
    ...query,
    sign: (text) => {
      let sum = secret
      for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
      return sum.toString(16).padStart(4, '0')
    },
  })

  it('a signed cursor is read with the same key, and rejected with another', async () => {
    const cursor = await write({ id: 'a', key: 'b' }, signedWith(1))
    expect(await placeOf(cursor, signedWith(1))).toEqual({ ...FORWARD, id: 'a', key: 'b' })
    await expect(placeOf(cursor, signedWith(2))).rejects.toMatchObject(invalid)
    await expect(placeOf(cursor, query)).rejects.toMatchObject(invalid)
  })

  it.each([{ id: 'b' }, { key: 'c' }, { isBackward: true }, { digest: 'x' }, { seal: '0' }])(
    'a signed cursor that a client changed to %j is rejected',
    async (members) => {
      const cursor = await changed(members, signedWith(1))
      await expect(placeOf(cursor, signedWith(1))).rejects.toMatchObject(invalid)
    },
  )

  it('a signed cursor in another spelling is rejected', async () => {
    const cursor = await write({ id: 'a', key: 'b' }, signedWith(1))
    for (const other of [`${cursor}=`, ` ${cursor}`, `${cursor} `]) {
      await expect(placeOf(other, signedWith(1))).rejects.toMatchObject(invalid)
    }
  })
})

it('a cursor expires after its timeout (RFC 9865 §4)', async () => {
  const at = (now: number): CursorQuery => ({ ...query, timeout: 60, now })
  const cursor = await write({ id: 'a', key: 'b' }, at(5))
  expect(await placeOf(cursor, at(60_005))).toEqual({ ...FORWARD, id: 'a', key: 'b' })
  const expired = { status: 400, scimType: 'expiredCursor' }
  await expect(placeOf(cursor, at(60_006))).rejects.toMatchObject({
    ...expired,
    message: 'the cursor is older than 60 seconds',
  })
  // It was written without a timeout.
  const other = await write({ id: 'a', key: 'b' })
  await expect(placeOf(other, at(0))).rejects.toMatchObject(expired)
})

describe('a cursor for a sort key that is too long for a URL', () => {
  const position = { id: 'a', key: '\u0001'.repeat(2_000) }

  it("the cursor is short, and the position has the resource's current key", async () => {
    const cursor = await write(position)
    expect(cursor.length).toBeLessThan(200)
    expect(await placeOf(cursor, query, position.key)).toEqual({ ...FORWARD, ...position })
  })

  it.each([
    ['another key', `${position.key}x`],
    ['no key', null],
    ['nothing', undefined],
  ])('the cursor has expired if the resource now has %s (RFC 9865 §3.2)', async (_, key) => {
    const expired = { status: 400, scimType: 'expiredCursor' }
    await expect(placeOf(await write(position), query, key)).rejects.toMatchObject(expired)
  })

  it('the cursor is rejected with another digest', async () => {
    const cursor = await changed({ digest: 'x' })
    await expect(placeOf(cursor, query, 'b')).rejects.toMatchObject({
      scimType: 'expiredCursor',
    })
  })
})
