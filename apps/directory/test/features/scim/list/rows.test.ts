import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listing } from '../../../../src/features/scim/list/list.ts'
import { type Range, rowsById, rowsIn } from '../../../../src/features/scim/list/read-rows.ts'
import { insertRows } from '../../../../src/kernel/store/database.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../../src/kernel/store/store.ts'
import { inScope, newTenant } from '../../../support/in-scope.ts'

interface Row {
  readonly id: string
  readonly display_name: string
}

const LISTING: Listing<Row> = {
  type: 'Group',
  definitions: {},
  table: 'groups',
  read: 'id, display_name',
  sortColumns: {},
  narrow: async (_, residual) => ({ where: null, residual }),
  large: 'display_name',
  sizeOf: ({ display_name }) => display_name.length,
  toWire: async () => [],
}

/** Twelve groups with names of ten characters. */
const IDS = Array.from({ length: 12 }, (_, at) => `id-${String(at).padStart(2, '0')}`)
const NAME = 'x'.repeat(10)

let store: Store
let tenantId: string
beforeAll(async () => {
  store = await openSqlite(':memory:')
  tenantId = await newTenant(store)
  await inScope(store, tenantId, async ({ db }) => {
    const common = { tenant_id: tenantId, display_name_key: NAME, revision: 1, created_at: 0 }
    const rows = IDS.map((id) => ({
      ...common,
      id,
      display_name: NAME,
      last_modified: 0,
      external_id: null,
    }))
    await insertRows(db, 'groups', rows)
  })
})
afterAll(() => store.close())

const rangeOf = (range: Partial<Range>): Range => ({
  where: null,
  orderBy: [['id', 'asc']],
  limit: 12,
  ...range,
})

/** The places of the rows of a range among all groups, and whether the range was cut. */
async function placesIn(range: Partial<Range>, most?: number, listing = LISTING) {
  const { rows, isCut } = await inScope(store, tenantId, (scope) =>
    rowsIn(scope, listing, rangeOf(range), most),
  )
  return { places: rows.map(({ id }) => IDS.indexOf(id)), isCut }
}

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, at) => from + at)

describe('the rows in a range', () => {
  it.each<
    readonly [what: string, range: Partial<Range>, most: number, end: number, isCut: boolean]
  >([
    ['are all read if they fit', {}, 120, 12, false],
    ['are cut before the first that does not fit', {}, 119, 11, true],
    ['are cut after those that fit exactly', {}, 100, 10, true],
    ['are cut after those that are always read', {}, 80, 8, true],
    ['are cut after those that are always read, even if these do not fit', {}, 79, 8, true],
    ['are cut after those that are always read if no other fits', {}, 89, 8, true],
    ['are not cut at their limit', { limit: 10 }, 100, 10, false],
    ['are not cut if few are wanted', { limit: 8 }, 1, 8, false],
    ['are cut if one more is wanted than is always read', { limit: 9 }, 1, 8, true],
  ])('the rows %s: %o of %d characters', async (_, range, most, end, isCut) => {
    expect(await placesIn(range, most)).toEqual({ places: upTo(end), isCut })
  })

  it('the rows are counted from the offset', async () => {
    expect(await placesIn({ offset: 2 }, 90)).toEqual({ places: upTo(11, 2), isCut: true })
    expect(await placesIn({ offset: 2 })).toEqual({ places: upTo(12, 2), isCut: false })
    expect(await placesIn({ offset: 5 }, 1)).toEqual({ places: upTo(12, 5), isCut: false })
  })

  it('the rows are never cut if every row in the table is small', async () => {
    const small = { ...LISTING, large: null }
    expect(await placesIn({}, 1, small)).toEqual({ places: upTo(12), isCut: false })
  })
})

it('rows read by their ids are in id order, without missing ones', async () => {
  const rows = await inScope(store, tenantId, (scope) =>
    rowsById(scope, LISTING, ['id-07', 'unknown', 'id-01']),
  )
  expect(rows.map(({ id }) => id)).toEqual(['id-07', 'id-01'])
})
