import { FILTER_ROWS } from '@plumbline/scim/testing'
import type { Check } from '../../check.ts'
import { selecting } from './selecting.ts'

/** Rules for and, or, not and parentheses. */
export const LOGIC_CHECKS: readonly Check[] = [
  selecting({
    id: 'filters.and',
    row: FILTER_ROWS.and,
    level: 'MUST',
    title: 'and selects the users that match both sides',
    needs: ['check:filters.ne'],
    advice: 'Evaluate both sides, and return the resources that match both.',
    affects: { entra: 'Members and managers are verified with such a filter.' },
  }),
  selecting({
    id: 'filters.or',
    row: FILTER_ROWS.or,
    level: 'MUST',
    title: 'or selects the users that match one of the sides',
    advice: 'Evaluate both sides, and return the resources that match at least one of them.',
  }),
  selecting({
    id: 'filters.not',
    row: FILTER_ROWS.not,
    level: 'MUST',
    title: 'not selects the users that do not match',
    advice: 'Evaluate the expression in the parentheses, and return the other resources.',
  }),
  selecting({
    id: 'filters.precedence',
    row: FILTER_ROWS.precedence,
    level: 'MUST',
    title: 'and is evaluated before or',
    needs: ['check:filters.and', 'check:filters.or'],
    advice: 'Parse or as a list of operands of and, so that and takes precedence.',
  }),
  selecting({
    id: 'filters.parentheses',
    row: FILTER_ROWS.parentheses,
    level: 'MUST',
    title: 'Parentheses are evaluated first',
    needs: ['check:filters.and', 'check:filters.or'],
    advice: 'Evaluate the expression in parentheses before the operators around it.',
  }),
  selecting({
    id: 'filters.negated-group',
    row: FILTER_ROWS.negatedGroup,
    level: 'MUST',
    title: 'not applies to the whole expression in its parentheses',
    needs: ['check:filters.not', 'check:filters.and'],
    advice: 'Negate the result of the expression. If each part is negated, and becomes or.',
  }),
]
