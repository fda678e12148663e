import type { Check } from '../../check.ts'
import { FILTER_ROWS } from '../../rows/filter-rows.ts'
import { RULES } from '../../rules.ts'
import { selecting } from './selecting.ts'

/** Rules for and, or, not and parentheses. */
export const FILTER_LOGIC_CHECKS: readonly Check[] = [
  selecting({
    id: 'filters.and',
    ...RULES.matching,
    row: FILTER_ROWS.and,
    title: 'and selects the users that match both sides',
    needs: ['check:filters.ne'],
    advice: 'Evaluate both sides, and return the resources that match both.',
    affects: { entra: 'Members and managers are verified with such a filter.' },
  }),
  selecting({
    id: 'filters.or',
    ...RULES.matching,
    row: FILTER_ROWS.or,
    title: 'or selects the users that match one of the sides',
    advice: 'Evaluate both sides, and return the resources that match at least one of them.',
  }),
  selecting({
    id: 'filters.and-of-three',
    ...RULES.matching,
    row: FILTER_ROWS.andOfThree,
    title: 'and selects the users that match each of three comparisons',
    needs: ['check:filters.and'],
    advice: 'Parse and in a loop: it can have more than two operands.',
    affects: { entra: 'A filter with two conditions and a type selects too many users.' },
  }),
  selecting({
    id: 'filters.or-of-three',
    ...RULES.matching,
    row: FILTER_ROWS.orOfThree,
    title: 'or selects the users that match one of three comparisons',
    needs: ['check:filters.or'],
    advice: 'Parse or in a loop: it can have more than two operands.',
  }),
  selecting({
    id: 'filters.not',
    ...RULES.matching,
    level: 'defined',
    row: FILTER_ROWS.not,
    title: 'not selects the users that do not match',
    advice: 'Evaluate the expression in the parentheses, and return the other resources.',
  }),
  selecting({
    id: 'filters.precedence',
    section: 'RFC 7644 §3.4.2.2',
    level: 'defined',
    quote: 'Filters MUST be evaluated using the following order',
    row: FILTER_ROWS.precedence,
    title: 'and is evaluated before or',
    needs: ['check:filters.and', 'check:filters.or'],
    advice: 'Parse or as a list of operands of and, so that and takes precedence.',
  }),
  selecting({
    id: 'filters.parentheses',
    section: 'RFC 7644 §3.4.2.2',
    level: 'defined',
    quote: 'Filters MUST be evaluated using the following order',
    row: FILTER_ROWS.parentheses,
    title: 'Parentheses are evaluated first',
    needs: ['check:filters.and', 'check:filters.or'],
    advice: 'Evaluate the expression in parentheses before the operators around it.',
  }),
  selecting({
    id: 'filters.negated-group',
    section: 'RFC 7644 §3.4.2.2',
    level: 'defined',
    quote: 'Filters MUST be evaluated using the following order',
    row: FILTER_ROWS.negatedGroup,
    title: 'not applies to the whole expression in its parentheses',
    needs: ['check:filters.not', 'check:filters.and'],
    advice: 'Negate the result of the expression. If each part is negated, and becomes or.',
  }),
]
