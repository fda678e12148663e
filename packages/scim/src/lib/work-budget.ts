import { badRequest } from './error.ts'

/**
 * The work one request may still cost, in steps: a step is one comparison with one value, or 16 characters in a long
 * string. A body member costs ten steps. All calls for the request share this budget.
 */
export interface WorkBudget {
  /** The steps left. */
  readonly remaining: number
  /** Subtracts `steps`. Throws a ScimError, `400 tooMany`, if fewer steps are left; the budget is then empty. */
  readonly spend: (steps: number) => void
}

/**
 * Creates a request's budget. The default is 1,000,000 steps, which take less than about 200 ms.
 *
 * Pass the same budget to every `compileFilter` and `applyPatch` call for a request, so it limits their total work.
 *
 * @example
 * ```ts
 * import { createWorkBudget } from '@plumbline/scim'
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { compileFilter, parseFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const budget = createWorkBudget(100)
 * const filter = unwrap(parseFilter('emails.value co "b"'))
 * const matches = unwrap(compileFilter(filter, { definitions, budget }))
 * matches({ emails: [{ value: 'a@example.com' }, { value: 'b@example.com' }] }) //=> true
 * budget.remaining //=> 97
 * ```
 */
export function createWorkBudget(steps?: number): WorkBudget {
  return createRenewableBudget(steps)
}

/** A budget for work in several parts, where each part may use all the steps. */
export interface RenewableBudget extends WorkBudget {
  readonly renew: () => void
}

export function createRenewableBudget(steps: number = DEFAULT_STEPS): RenewableBudget {
  const budget = {
    remaining: steps,
    spend: (cost: number): void => {
      budget.remaining -= cost
      if (budget.remaining >= 0) return
      budget.remaining = 0
      throw badRequest('tooMany', `the request takes more than ${steps} steps of work`)
    },
    renew: (): void => {
      budget.remaining = steps
    },
  }
  return budget
}

/** Returns whether a string is so long that reading it costs steps. */
export function isLong({ length }: string): boolean {
  return length > SHORT
}

/** Returns the steps for reading a long string. */
export function stepsOfText({ length }: string): number {
  return Math.floor(length / CHARACTERS_PER_STEP)
}

/** Spends the steps for folding or comparing a string. Short strings are free. */
export function spendOnText({ spend }: WorkBudget, text: string): void {
  if (isLong(text)) spend(stepsOfText(text))
}

/** Returns the steps for searching a long string: an engine may compare all pairs of characters. */
export function stepsOfSearch(text: string, wanted: string): number {
  return stepsOfText(text) + Math.floor((text.length * wanted.length) / PAIRS_PER_STEP)
}

const DEFAULT_STEPS = 1_000_000
const SHORT = 64
const CHARACTERS_PER_STEP = 16
const PAIRS_PER_STEP = 128
