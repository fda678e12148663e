import type { Check } from '../../check.ts'
import { nameOf, selecting } from './selecting.ts'

/** Rules for and, or, not and parentheses. */
export const LOGIC_CHECKS: readonly Check[] = [
  selecting({
    id: 'filters.and',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'and selects the users that match both sides',
    needs: ['check:filters.ne'],
    advice: 'Evaluate both sides, and return the resources that match both.',
    affects: { entra: 'Members and managers are verified with such a filter.' },
    filter: ({ ada, bob }) => `userName ne ${nameOf(bob)} and userName eq ${nameOf(ada)}`,
    selects: ['ada'],
  }),
  selecting({
    id: 'filters.or',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'or selects the users that match one of the sides',
    advice: 'Evaluate both sides, and return the resources that match at least one of them.',
    filter: ({ ada, eve }) => `userName eq ${nameOf(eve)} or userName eq ${nameOf(ada)}`,
    selects: ['ada', 'eve'],
  }),
  selecting({
    id: 'filters.not',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'not selects the users that do not match',
    advice: 'Evaluate the expression in the parentheses, and return the other resources.',
    filter: ({ ada }) => `not (userName eq ${nameOf(ada)})`,
    selects: ['bob', 'eve'],
  }),
  selecting({
    id: 'filters.precedence',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'and is evaluated before or',
    needs: ['check:filters.and', 'check:filters.or'],
    advice: 'Parse or as a list of operands of and, so that and takes precedence.',
    filter: ({ ada, bob, eve }) =>
      `userName eq ${nameOf(ada)} or userName eq ${nameOf(bob)} and userName eq ${nameOf(eve)}`,
    selects: ['ada'],
  }),
  selecting({
    id: 'filters.parentheses',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'Parentheses are evaluated first',
    needs: ['check:filters.and', 'check:filters.or'],
    advice: 'Evaluate the expression in parentheses before the operators around it.',
    filter: ({ ada, bob }) =>
      `(userName eq ${nameOf(ada)} or userName eq ${nameOf(bob)}) and userName ne ${nameOf(ada)}`,
    selects: ['bob'],
  }),
  selecting({
    id: 'filters.negated-group',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'not applies to the whole expression in its parentheses',
    needs: ['check:filters.not', 'check:filters.and'],
    advice: 'Negate the result of the expression. If each part is negated, and becomes or.',
    filter: ({ ada, bob }) => `not (userName eq ${nameOf(ada)} and userName eq ${nameOf(bob)})`,
    selects: ['ada', 'bob', 'eve'],
  }),
]
