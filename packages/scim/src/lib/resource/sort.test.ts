import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListQuery } from '../model.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import type { AttributeType } from '../schema/types.ts'
import { createWorkBudget, type WorkBudget } from '../work-budget.ts'
import { compareResources, createSortOrder, spendOnSort } from './sort.ts'

const DEVICE = 'urn:example:2.0:Device'
const simple = (name: string, type: AttributeType, rest = {}) => ({ name, type, ...rest })
const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  [DEVICE]: {
    id: DEVICE,
    name: 'Device',
    attributes: [
      simple('exact', 'string', { caseExact: true }),
      simple('count', 'integer'),
      simple('weight', 'decimal'),
      simple('key', 'binary'),
      simple('tags', 'string', { multiValued: true }),
    ],
  },
}

function sortResources(
  resources: readonly object[],
  query: Pick<ListQuery, 'sortBy' | 'sortOrder'>,
  budget: WorkBudget,
): object[] {
  const { read, compare } = createSortOrder(query, definitions)
  const keyed = resources.map((resource) => ({ resource, key: read(resource) }))
  spendOnSort(
    budget,
    keyed.map(({ key }) => key),
  )
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ resource }) => resource)
}

function sorted(
  resources: readonly object[],
  sortBy: string,
  sortOrder: ListQuery['sortOrder'] = 'ascending',
): object[] {
  const budget = createWorkBudget()
  const sorted = sortResources(resources, { sortBy, sortOrder }, budget)
  const compare = compareResources({ sortBy, sortOrder }, definitions)
  expect([...resources].sort(compare)).toStrictEqual(sorted)
  return sorted
}

const device = (members: object) => ({ [DEVICE]: members })
const emails = (...values: object[]) => ({ emails: values })

/** The title of a row, sortBy, and the resources in ascending order. No two of them are equal. */
const rows: readonly (readonly [string, string, readonly object[]])[] = [
  [
    'strings without regard to case',
    'userName',
    [{ userName: 'ann' }, { userName: 'Bea' }, { userName: 'cid' }],
  ],
  [
    'strings with regard to case if the definition is caseExact',
    `${DEVICE}:exact`,
    [device({ exact: 'Bea' }), device({ exact: 'Cid' }), device({ exact: 'ann' })],
  ],
  [
    'strings by code point, so that a surrogate pair is above U+FFFF',
    'title',
    [{ title: 'z' }, { title: '\uffff' }, { title: '😀' }],
  ],
  ['a string before a longer one', 'title', [{ title: 'a' }, { title: 'ab' }, { title: 'b' }]],
  [
    'binary with regard to case (RFC 7643 §2.3.6)',
    'key',
    [device({ key: 'AQ==' }), device({ key: 'BA==' }), device({ key: 'aQ==' })],
  ],
  ['false before true', 'active', [{ active: false }, { active: true }]],
  [
    'integers as numbers',
    'count',
    [device({ count: -1 }), device({ count: 9 }), device({ count: 10 })],
  ],
  ['decimals as numbers', 'weight', [device({ weight: 0.5 }), device({ weight: 10 })]],
  [
    'dateTimes as instants, whatever their offset and fraction',
    'meta.created',
    [
      { meta: { created: '2026-01-01T02:00:00+02:30' } },
      { meta: { created: '2026-01-01T00:00:00Z' } },
      { meta: { created: '2026-01-01T00:00:00.0001Z' } },
      { meta: { created: '2025-12-31T23:00:00.5-02:00' } },
    ],
  ],
  [
    'dateTimes that are malformed by their text',
    'meta.created',
    [{ meta: { created: '2026' } }, { meta: { created: 'yesterday' } }],
  ],
  [
    'a sub-attribute',
    'name.familyName',
    [{ name: { familyName: 'a' } }, { name: { familyName: 'B' } }],
  ],
  [
    'an attribute of an extension',
    'department',
    [
      { [ENTERPRISE_USER_DEFINITION.id]: { department: 'a' } },
      { [ENTERPRISE_USER_DEFINITION.id]: { department: 'b' } },
    ],
  ],
  [
    'a sub-attribute in an extension',
    `${ENTERPRISE_USER_DEFINITION.id}:manager.value`,
    [
      { [ENTERPRISE_USER_DEFINITION.id]: { manager: { value: 'a' } } },
      { [ENTERPRISE_USER_DEFINITION.id]: { manager: { value: 'b' } } },
    ],
  ],
  ['a complex attribute by its value', 'emails', [emails({ value: 'a' }), emails({ value: 'b' })]],
  [
    'several values by the primary one',
    'emails.value',
    [
      emails({ value: 'z' }, { value: 'a', primary: true }),
      emails({ value: 'b', primary: true }, { value: '0' }),
    ],
  ],
  [
    'several values by the first if no value is primary',
    'emails.value',
    [emails({ value: 'a' }, { value: 'z' }), emails({ value: 'b' }, { value: '0' })],
  ],
  [
    'simple values by the first',
    'tags',
    [device({ tags: ['a', 'z'] }), device({ tags: ['b', '0'] })],
  ],
  [
    'names in another letter case',
    'NAME.FAMILYNAME',
    [{ name: { familyName: 'a' } }, { name: { familyName: 'b' } }],
  ],
  ['unassigned values come last', 'title', [{ title: 'z' }, {}]],
  ['null is unassigned', 'title', [{ title: 'z' }, { title: null }]],
  ['the empty string is unassigned', 'title', [{ title: 'z' }, { title: '' }]],
  ['an empty list is unassigned', 'emails', [emails({ value: 'z' }), emails()]],
  [
    'a sub-attribute of an absent attribute is unassigned',
    'name.familyName',
    [{ name: { familyName: 'z' } }, {}],
  ],
]

describe('sorting (RFC 7644 §3.4.2.3)', () => {
  it.each(rows)('resources are sorted: %s', (_, sortBy, ascending) => {
    const descending = [...ascending].reverse()
    expect(sorted(descending, sortBy)).toStrictEqual(ascending)
    expect(sorted(ascending, sortBy, 'descending')).toStrictEqual(descending)
  })

  it('the order is ascending by default', () => {
    const users = [{ userName: 'b' }, { userName: 'a' }]
    const order = compareResources({ sortBy: 'userName' }, definitions)
    expect(users.sort(order)).toStrictEqual([{ userName: 'a' }, { userName: 'b' }])
  })

  it.each([
    ['without sortBy', undefined],
    ['by an unknown attribute', 'shoeSize'],
    ['by a malformed path', 'a..b'],
    ['by a complex attribute without a value', 'name'],
    ['by a schema', USER_DEFINITION.id],
    ["by an inherited property's name", 'constructor'],
  ])('sorting keeps the order %s', (_, sortBy) => {
    const users = [{ userName: 'b', name: { formatted: 'b' } }, { userName: 'a' }, {}]
    const query = sortBy === undefined ? {} : { sortBy, sortOrder: 'descending' as const }
    expect([...users].sort(compareResources(query, definitions))).toStrictEqual(users)
    const budget = createWorkBudget()
    const sortOrder = 'descending'
    const sorted = sortResources(users, { sortBy, sortOrder }, budget)
    expect(sorted).toStrictEqual(users)
  })

  it('resources whose type lacks the attribute come last', () => {
    const several = {
      [USER_DEFINITION.id]: USER_DEFINITION,
      [GROUP_DEFINITION.id]: GROUP_DEFINITION,
    }
    const group = { schemas: [GROUP_DEFINITION.id], displayName: 'G', userName: 'a' }
    const users = ['b', 'c'].map((userName) => ({ schemas: [USER_DEFINITION.id], userName }))
    const compare = compareResources({ sortBy: 'userName' }, several)
    expect([group, ...users.toReversed()].sort(compare)).toStrictEqual([...users, group])
  })

  it.each([
    [3, 64, 0],
    [1, 1_600, 100],
    [3, 1_600, 3 * 2 * 100],
    [4, 1_600, 4 * 3 * 100],
  ])('%d keys with %d characters cost %d steps', (count, length, steps) => {
    const budget = createWorkBudget()
    const { remaining } = budget
    const users = Array.from({ length: count }, () => ({ title: 'x'.repeat(length) }))
    sortResources(users, { sortBy: 'title', sortOrder: 'ascending' }, budget)
    expect(remaining - budget.remaining).toBe(steps)
  })

  it('resources with a malformed complex attribute keep their order', () => {
    const order = compareResources({ sortBy: 'name' }, definitions)
    expect(order({ name: 'b' }, { name: 'a' })).toBe(0)
  })

  it('equal resources keep their order in both directions', () => {
    const users = [
      { id: '1', title: 'Guide' },
      { id: '2', title: 'GUIDE' },
      { id: '3', title: 'guide' },
    ]
    expect(sorted(users, 'title')).toStrictEqual(users)
    expect(sorted(users, 'title', 'descending')).toStrictEqual(users)
  })

  it('equal instants are treated as equal', () => {
    const users = ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z'].map((created) => ({
      meta: { created },
    }))
    expect(sorted(users, 'meta.created')).toStrictEqual(users)
    expect(sorted(users, 'meta.created', 'descending')).toStrictEqual(users)
  })
})

const value = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(null, '', 'a', 'A', 'b', 'É', '😀', '\uffff', '\ud800'),
)
const resource = fc.record({
  title: value,
  emails: fc.array(fc.record({ value, primary: fc.boolean() }), { maxLength: 3 }),
})

it('sorting is an order: antisymmetric and transitive, and descending reverses it', () => {
  fc.assert(
    fc.property(resource, resource, resource, fc.constantFrom('title', 'emails'), (a, b, c, by) => {
      const order = compareResources({ sortBy: by, sortOrder: 'ascending' }, definitions)
      const reverse = compareResources({ sortBy: by, sortOrder: 'descending' }, definitions)
      expect(Math.sign(order(a, b)) + Math.sign(order(b, a))).toBe(0)
      expect(Math.sign(order(a, b)) + Math.sign(reverse(a, b))).toBe(0)
      if (order(a, b) <= 0 && order(b, c) <= 0) expect(order(a, c)).toBeLessThanOrEqual(0)
    }),
    { numRuns: 1000 },
  )
})
