import { unwrap } from '@plumbline/result'
import type { Scim } from '@plumbline/scim'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { parseFilter } from '@plumbline/scim/filter'
import { readCursor, sql, writeCursor } from '@plumbline/scim/internal'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cursorQuery } from '../../../../src/features/scim/list/cursor-query.ts'
import type { Listing } from '../../../../src/features/scim/list/list.ts'
import { listPage } from '../../../../src/features/scim/list/page-by-index.ts'
import type { TenantScope } from '../../../../src/features/scim/scope.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../../src/kernel/store/store.ts'
import { groupIds, storeGroups } from '../../../support/group-rows.ts'
import { inScope, newTenant } from '../../../support/in-scope.ts'
import { watchStatements } from '../../../support/watch-statements.ts'

interface Row {
  readonly id: string
  readonly display_name: string
}

/** Lists groups as if they were users, whose title is `a` and whose filters all run in memory. */
const LISTING: Listing<Row> = {
  type: 'User',
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  table: 'groups',
  read: 'id, display_name',
  sortColumns: { id: 'id' },
  narrow: async (_, residual) => ({ where: null, residual }),
  large: 'display_name',
  sizeOf: () => 0,
  toWire: async (_, rows) => rows.map(({ id }) => ({ id, title: 'a' })),
}

const QUERY: Scim.ListQuery = { startIndex: 1, count: 10, sortOrder: 'ascending' }
const filterBy = (text: string) => ({ filter: unwrap(parseFilter(text)) })

/** The statements that ran since it was emptied. */
const called: string[] = []
let store: Store
beforeAll(async () => {
  store = watchStatements(await openSqlite(':memory:'), ({ text }) => {
    called.push(text.startsWith('select count(*)') ? 'count' : text)
  })
})
afterAll(() => store.close())
beforeEach(() => {
  called.length = 0
})

/** Runs work on a new tenant with groups. */
const among = async <Value>(count: number, work: (scope: TenantScope) => Promise<Value>) =>
  await inScope(store, await newTenant(store), async (scope) => {
    await storeGroups(scope, groupIds(count))
    return await work(scope)
  })

const idsOf = async (scope: TenantScope, query: Scim.ListQuery, listing = LISTING) =>
  (await listPage(scope, query, listing, async (rows) => rows)).resources.map(({ id }) => id)

const TOO_MANY = { status: 400, scimType: 'tooMany' }

describe('the limit of a search in memory (RFC 7644 §3.12)', () => {
  it.each<readonly [what: string, query: Partial<Scim.ListQuery>, found: number]>([
    ['by index', filterBy('title eq "a"'), 10],
    ['by index, without a match', filterBy('title eq "b"'), 0],
    ['by cursor, without a match', { ...filterBy('title eq "b"'), cursor: '' }, 0],
    ['sorted', { sortBy: 'title' }, 10],
    ['sorted, by cursor', { sortBy: 'title', cursor: '' }, 10],
  ])(
    '10,000 resources are searched in memory %s, and more fail with tooMany',
    async (_, query, found) => {
      await among(10_000, async (scope) => {
        expect(await idsOf(scope, { ...QUERY, ...query })).toEqual(groupIds(found))
        await storeGroups(scope, ['one-more'])
        await expect(idsOf(scope, { ...QUERY, ...query })).rejects.toMatchObject({
          ...TOO_MANY,
          message: 'the query must search more than 10000 resources in memory',
        })
      })
    },
  )

  it('a search by cursor may have more if a page was found before the end', async () => {
    await among(10_001, async (scope) => {
      const query = { ...QUERY, ...filterBy('title eq "a"'), cursor: '' }
      expect(await idsOf(scope, query)).toEqual(groupIds(10))
      expect(await idsOf(scope, { ...query, count: 10_000 })).toEqual(groupIds(10_000))
    })
  })
})

it('64 MiB are searched in memory, and more fail with tooMany (RFC 7644 §3.12)', async () => {
  await among(4, async (scope) => {
    const sizes = (last: number): Listing<Row> => ({
      ...LISTING,
      sizeOf: ({ id }) => (id === 'g00003' ? last : 16 * 2 ** 20),
    })
    const query = { ...QUERY, ...filterBy('title eq "b"') }
    expect(await idsOf(scope, query, sizes(16 * 2 ** 20))).toEqual([])
    await expect(idsOf(scope, query, sizes(16 * 2 ** 20 + 1))).rejects.toMatchObject({
      ...TOO_MANY,
      message: 'the search must read too much into memory',
    })
  })
})

describe('a page of at most 16 MiB', () => {
  it.each<readonly [what: string, query: Partial<Scim.ListQuery>]>([
    ['by index, of a filter in memory', filterBy('title eq "a"')],
    ['by index, sorted in memory', { sortBy: 'title' }],
    ['by cursor', { cursor: '' }],
    ['by cursor, of a filter in memory', { ...filterBy('title eq "a"'), cursor: '' }],
    ['by cursor, sorted in memory', { sortBy: 'title', cursor: '' }],
  ])('a page ends before the resource that would exceed 16 MiB: %s', async (_, query) => {
    await among(5, async (scope) => {
      const sizes = (last: number): Listing<Row> => ({
        ...LISTING,
        sizeOf: ({ id }) => (id === 'g00001' ? last : 8 * 2 ** 20),
      })
      const idsBy = (last: number) => idsOf(scope, { ...QUERY, ...query }, sizes(last))
      expect(await idsBy(8 * 2 ** 20)).toEqual(groupIds(2))
      expect(await idsBy(8 * 2 ** 20 + 1)).toEqual(groupIds(1))
    })
  })
})

it('a search by cursor reads on after a match of exactly 16 MiB, and stops after a larger one', async () => {
  // More groups than one read has.
  await among(1_001, async (scope) => {
    const pageOf = async (size: number) => {
      const listing: Listing<Row> = {
        ...LISTING,
        sizeOf: () => size,
        toWire: async (_, rows) => rows.map(({ id }) => ({ id, title: id })),
      }
      const query = { ...QUERY, ...filterBy('title eq "g00000"'), cursor: '', count: 1 }
      const page = await listPage(scope, query, listing, async (rows) => rows)
      return [page.resources.map(({ id }) => id), Object(page).nextCursor !== undefined]
    }
    expect(await pageOf(16 * 2 ** 20)).toEqual([['g00000'], false])
    expect(await pageOf(16 * 2 ** 20 + 1)).toEqual([['g00000'], true])
  })
})

it('the total is counted only if the page does not show it', async () => {
  await among(10, async (scope) => {
    const countsOf = async (query: Partial<Scim.ListQuery>) => {
      called.length = 0
      await idsOf(scope, { ...QUERY, ...query })
      return called.filter((one) => one === 'count').length
    }
    expect(await countsOf({ startIndex: 9, count: 5 })).toBe(0)
    expect(await countsOf({ startIndex: 1, count: 11 })).toBe(0)
    expect(await countsOf({ startIndex: 1, count: 10 })).toBe(1)
    expect(await countsOf({ startIndex: 11, count: 5 })).toBe(1)
  })
})

it('a page by cursor ending between large resources with equal keys is followed by another', async () => {
  await inScope(store, await newTenant(store), async (scope) => {
    const ids = groupIds(12)
    for (const id of ids) await storeGroups(scope, [id], 'x'.repeat(2 * 2 ** 20))
    const listing: Listing<Row> = {
      ...LISTING,
      read: 'id, display_name, display_name_key',
      sortColumns: { username: 'display_name_key' },
      sizeOf: ({ display_name }) => display_name.length,
    }
    const pages: string[][] = []
    let cursor: string | undefined = ''
    for (const count of [1, 20, 20]) {
      const query: Scim.ListQuery = { ...QUERY, sortBy: 'userName', cursor, count }
      const page = await listPage(scope, query, listing, async (rows) => rows)
      pages.push(page.resources.map(({ id }) => id))
      cursor = 'nextCursor' in page ? page.nextCursor : undefined
    }
    expect(pages).toEqual([ids.slice(0, 1), ids.slice(1, 9), ids.slice(9)])
    expect(cursor).toBe(undefined)
  })
})

it('a cursor leads to the first resource missing on the page', async () => {
  await among(5, async (scope) => {
    const query = { ...QUERY, cursor: '' }
    const page = await listPage(scope, query, LISTING, async (rows) => rows.slice(0, 2))
    const cursor = 'nextCursor' in page ? page.nextCursor : undefined
    expect(await idsOf(scope, { ...query, cursor })).toEqual(groupIds(5).slice(2))
  })
})

describe('a cursor', () => {
  const position = { isForward: true, isInclusive: false, id: 'i' }
  /** Writes a cursor and reads it; the resource at its position has another key by now. */
  const reread = async (scope: TenantScope, key: string, current: string) => {
    const query = cursorQuery(scope, 'User', QUERY)
    const sent = await readCursor(query, await writeCursor(query, { ...position, key }))
    return await sent?.place(async (id) => {
      expect(id).toBe('i')
      return current
    })
  }

  it('a cursor contains a key up to 500 bytes, and else a hash', async () => {
    await among(0, async (scope) => {
      const key = 'ä'.repeat(249)
      expect(await reread(scope, key, 'another')).toEqual({ ...position, key })
      const longer = `${key}x`
      expect(await reread(scope, longer, longer)).toEqual({ ...position, key: longer })
      await expect(reread(scope, longer, 'another')).rejects.toMatchObject({
        status: 400,
        scimType: 'expiredCursor',
        message: 'the resource at which the page begins was changed or deleted',
      })
    })
  })

  it('a cursor is signed with a key a connection reads once', async () => {
    const own = watchStatements(await openSqlite(':memory:'), ({ text }) => called.push(text))
    await inScope(own, 'a', (scope) => reread(scope, 'a', 'a'))
    await inScope(own, 'a', (scope) => reread(scope, 'a', 'a'))
    expect(called).toEqual([`select value from settings where name = 'cursor_key'`])
    await own.close()
  })

  it('a cursor cannot be written if the key is missing in the database', async () => {
    const other = await openSqlite(':memory:')
    await other.write((db) => db.exec(sql`delete from settings`))
    const written = inScope(other, 'a', (scope) => reread(scope, 'a', 'a'))
    await expect(written).rejects.toThrow('cursor_key is missing in the settings of the database')
    await other.close()
  })
})
