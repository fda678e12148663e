import { unwrap } from '@plumbline/result'
import type { Scim } from '@plumbline/scim'
import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { compare } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import type { Listing } from '../../../../src/features/scim/list/list.ts'
import { orderOf, planSearch, type Search } from '../../../../src/features/scim/list/plan-query.ts'
import { inScope } from '../../../support/in-scope.ts'
import { useSqliteStore } from '../../../support/sqlite-store.ts'

// The part of a query that the database runs, and the order of its rows.

const { storeOf } = useSqliteStore()

const LISTING: Listing<object> = {
  type: 'Group',
  definitions: {},
  table: 'groups',
  read: 'id',
  large: null,
  sortColumns: { displayname: 'name_key', id: 'id', 'meta.created': 'created_at' },
  narrow: async (_, residual) => ({ where: null, residual }),
  sizeOf: () => 0,
  toWire: async () => [],
}

type Query = Partial<Omit<Scim.ListQuery, 'filter'>> & { readonly filter?: string }

function plan({ filter, ...query }: Query, listing = LISTING): Promise<Search> {
  const parsed = filter === undefined ? {} : { filter: unwrap(parseFilter(filter)) }
  const asked = { startIndex: 1, count: 1, sortOrder: 'ascending', ...query, ...parsed } as const
  return inScope(storeOf(), 'acme', (scope) => planSearch(scope, asked, listing))
}

describe('the order of a list', () => {
  const some = '"2026-01-01T00:00:00Z"'
  it.each<[string, Query, string | null, boolean, boolean]>([
    ['by the id', {}, null, false, true],
    [
      'by the id, whatever the order without an attribute',
      { sortOrder: 'descending' },
      null,
      false,
      true,
    ],
    ['by the id that is sorted by', { sortBy: 'ID' }, null, false, true],
    ['by the id in descending order', { sortBy: 'id', sortOrder: 'descending' }, null, true, true],
    ['by a column', { sortBy: 'displayName' }, 'name_key', false, true],
    [
      'by a column in descending order',
      { sortBy: 'displayname', sortOrder: 'descending' },
      'name_key',
      true,
      true,
    ],
    [
      'by the id before memory sorts',
      { sortBy: 'title', sortOrder: 'descending' },
      null,
      false,
      false,
    ],
    [
      'by the id, by the name of a member of every object',
      { sortBy: 'constructor' },
      null,
      false,
      false,
    ],
    [
      'by a time that the filter bounds',
      { filter: `meta.created gt ${some}` },
      'created_at',
      false,
      true,
    ],
    [
      'by a time that one of several conditions bounds',
      { filter: `title gt "a" and title pr and META.Created le ${some}` },
      'created_at',
      false,
      true,
    ],
    [
      'by the id if a time is not bounded',
      { filter: `meta.created eq ${some}` },
      null,
      false,
      true,
    ],
    [
      'by the id if the filter only may bound a time',
      { filter: `meta.created gt ${some} or title pr` },
      null,
      false,
      true,
    ],
    [
      'by the id if no column has the bounded attribute',
      { filter: `meta.lastModified gt ${some}` },
      null,
      false,
      true,
    ],
  ])('the database sorts %s', async (_, query, column, isDescending, isSorted) => {
    expect(await plan(query)).toMatchObject({ column, isDescending, isSorted })
  })

  it('the database sorts by the id after the column, in the same direction', async () => {
    const plain = await plan({})
    const down = await plan({ sortBy: 'displayName', sortOrder: 'descending' })
    expect(orderOf(plain)).toEqual([['id', 'asc']])
    expect(orderOf(plain, { isForward: false })).toEqual([['id', 'desc']])
    expect(orderOf(down)).toEqual([
      ['name_key', 'desc'],
      ['id', 'desc'],
    ])
    expect(orderOf(down, { isForward: false })).toEqual([
      ['name_key', 'asc'],
      ['id', 'asc'],
    ])
  })
})

describe('the database filters', () => {
  it('the database filters by nothing but the tenant, without a filter', async () => {
    expect(await plan({})).toMatchObject({ where: null, residual: null })
  })

  it("the database filters by the listing's condition, and leaves the rest to memory", async () => {
    const where = compare('external_id', 'eq', 'x')
    const filter = 'title pr and externalId eq "x"'
    const listing: Listing<object> = {
      ...LISTING,
      narrow: async (_, whole) => {
        expect(stringifyFilter(whole)).toBe(filter)
        return { where, residual: unwrap(parseFilter('title pr')) }
      },
    }
    const found = await plan({ filter }, listing)
    expect(found.where).toEqual(where)
    expect(found.residual && stringifyFilter(found.residual)).toBe('title pr')
  })
})

describe('a filter is rejected', () => {
  const anyOf = (count: number) => Array(count).fill('a pr').join(' or ')

  it('a filter is rejected with more than 1,000 comparisons', async () => {
    await expect(plan({ filter: anyOf(1_000) })).resolves.toBeDefined()
    await expect(plan({ filter: anyOf(1_001) })).rejects.toMatchObject({
      status: 400,
      scimType: 'invalidFilter',
      message: 'the filter has more than 1000 comparisons',
    })
  })

  it.each([
    ['co', (text: string) => `a co "${text}"`],
    ['sw', (text: string) => `not (a sw "${text}")`],
    ['ew', (text: string) => `a[b ew "${text}" and c pr]`],
    ['each', (text: string) => `a co "${text.slice(1)}" or a ew "x" or a eq "long"`],
  ])('a filter is rejected with more than 10,000 characters in the values of %s', async (_, of) => {
    await expect(plan({ filter: of('x'.repeat(10_000)) })).resolves.toBeDefined()
    await expect(plan({ filter: of('x'.repeat(10_001)) })).rejects.toMatchObject({
      status: 400,
      scimType: 'tooMany',
      message: 'the values of co, sw and ew in the filter have more than 10000 characters',
    })
  })
})
