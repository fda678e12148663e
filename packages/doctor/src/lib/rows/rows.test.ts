import {
  FILTER_ROWS,
  PATCH_ROWS,
  type PersonName,
  peopleOf,
  SORT_ROWS,
} from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { compareResources, PATCH_OP_SCHEMA } from '@plumbline/scim'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { describe, expect, it } from 'vitest'
import { operationOf } from '../patching.ts'
import { isContaining } from './holding.ts'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const TAG = 'run-1'
const PEOPLE = peopleOf(TAG)
const NAMES: readonly PersonName[] = ['ada', 'bob', 'eve']

describe('FILTER_ROWS', () => {
  it.each(Object.entries(FILTER_ROWS))(
    'compileFilter selects the people of the row %s',
    (_, { section, about, filter, selects }) => {
      const matches = unwrap(compileFilter(unwrap(parseFilter(filter(TAG))), { definitions }))
      expect(NAMES.filter((name) => matches(PEOPLE[name]))).toEqual(selects)
      expect(section).toMatch(/^RFC \d{4} §\d/)
      // A row about anything else would not be part of any check.
      expect(['text', 'exact text', 'boolean', 'logic', 'value path']).toContain(about)
    },
  )
})

describe('SORT_ROWS', () => {
  it.each(Object.entries(SORT_ROWS))(
    'compareResources orders the people of the row %s',
    (_, { section, order, ...by }) => {
      const compare = compareResources(by, definitions)
      const sorted = NAMES.filter((name) => order.includes(name)).sort((left, right) =>
        compare(PEOPLE[left], PEOPLE[right]),
      )
      expect(sorted).toEqual(order)
      expect(order.length, 'a single person does not have an order').toBeGreaterThan(1)
      // Another order of the same people, in which no two are equal.
      expect(sorted.reverse().sort((left, right) => compare(PEOPLE[left], PEOPLE[right]))).toEqual(
        order,
      )
      expect(section).toMatch(/^RFC \d{4} §\d/)
    },
  )
})

describe('PATCH_ROWS', () => {
  const cases = Object.entries(PATCH_ROWS).flatMap(([name, row]) =>
    row.ops.map((op) => [op, name, row] as const),
  )
  it.each(cases)('applyPatch changes a user with %s for the row %s', (op, _, row) => {
    const before = { userName: TAG, ...row.before(TAG) }
    const Operations = [operationOf({ row, op }, TAG)]
    const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
    const after = unwrap(applyPatch(before, operations, { definitions }))
    expect(after).toSatisfy((user) => isContaining(user, row.after(TAG)))
    expect(row.section).toMatch(/^RFC \d{4} §\d|^Entra ID$/)
    // Otherwise, a server that ignores the operation passes. The row about a repeated value is the exception.
    expect(isContaining(before, row.after(TAG))).toBe(row === PATCH_ROWS.addedTwice)
  })
})

describe('isContaining', () => {
  it.each([
    ['a list with another number of elements', [{ type: 'work' }], []],
    ['an element without the part', [{ type: 'work' }], [{ type: 'work', display: 'x' }]],
    ['a value that should be absent', { title: 'x' }, { title: undefined }],
    ['a text in another letter case', 'Grace', 'grace'],
    ['nothing where a value is expected', undefined, { name: { givenName: 'x' } }],
  ])('isContaining is false for %s', (_, found, expected) => {
    expect(isContaining(found, expected)).toBe(false)
  })

  it.each([undefined, null, false, []])('isContaining reads %j as no value', (found) => {
    expect(isContaining({ primary: found }, { primary: undefined })).toBe(true)
  })
})

describe('peopleOf', () => {
  it('RFC 7643 §2.5 peopleOf has only assigned values', () => {
    const leaves = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null && Object.keys(value).length > 0
        ? Object.values(value).flatMap(leaves)
        : [value]
    for (const value of leaves(PEOPLE)) expect(['string', 'boolean']).toContain(typeof value)
    expect(leaves(PEOPLE)).not.toContain('')
  })

  it('RFC 7643 §4.1 peopleOf has the filtered and sorted attributes, as users have them', () => {
    const table = NAMES.map((name) => {
      const { active, emails, phoneNumbers } = PEOPLE[name]
      const values = [emails, phoneNumbers ?? []].flat()
      return [active, values.map((value) => [Object(value).type, Object(value).primary])]
    })
    expect(table).toEqual([
      [
        true,
        [
          ['work', true],
          ['home', undefined],
          ['work', undefined],
        ],
      ],
      [false, [['work', true]]],
      [
        true,
        [
          ['home', undefined],
          ['mobile', undefined],
        ],
      ],
    ])
  })

  it('RFC 7643 §7 each person has other unique values, which differ for another tag', () => {
    const others = peopleOf('run-2')
    const unique = [PEOPLE, others].flatMap((people) =>
      NAMES.flatMap((name) => [people[name]['userName'], people[name]['externalId']]),
    )
    expect(new Set(unique).size).toBe(12)
    for (const value of unique) expect(value).toMatch(/^run-[12][.-]/)
  })
})
