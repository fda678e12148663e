import { unwrap } from '@plumbline/result'
import { USER_SCHEMA } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { compileFilter, type Filter, parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { sql } from '@plumbline/scim/internal'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Listing, WireResource } from '../../src/features/scim/list/list.ts'
import { narrow } from '../../src/features/scim/list/narrow.ts'
import { rowsIn } from '../../src/features/scim/list/read-rows.ts'
import type { TenantScope } from '../../src/features/scim/scope.ts'
import { createJsonStore } from '../../src/features/scim/users/json-store.ts'
import { createValueIndex } from '../../src/features/scim/value-index/value-index.ts'
import { readRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { inScope, newTenant } from '../support/in-scope.ts'
import { BADGES, definitions, EXACT, INEXACT, resources, TEXTS } from './values.cases.ts'

const COLUMNS = { userName: { column: 'user_name_key', folded: true } } as const
const INDEX = createValueIndex(definitions, 'user_values')
const INDEXED = { columns: { ...COLUMNS, ...INDEX.columns }, index: INDEX }
const LISTING: Listing<{ readonly id: string }> = {
  type: 'User',
  definitions,
  table: 'users',
  read: 'id',
  sortColumns: {},
  large: null,
  narrow: (scope, filter) => narrow(scope, filter, INDEXED),
  sizeOf: () => 0,
  toWire: async () => [],
}
const STORE = createJsonStore({
  name: 'User',
  endpoint: '/Users',
  definitions,
  table: 'users',
  columns: COLUMNS,
  sorted: {},
  omitted: [],
  values: 'user_values',
})

/** The index of multi-valued attributes, on every store: it selects what `compileFilter` selects. */
export function valueContract(storeOf: () => Store): void {
  let tenantId: string
  const people = new Map<string, WireResource>()
  beforeAll(async () => {
    tenantId = await newTenant(storeOf())
    const stored = resources.map((values, at) => ({
      id: `u${String(at).padStart(3, '0')}`,
      at: 0,
      resource: { schemas: [USER_SCHEMA], userName: `user-${at}`, ...values },
    }))
    for (const { id, resource } of stored) people.set(id, resource)
    // Another tenant with the same values is never found.
    for (const tenant of [tenantId, await newTenant(storeOf())]) {
      await inScope(storeOf(), tenant, (scope) => STORE.insert(scope, stored))
    }
  })

  const inTenant = <Value>(work: (scope: TenantScope) => Promise<Value>) =>
    inScope(storeOf(), tenantId, work)

  /** The ids that the conditions select, and those that match. */
  const select = async (filter: Filter.Expression) => {
    const rows = await inTenant(async (scope) => {
      const { where, residual } = await narrow(scope, filter, INDEXED)
      const range = { where, orderBy: [['id', 'asc']] as const, limit: 1_000 }
      return { ...(await rowsIn(scope, LISTING, range)), residual }
    })
    const { residual } = rows
    const left = residual && unwrap(compileFilter(residual, { definitions }))
    const selected = rows.rows.map(({ id }) => id)
    const kept = selected.filter((id) => left === null || left(people.get(id) ?? {}))
    const matches = unwrap(compileFilter(filter, { definitions }))
    const expected = [...people].flatMap(([id, one]) => (matches(one) ? id : []))
    return { kept, expected, isExact: residual === null }
  }

  it('a filter selects exactly the same resources as compileFilter (RFC 7644 §3.4.2.2)', async () => {
    await fc.assert(
      fc.asyncProperty(expressions(), async (filter) => {
        const { kept, expected } = await select(filter)
        expect(kept, stringifyFilter(filter)).toEqual(expected)
      }),
      { numRuns: 400 },
    )
  })

  describe('a filter the database expresses exactly', () => {
    it.each(EXACT)('the database selects exactly the resources that match %s', async (text) => {
      const { kept, expected, isExact } = await select(unwrap(parseFilter(text)))
      expect({ isExact, kept }).toEqual({ isExact: true, kept: expected })
    })
  })

  describe('a filter the database expresses in part', () => {
    it.each(INEXACT)('a part of %s is left to memory', async (text) => {
      const { kept, expected, isExact } = await select(unwrap(parseFilter(text)))
      expect({ isExact, kept }).toEqual({ isExact: false, kept: expected })
    })
  })

  it('a changed resource has the same rows as a new one', async () => {
    const [before, after] = [resources[1] ?? {}, resources[2] ?? {}]
    const content = (values: object) => ({ schemas: [USER_SCHEMA], userName: 'c', ...values })
    const rowsOf = async (id: string) =>
      await inTenant(({ db }) =>
        readRows(
          db,
          sql`select attribute, position, value_key, type_key, is_primary from user_values
             where tenant_id = ${tenantId} and resource_id = ${id} order by attribute, position`,
        ),
      )
    const view = { needs: () => true, attributes: undefined, excludedAttributes: undefined }
    await inTenant(async (scope) => {
      await STORE.insert(scope, [{ id: 'changed', at: 0, resource: content(before) }])
      const current = await STORE.readForUpdate(scope, 'changed', view)
      await STORE.replace(scope, 'changed', content(after), { current, view })
    })
    expect(await rowsOf('changed')).toEqual(await rowsOf('u002'))
    expect(await rowsOf('changed')).not.toEqual([])
    await inTenant((scope) => STORE.delete(scope, 'changed'))
    expect(await rowsOf('changed')).toEqual([])
  })
}

/** Filters over the attributes of the definitions. */
function expressions(): fc.Arbitrary<Filter.Expression> {
  const core = Object.values(definitions)[0]?.attributes ?? []
  const leaves = fc.oneof(
    ...core.map((attribute) => leavesOf(attribute, null)),
    ...BADGES.attributes.map((attribute) => leavesOf(attribute, BADGES.id)),
  )
  return logical(leaves, 3)
}

function logical(
  leaves: fc.Arbitrary<Filter.Expression>,
  depth: number,
): fc.Arbitrary<Filter.Expression> {
  if (depth === 0) return leaves
  const inner = logical(leaves, depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: leaves },
    { weight: 1, arbitrary: inner.map((operand) => ({ type: 'not', operand }) as const) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(inner, { minLength: 2, maxLength: 3 }))
        .map(([operator, operands]) => ({ type: 'logical', operator, operands }) as const),
    },
  )
}

/** Comparisons, tests of presence and value paths of an attribute. */
function leavesOf(
  attribute: Discovery.Attribute,
  schema: string | null,
): fc.Arbitrary<Filter.Expression> {
  const { name, type, subAttributes = [] } = attribute
  const path = (subAttribute: string | null) => ({ schema, attribute: name, subAttribute })
  const inBrackets = (part: string) => ({ schema: null, attribute: part, subAttribute: null })
  if (type !== 'complex') {
    const whole = testsOf(attribute, path(null))
    if (!attribute.multiValued) return whole
    const inner = logical(testsOf(attribute, inBrackets('value')), 1)
    return fc.oneof(whole, inner.map(valuePathOf(path(null))))
  }
  const value = subAttributes.find((part) => part.name === 'value')
  const nulls = fc
    .constantFrom<Filter.Operator>('eq', 'ne')
    .map((operator) => ({ type: 'compare', path: path(null), operator, value: null }) as const)
  const inner = fc.oneof(...subAttributes.map((part) => testsOf(part, inBrackets(part.name))))
  return fc.oneof(
    ...subAttributes.map((part) => testsOf(part, path(part.name))),
    ...(value ? [testsOf(value, path(null))] : []),
    nulls,
    fc.constant({ type: 'present', path: path(null) } as const),
    logical(inner, 2).map(valuePathOf(path(null))),
  )
}

function valuePathOf(path: Filter.AttributePath) {
  return (filter: Filter.Expression): Filter.Expression => ({ type: 'valuePath', path, filter })
}

function testsOf(
  { type, name }: Discovery.Attribute,
  path: Filter.AttributePath,
): fc.Arbitrary<Filter.Expression> {
  const [operators, values] = COMPARED[type] ?? COMPARED.string
  const compare = fc
    .tuple(fc.constantFrom(...operators), fc.constantFrom(...values))
    .map(([operator, value]) => ({ type: 'compare', path, operator, value }) as const)
  const nulls = fc
    .constantFrom<Filter.Operator>('eq', 'ne')
    .map((operator) => ({ type: 'compare', path, operator, value: null }) as const)
  const present = fc.constant({ type: 'present', path } as const)
  return name === 'userName'
    ? compare
    : fc.oneof({ weight: 6, arbitrary: compare }, { weight: 1, arbitrary: nulls }, present)
}

type Compared = readonly [readonly Filter.Operator[], readonly (string | number | boolean)[]]

const ORDERS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const NUMBERS = [-2, -0.5, 0, 1, 2, 10, 1e300] as const
const COMPARED: Readonly<Partial<Record<Discovery.AttributeType, Compared>>> & {
  readonly string: Compared
} = {
  string: [[...ORDERS, 'co', 'sw', 'ew'], TEXTS],
  boolean: [
    ['eq', 'ne'],
    [true, false],
  ],
  binary: [
    ['eq', 'ne', 'co', 'sw', 'ew'],
    ['YQ==', 'Y', 'b'],
  ],
  integer: [ORDERS, NUMBERS.filter(Number.isSafeInteger)],
  decimal: [ORDERS, NUMBERS],
  dateTime: [ORDERS, ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00']],
}
