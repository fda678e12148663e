import { describe, expect, it } from 'vitest'
import {
  type Comparison,
  compare,
  either,
  isNull,
  logical,
  type Match,
  negate,
  notNull,
  type Predicate,
} from './predicate.ts'

const equal = compare('a', 'eq', 1)
const unequal = compare('a', 'ne', 1)
const folded = (value: string, negated = false): Match => ({
  type: 'match',
  column: 'a',
  pieces: [value],
  folded: true,
  negated,
})
const prefix: Match = { ...folded('b'), pieces: ['b', ''] }
const exists = (negated: boolean): Predicate => ({
  type: 'exists',
  join: { table: 't', on: [] },
  where: equal,
  negated,
})

describe('a negated predicate', () => {
  it.each<[Comparison, Comparison]>([
    ['eq', 'ne'],
    ['gt', 'lte'],
    ['gte', 'lt'],
  ])('the opposite of %s is %s', (operator, opposite) => {
    expect(negate(compare('a', operator, 1))).toEqual(compare('a', opposite, 1))
    expect(negate(compare('a', opposite, 1))).toEqual(compare('a', operator, 1))
  })

  it.each<[string, Predicate, Predicate]>([
    ['a check for null', isNull('a'), notNull('a')],
    ['a match', folded('x'), folded('x', true)],
    ['a negated match', folded('x', true), folded('x')],
    ['a selection', exists(false), exists(true)],
    ['a conjunction', logical('and', [equal, isNull('b')]), logical('or', [unequal, notNull('b')])],
    ['a disjunction', logical('or', [unequal, equal]), logical('and', [equal, unequal])],
    [
      'a list of values',
      { type: 'in', column: 'a', values: [1, 'x'] },
      logical('and', [unequal, compare('a', 'ne', 'x')]),
    ],
    [
      'a list of folded strings',
      { type: 'foldedIn', column: 'a', values: ['x', 'y'] },
      logical('and', [folded('x', true), folded('y', true)]),
    ],
  ])('%s is negated', (_, predicate, negation) => {
    expect(negate(predicate)).toEqual(negation)
  })
})

describe('a long disjunction', () => {
  const times = (one: (at: number) => Predicate) => Array.from({ length: 17 }, (_, at) => one(at))

  it('a long disjunction has one list per column with equal values, and one for folded strings', () => {
    const values = times((at) => compare('a', 'eq', at))
    const texts = times((at) => folded(`x${at}`))
    const list: Predicate = { type: 'in', column: 'a', values: [...values.keys()] }
    const others = texts.map((_, at) => `x${at}`)
    expect(either(values)).toEqual(list)
    expect(either([compare('b', 'eq', 1), ...texts, ...values])).toEqual(
      logical('or', [
        { type: 'in', column: 'b', values: [1] },
        list,
        { type: 'foldedIn', column: 'a', values: others },
      ]),
    )
  })

  it.each<[string, Predicate]>([
    ['another comparison', compare('a', 'gt', 1)],
    ['a negated match', folded('x', true)],
    ['a match with letter case', { ...folded('x'), folded: false }],
    ['a prefix match', prefix],
    ['a check for null', isNull('a')],
  ])('a long disjunction keeps %s', (_, other) => {
    const values = times((at) => compare('a', 'eq', at))
    expect(either([...values, other])).toEqual(logical('or', [either(values), other]))
  })
})
