import { unwrap } from '@plumbline/result'
import type { Scim } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { parseFilter } from '@plumbline/scim/filter'
import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListedPage, Listing } from '../../../../src/features/scim/list/list.ts'
import { listPage } from '../../../../src/features/scim/list/page-by-index.ts'
import { insertRows, updateRows } from '../../../../src/kernel/store/database.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../../src/kernel/store/store.ts'
import { inScope, newTenant } from '../../../support/in-scope.ts'
import { watchStatements } from '../../../support/watch-statements.ts'

// Pages of rows whose sizes are claimed, so that the limits of megabytes are tested with small rows.

interface Row {
  readonly id: string
  readonly display_name: string
  readonly display_name_key: string
  readonly external_id: string | null
}

const definitions = {
  core: {
    id: 'urn:example:Core',
    name: 'Core',
    attributes: [
      { name: 'displayName', type: 'string' },
      { name: 'externalId', type: 'string', caseExact: true },
      { name: 'none', type: 'string' },
    ],
  },
} satisfies Discovery.Definitions

/** Rows of a size in bytes, which the database sorts by `displayName`, and filters not at all. */
const listingOf = (size: number): Listing<Row> => ({
  type: 'Group',
  definitions,
  table: 'groups',
  read: 'id, display_name, display_name_key, external_id',
  sortColumns: { displayname: 'display_name_key' },
  narrow: async (_, residual) => ({ where: null, residual }),
  large: 'display_name',
  sizeSql: `octet_length(display_name) * 0 + ${size}`,
  sizeOf: () => size,
  toWire: async (_, rows) =>
    rows.map((row) => ({
      id: row.id,
      displayName: row.display_name,
      ...(row.external_id === null ? {} : { externalId: row.external_id }),
    })),
})

const MIB = 2 ** 20

let store: Store
/** The statements on the rows that ran since it was emptied. */
let ran: string[] = []
beforeAll(async () => {
  store = watchStatements(await openSqlite(':memory:'), ({ text }) => {
    if (/ from groups /.test(text)) ran.push(text)
  })
})
afterAll(() => store.close())

const idOf = (at: number) => `id-${String(at).padStart(5, '0')}`
const placeOf = (id: string) => Number(id.slice(3))
const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, at) => from + at)

/** A new tenant with this many rows; `of` is the sort key and the `externalId` of a row. */
async function tenantOf(
  count: number,
  of: (at: number) => Partial<Row> = () => ({}),
): Promise<string> {
  const tenantId = await newTenant(store)
  const rows = upTo(count).map((at) => ({
    tenant_id: tenantId,
    id: idOf(at),
    display_name: 'a',
    display_name_key: 'a',
    external_id: null,
    revision: 1,
    created_at: 0,
    last_modified: 0,
    ...of(at),
  }))
  await inScope(store, tenantId, async ({ db }) => {
    for (let from = 0; from < count; from += 500) {
      await insertRows(db, 'groups', rows.slice(from, from + 500))
    }
  })
  return tenantId
}

type Query = Partial<Omit<Scim.ListQuery, 'filter'>> & { readonly filter?: string | undefined }

/** A page as the places of its rows, and its other members. */
async function page(
  tenantId: string,
  { filter, ...query }: Query,
  { size = 0, now = 0, most = Number.POSITIVE_INFINITY } = {},
): Promise<{
  places: readonly number[]
  total: number | undefined
  next: string | undefined
  previous: string | undefined
}> {
  ran = []
  const listed = await inScope(store, tenantId, (scope): Promise<ListedPage<string>> => {
    const parsed = filter === undefined ? {} : { filter: unwrap(parseFilter(filter)) }
    const asked = {
      startIndex: 1,
      count: 100,
      sortOrder: 'ascending',
      ...query,
      ...parsed,
    } as const
    return listPage({ ...scope, now }, asked, listingOf(size), async (rows) => {
      expect(rows).not.toHaveLength(0)
      return rows.slice(0, most).map(({ id }) => id)
    })
  })
  const { nextCursor, previousCursor } = listed as Scim.CursorPage<string>
  return {
    places: listed.resources.map(placeOf),
    total: listed.totalResults,
    next: nextCursor,
    previous: previousCursor,
  }
}

const tooMany = expect.objectContaining({ status: 400, scimType: 'tooMany' })
/** A filter that no row matches, and that the database does not run. */
const NONE = 'none pr'

describe('a search in memory reads rows', () => {
  let tenantId: string
  beforeAll(async () => {
    tenantId = await tenantOf(2_500, (at) => (at === 2_400 ? { external_id: 'x' } : {}))
  })
  /** Some rows, the sizes of the others, and the others by their ids. */
  const batch = ['limit 8', 'limit 992', 'limit 500', 'limit 492']
  const limits = () => ran.map((text) => /limit \d+/.exec(text)?.[0])

  it.each([{}, { cursor: '' }])('rows are read in batches of 1,000: %o', async (query) => {
    expect((await page(tenantId, { ...query, filter: 'externalId eq "x"' })).places).toEqual([
      2_400,
    ])
    const last = ['limit 8', 'limit 992', 'limit 492']
    // A page by index reads its rows again.
    const again = 'cursor' in query ? [] : ['limit 1']
    expect(limits()).toEqual([...batch, ...batch, ...last, ...again])
  })

  it.each([{}, { cursor: '' }])('rows are read in batches of 2 MiB: %o', async (query) => {
    const some = await tenantOf(50)
    const size = MIB / 10
    expect((await page(some, { ...query, filter: NONE }, { size })).places).toEqual([])
    const wanted = ['limit 8', 'limit 992']
    expect(limits()).toEqual([...wanted, 'limit 12', ...wanted, 'limit 12', ...wanted, 'limit 2'])
  })

  it('rows for a page by cursor are read until it has as many as wanted', async () => {
    const query = { cursor: '', count: 3, filter: 'id pr' }
    expect(await page(tenantId, query)).toMatchObject({
      places: [0, 1, 2],
      next: expect.any(String),
    })
    expect(limits()).toEqual(batch)
    // One more than wanted shows that another page follows.
    const four = { ...query, filter: `externalId eq "four"` }
    const some = await tenantOf(2_500, (at) => (at < 4 ? { external_id: 'four' } : {}))
    expect((await page(some, four)).places).toEqual([0, 1, 2])
    expect(limits()).toEqual(batch)
  })

  it('rows for a page by cursor are read until it has 16 MiB', async () => {
    const { places } = await page(tenantId, { cursor: '', filter: 'id pr' }, { size: MIB })
    expect(places).toHaveLength(16)
    expect(limits().filter((limit) => limit === 'limit 8')).toHaveLength(3)
  })

  it('rows are read in each order', async () => {
    const query = { sortBy: 'displayName', sortOrder: 'descending', cursor: '' } as const
    const { places } = await page(tenantId, { ...query, filter: 'externalId eq "x"' })
    expect(places).toEqual([2_400])
    const all = await page(tenantId, { ...query, count: 2_500, filter: 'id pr' })
    expect(all.places).toEqual(upTo(2_500).reverse())
  })

  it('rows are read up to 64 MiB', async () => {
    const some = await tenantOf(64)
    expect((await page(some, { filter: NONE }, { size: MIB })).total).toBe(0)
    await expect(page(some, { filter: NONE }, { size: MIB + 1 })).rejects.toEqual(tooMany)
  })
})

describe('the candidates of a search in memory', () => {
  let most: string
  let tooLong: string
  beforeAll(async () => {
    most = await tenantOf(10_000)
    tooLong = await tenantOf(10_001, (at) => (at < 2 ? { external_id: 'x' } : {}))
  })

  it.each([{ filter: NONE }, { filter: NONE, cursor: '' }, { sortBy: 'externalId', count: 0 }])(
    'the search %o has at most 10,000 candidates',
    async (query) => {
      await expect(page(most, query)).resolves.toMatchObject({ places: [] })
      await expect(page(tooLong, query)).rejects.toEqual(tooMany)
    },
  )

  it.each([
    [1, [0]],
    [2, [0, 1]],
  ])('%d candidates filling a page by cursor are enough', async (count, places) => {
    const query = { filter: 'externalId eq "x"', cursor: '', count }
    expect(await page(tooLong, query)).toMatchObject({ places, next: expect.any(String) })
    await expect(page(tooLong, { ...query, count: 3 })).rejects.toEqual(tooMany)
  })
})

describe('the size of a page', () => {
  let tenantId: string
  beforeAll(async () => {
    tenantId = await tenantOf(40, (at) => ({ external_id: String(at % 10) }))
  })

  it.each([
    ['in the order of the database', {}, 16],
    ['that match a filter', { filter: 'externalId pr' }, 16],
    ['in the order of memory', { sortBy: 'externalId' }, 16],
    ['that are wanted', { count: 16 }, 16],
    ['of a smaller count', { count: 15 }, 15],
  ])('a page has as many rows %s as fit into 16 MiB', async (_, query, count) => {
    const sizes = { size: MIB }
    const byIndex = await page(tenantId, query, sizes)
    const first = await page(tenantId, { ...query, cursor: '' }, sizes)
    expect(byIndex.places).toHaveLength(count)
    expect(byIndex.total).toBe(40)
    expect(first.places).toEqual(byIndex.places)
    expect(first).toMatchObject({ total: undefined, previous: undefined })
    const second = await page(tenantId, { ...query, cursor: String(first.next) }, sizes)
    expect(second.places).toHaveLength(count)
    expect(second.places[0]).not.toBe(first.places.at(-1))
    const third = await page(tenantId, { ...query, cursor: String(second.next) }, sizes)
    expect(third).toMatchObject({
      total: undefined,
      next: undefined,
      previous: expect.any(String),
    })
    const seen = [...first.places, ...second.places, ...third.places]
    expect(seen.toSorted((a, b) => a - b)).toEqual(upTo(40))
    const back = await page(tenantId, { ...query, cursor: String(third.previous) }, sizes)
    expect(back.places).toEqual(second.places)
  })

  it('a page has fewer rows if the resources shown are larger', async () => {
    const first = await page(tenantId, { cursor: '' }, { most: 7 })
    expect(first).toMatchObject({ places: upTo(7), total: undefined })
    const second = await page(tenantId, { cursor: String(first.next) }, { most: 7 })
    expect(second.places).toEqual(upTo(14, 7))
  })

  it('a page has at least one row, however large', async () => {
    const query = { cursor: '', filter: 'id pr' }
    const first = await page(tenantId, query, { size: 20 * MIB })
    expect(first.places).toEqual([0])
    const second = await page(tenantId, { ...query, cursor: String(first.next) })
    expect(second.places).toEqual(upTo(40, 1))
  })
})

describe('a list sorted in memory', () => {
  let tenantId: string
  beforeAll(async () => {
    const keys = ['b', 'a', null, 'B', 'a', null]
    tenantId = await tenantOf(6, (at) => ({ external_id: keys[at] ?? null }))
  })

  it.each([
    ['ascending', [3, 1, 4, 0, 2, 5]],
    ['descending', [2, 5, 0, 1, 4, 3]],
  ] as const)(
    'a list sorted in memory, %s, has equal rows in id order',
    async (sortOrder, places) => {
      const query = { sortBy: 'externalId', sortOrder }
      expect((await page(tenantId, query)).places).toEqual(places)
      expect((await page(tenantId, { ...query, startIndex: 2, count: 3 })).places).toEqual(
        places.slice(1, 4),
      )
      let at = await page(tenantId, { ...query, cursor: '', count: 2 })
      const walked = [...at.places]
      while (at.next !== undefined) {
        at = await page(tenantId, { ...query, cursor: at.next, count: 2 })
        walked.push(...at.places)
      }
      expect(walked).toEqual(places)
      at = await page(tenantId, { ...query, cursor: String(at.previous), count: 3 })
      expect(at).toMatchObject({ places: places.slice(1, 4), next: expect.any(String) })
      expect((await page(tenantId, { ...query, cursor: String(at.next) })).places).toEqual(
        places.slice(4),
      )
      at = await page(tenantId, { ...query, cursor: String(at.previous), count: 3 })
      expect(at).toMatchObject({ places: places.slice(0, 1), previous: undefined })
    },
  )
})

describe('a list sorted in the database', () => {
  it.each([
    ['ascending', [1, 2, 4, 0, 3]],
    ['descending', [3, 0, 4, 2, 1]],
  ] as const)(
    'a list sorted in the database, %s, has equal rows in id order',
    async (sortOrder, places) => {
      const keys = ['b', 'a', 'a', 'b', 'a']
      const tenantId = await tenantOf(5, (at) => ({ display_name_key: keys[at] ?? '' }))
      const query = { sortBy: 'displayName', sortOrder }
      expect(await page(tenantId, query)).toMatchObject({ places, total: 5 })
      for (const filter of [{}, { filter: 'id pr' }]) {
        let at = await page(tenantId, { ...query, ...filter, cursor: '', count: 2 })
        const walked = [...at.places]
        while (at.next !== undefined) {
          at = await page(tenantId, { ...query, ...filter, cursor: at.next, count: 2 })
          walked.push(...at.places)
        }
        expect(walked).toEqual(places)
        at = await page(tenantId, { ...query, ...filter, cursor: String(at.previous), count: 3 })
        expect(at.places).toEqual(places.slice(1, 4))
      }
    },
  )
})

describe("a list's total", () => {
  let tenantId: string
  beforeAll(async () => {
    tenantId = await tenantOf(20)
  })
  const isCounted = () => ran.some((text) => text.includes('count(*)'))

  it.each([
    ['counted if the page is full', { count: 20 }, 20, true],
    ['counted if the page is empty', { startIndex: 21 }, 0, true],
    ['counted if no resources are wanted', { count: 0 }, 0, true],
    ['never counted if the page is not full', { count: 21 }, 20, false],
    ['never counted if it is the last page', { startIndex: 20 }, 1, false],
  ])('the total is %s', async (_, query, length, expected) => {
    const { places, total } = await page(tenantId, query)
    expect({ length: places.length, total }).toEqual({ length, total: 20 })
    expect(isCounted()).toBe(expected)
  })

  it('the only statement counts the total if no resources are wanted', async () => {
    await page(tenantId, { count: 0 })
    expect(ran).toHaveLength(1)
  })

  it('the total is counted if the page is cut', async () => {
    const { places, total } = await page(tenantId, { count: 50 }, { size: 2 * MIB })
    expect({ length: places.length, total }).toEqual({ length: 8, total: 20 })
  })

  it('the total is never counted for a list without resources', async () => {
    const none = await newTenant(store)
    expect(await page(none, {})).toMatchObject({ places: [], total: 0 })
    expect(isCounted()).toBe(false)
    expect(await page(none, { cursor: '' })).toMatchObject({ places: [], total: 0 })
  })
})

describe('a cursor', () => {
  const byKey = { sortBy: 'externalId', cursor: '', count: 1 }

  it('a cursor is valid for an hour (RFC 9865 §2)', async () => {
    const tenantId = await tenantOf(2)
    const { next = '' } = await page(tenantId, { cursor: '', count: 1 }, { now: 5 })
    const query = { cursor: next, count: 1 }
    expect((await page(tenantId, query, { now: 3_600_005 })).places).toEqual([1])
    await expect(page(tenantId, query, { now: 3_600_006 })).rejects.toMatchObject({
      status: 400,
      scimType: 'expiredCursor',
      message: 'the cursor is older than 3600 seconds',
    })
  })

  /** A tenant of two resources with this sort key, and the cursor of the second page. */
  const cursorOf = async (key: string) => {
    const tenantId = await tenantOf(2, (at) => ({ external_id: key + at }))
    const { next = '' } = await page(tenantId, byKey)
    const content = Buffer.from(next, 'base64url').toString()
    const where = sql`tenant_id = ${tenantId} and id = ${idOf(0)}`
    return { tenantId, query: { ...byKey, cursor: next }, content, where }
  }
  // A digit is added.
  const most = 500 - JSON.stringify('0').length

  it('a cursor contains a sort key up to 500 bytes, and is valid after the key changes', async () => {
    const key = 'k'.repeat(most)
    const { tenantId, query, content, where } = await cursorOf(key)
    expect(content).toContain(key)
    await inScope(store, tenantId, ({ db }) =>
      updateRows(db, 'groups', { external_id: 'a' }, where),
    )
    expect((await page(tenantId, query)).places).toEqual([1])
  })

  it.each([
    ['changed', false],
    ['deleted', true],
  ])('a cursor does not contain a larger key, and expires if that is %s', async (_, isDeleted) => {
    const key = 'k'.repeat(most + 1)
    const { tenantId, query, content, where } = await cursorOf(key)
    expect(content).not.toContain('k'.repeat(20))
    expect((await page(tenantId, query)).places).toEqual([1])
    await inScope<unknown>(store, tenantId, ({ db }) =>
      isDeleted
        ? db.exec(sql`delete from groups where ${where}`)
        : updateRows(db, 'groups', { external_id: 'a' }, where),
    )
    await expect(page(tenantId, query)).rejects.toMatchObject({
      status: 400,
      scimType: 'expiredCursor',
      message: 'the resource at which the page begins was changed or deleted',
    })
  })

  it('a cursor in database order does not contain a large key either', async () => {
    const tenantId = await tenantOf(3, (at) => ({ display_name_key: 'k'.repeat(600) + at }))
    const query = { sortBy: 'displayName', count: 1 }
    const { next = '' } = await page(tenantId, { ...query, cursor: '' })
    expect(next.length).toBeLessThan(300)
    expect((await page(tenantId, { ...query, cursor: next })).places).toEqual([1])
  })

  it.each([
    ['damaged', (cursor: string) => `${cursor.slice(0, -4)}AAAA`],
    ['cut', () => 'AAAA'],
    ['of the length of a signature', () => Buffer.alloc(32).toString('base64url')],
    ['in another alphabet', (cursor: string) => `${cursor}!`],
  ])('a cursor that is %s is invalid', async (_, change) => {
    const tenantId = await tenantOf(2)
    const { next = '' } = await page(tenantId, { cursor: '', count: 1 })
    await expect(page(tenantId, { cursor: change(next), count: 1 })).rejects.toMatchObject({
      status: 400,
      scimType: 'invalidCursor',
      message: 'the cursor is not valid for this query',
    })
  })

  it.each<[string, Query]>([
    ['another filter', { filter: 'displayName eq "b"' }],
    ['no filter', { filter: undefined }],
    ['another attribute to sort by', { sortBy: 'externalId' }],
    ['no attribute to sort by', { sortBy: undefined }],
    ['another order', { sortOrder: 'descending' }],
  ])('a cursor is invalid with %s', async (_, changed) => {
    const tenantId = await tenantOf(2)
    const query = { filter: 'displayName eq "a"', sortBy: 'displayName', count: 1 }
    const { next = '' } = await page(tenantId, { ...query, cursor: '' })
    expect(
      (await page(tenantId, { ...query, sortBy: 'DISPLAYNAME', cursor: next })).places,
    ).toEqual([1])
    await expect(page(tenantId, { ...query, ...changed, cursor: next })).rejects.toMatchObject({
      scimType: 'invalidCursor',
    })
  })
})
