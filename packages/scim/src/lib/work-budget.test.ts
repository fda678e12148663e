import { describe, expect, it } from 'vitest'
import { ScimError } from './error.ts'
import {
  createRenewableBudget,
  createWorkBudget,
  isLong,
  spendOnText,
  stepsOfSearch,
  stepsOfText,
  type WorkBudget,
} from './work-budget.ts'

/** The error of an expense that a budget rejects. */
function rejectionOf(budget: WorkBudget, steps: number): unknown {
  try {
    budget.spend(steps)
    return null
  } catch (error) {
    return error
  }
}

describe('a work budget', () => {
  it('a work budget has 1,000,000 steps by default', () => {
    expect(createWorkBudget().remaining).toBe(1_000_000)
  })

  it('a budget can be spent to the last step; more is 400 tooMany with no step left (RFC 7644 §3.12)', () => {
    const budget = createWorkBudget(10)
    expect(rejectionOf(budget, 4)).toBe(null)
    expect(budget.remaining).toBe(6)
    expect(rejectionOf(budget, 6)).toBe(null)
    expect(budget.remaining).toBe(0)
    const rejection = rejectionOf(budget, 1)
    expect(rejection).toBeInstanceOf(ScimError)
    expect(rejection).toMatchObject({
      status: 400,
      scimType: 'tooMany',
      message: 'the request takes more than 10 steps of work',
    })
    expect(budget.remaining).toBe(0)
    expect(rejectionOf(budget, 0)).toBe(null)
  })

  it('a renewed budget has all steps again', () => {
    const budget = createRenewableBudget(10)
    budget.spend(7)
    budget.renew()
    expect(budget.remaining).toBe(10)
    expect(rejectionOf(budget, 11)).toBeInstanceOf(ScimError)
    budget.renew()
    expect(budget.remaining).toBe(10)
  })
})

describe('steps per string', () => {
  it.each([
    [0, 0, false],
    [15, 0, false],
    [16, 1, false],
    [31, 1, false],
    [64, 4, false],
    [65, 4, true],
    [80, 5, true],
  ])('a string with %i characters costs %i steps', (length, steps, long) => {
    const text = 'a'.repeat(length)
    expect(stepsOfText(text)).toBe(steps)
    expect(isLong(text)).toBe(long)
    const budget = createWorkBudget(100)
    spendOnText(budget, text)
    // A short string is free.
    expect(100 - budget.remaining).toBe(long ? steps : 0)
  })

  it.each([
    [16, 0, 1],
    [16, 7, 1],
    [16, 8, 2],
    [128, 127, 8 + 127],
  ])(
    'a string with %i characters, in which %i are searched, costs %i steps',
    (length, wanted, steps) => {
      expect(stepsOfSearch('a'.repeat(length), 'b'.repeat(wanted))).toBe(steps)
    },
  )
})
