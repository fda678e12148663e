import { describe, expect, it } from 'vitest'
import { addCosts, type Cost, costOf, isAffordable, NO_COST } from './cost.ts'
import { compare, isNull, logical, type Match, type Predicate } from './predicate.ts'

const match: Match = {
  type: 'match',
  column: 'a',
  pieces: ['ab', ''],
  folded: false,
  negated: false,
}
const eq = compare('a', 'eq', 'abc')
const join = { table: 't', on: [['user_id', 'id']] } as const
const exists: Predicate = { type: 'exists', join, where: eq, negated: false }

describe("a predicate's cost", () => {
  it.each<[string, Predicate, Partial<Cost>]>([
    ['a string comparison', eq, { values: 1, levels: 3, text: 3 }],
    ['a number comparison', compare('a', 'gt', 12_345), { values: 1, levels: 3 }],
    [
      'a list',
      { type: 'in', column: 'a', values: ['ab', 'c', 5] },
      { values: 3, levels: 3, text: 3 },
    ],
    [
      'a folded list',
      { type: 'foldedIn', column: 'a', values: ['ab', 'c'] },
      { values: 2, levels: 3, text: 3 },
    ],
    ['a match', match, { values: 1, levels: 3, text: 4 }],
    ['a negated match', { ...match, negated: true }, { values: 1, levels: 4, text: 4 }],
    ['a check for null', isNull('a'), { levels: 2 }],
    ['two operands', logical('and', [eq, isNull('a')]), { values: 1, levels: 4, text: 3 }],
    ['three operands', logical('or', [eq, eq, match]), { values: 3, levels: 5, text: 10 }],
    ['a selection', exists, { values: 1, levels: 8, text: 3, selections: 1 }],
    [
      'a selection with two columns',
      {
        ...exists,
        join: {
          ...join,
          on: [
            ['user_id', 'id'],
            ['tenant', 'tenant'],
          ],
        },
      },
      { values: 1, levels: 9, text: 3, selections: 1 },
    ],
    [
      'a selection within a selection',
      { ...exists, where: exists },
      { values: 1, levels: 13, text: 3, selections: 2 },
    ],
  ])('the cost of %s is counted', (_, predicate, cost) => {
    expect(costOf(predicate)).toEqual({ ...NO_COST, ...cost })
  })

  it("two predicates together cost the deeper one's levels", () => {
    const a = { values: 1, levels: 2, text: 3, selections: 4 }
    const b = { values: 10, levels: 1, text: 30, selections: 40 }
    expect(addCosts(a, b)).toEqual({ values: 11, levels: 2, text: 33, selections: 44 })
    expect(addCosts(b, a)).toEqual(addCosts(a, b))
  })
})

describe("a statement's limits", () => {
  it.each<[Partial<Cost>, number, boolean]>([
    [{ values: 32_000 }, 1, true],
    [{ values: 32_001 }, 1, false],
    [{ text: 1_000_000 }, 1, true],
    [{ text: 1_000_001 }, 1, false],
    [{ selections: 50 }, 1, true],
    [{ selections: 51 }, 1, false],
    [{ levels: 900 }, 1, true],
    [{ levels: 901 }, 1, false],
    // Sixteen operands are a chain of 15 levels.
    [{ levels: 885 }, 16, true],
    [{ levels: 886 }, 16, false],
  ])('the cost %j with %i operands is accepted: %j', (cost, operands, affordable) => {
    expect(isAffordable({ ...NO_COST, ...cost }, operands)).toBe(affordable)
  })
})
