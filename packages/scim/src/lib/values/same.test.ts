import { describe, expect, it } from 'vitest'
import { createWorkBudget } from '../work-budget.ts'
import { areSameValues } from './same.ts'

const folded = { caseExact: false }
const exact = { caseExact: true }

describe('two attribute values', () => {
  it.each<[what: string, attribute: { caseExact: boolean } | null, a: unknown, b: unknown]>([
    ['strings in another letter case (RFC 7643 §2.2)', folded, 'Ada', 'aDA'],
    ['equal strings that are case exact', exact, 'Ada', 'Ada'],
    ['numbers', folded, 1.5, 1.5],
    ['lists', folded, ['a', { b: 1 }], ['a', { b: 1 }]],
    ['members in another order', null, { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['unassigned members (RFC 7643 §2.5)', null, { a: 1, b: null, c: [] }, { a: 1 }],
    ['missing values', null, undefined, undefined],
  ])('two values are the same: %s', (_, attribute, a, b) => {
    expect(areSameValues(attribute, a, b)).toBe(true)
    expect(areSameValues(attribute, b, a)).toBe(true)
  })

  it.each<[what: string, attribute: { caseExact: boolean } | null, a: unknown, b: unknown]>([
    ['strings', folded, 'Ada', 'Eve'],
    ['strings in another letter case that are case exact (RFC 7643 §2.2)', exact, 'Ada', 'ada'],
    ['strings in another letter case without an attribute', null, 'Ada', 'ada'],
    ['strings inside a list in another letter case', folded, ['A'], ['a']],
    ['a string and a number', folded, '1', 1],
    ['a list and one value', null, ['a'], 'a'],
    ['lists in another order', null, ['a', 'b'], ['b', 'a']],
    ['an object with one more member', null, { a: 1 }, { a: 1, b: 2 }],
    ['a member that only the prototype has', null, { toString: 1 }, { a: 1 }],
    ['a value and a missing one', folded, '', undefined],
  ])('two values are not the same: %s', (_, attribute, a, b) => {
    expect(areSameValues(attribute, a, b)).toBe(false)
    expect(areSameValues(attribute, b, a)).toBe(false)
  })

  it('long strings matching in any letter case cost budget steps', () => {
    const budget = createWorkBudget(100)
    areSameValues(exact, 'a'.repeat(160), 'a'.repeat(160), budget)
    areSameValues(folded, 'short', 'SHORT', budget)
    expect(budget.remaining).toBe(100)
    areSameValues(folded, 'a'.repeat(160), 'A'.repeat(160), budget)
    expect(budget.remaining).toBe(80)
  })
})
