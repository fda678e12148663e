import type { Check } from '../../check.ts'
import { FILTER_ROWS } from '../../rows/filter-rows.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectList } from '../../toolkit/expect.ts'
import { spareList } from '../../toolkit/spare.ts'
import { selecting } from './selecting.ts'

/** Rules for attributes without a value. */
export const FILTER_PRESENCE_CHECKS: readonly Check[] = [
  selecting({
    id: 'filters.pr',
    ...RULES.matching,
    level: 'defined',
    row: FILTER_ROWS.present,
    title: 'pr selects the users that have a value',
    needs: ['User:optional', 'filterable:User:optional'],
    advice: 'Return the resources whose attribute has a value that is not empty.',
  }),
  {
    id: 'filters.pr-empty',
    ...RULES.matching,
    level: 'defined',
    title: 'pr does not select a user whose value is an empty string or an empty list',
    needs: ['check:filters.pr', 'check:filters.id', 'check:filters.and', 'User:optional'],
    advice: 'Regard an empty string and an empty list as no value.',
    run: async ({ create, get, set, type, words }) => {
      const { optional } = words()
      const list = spareList(type('User'))
      const values = { [optional]: '', ...(list && { [list]: [] }) }
      const { id } = await create('User', set(values))
      for (const name of Object.keys(values)) {
        const filter = `id eq "${id}" and ${name} pr`
        const found = expectList(await get(type('User').endpoint, { query: { filter } }))
        expectEqual(found.length, 0, `the number of users that ${filter} selects`)
      }
    },
  },
  selecting({
    id: 'filters.ne-missing',
    section: 'RFC 7643 §2.5',
    level: 'practice',
    row: FILTER_ROWS.notEqualWithoutValue,
    title: 'ne selects the users without a value, too',
    needs: ['check:filters.ne', 'check:filters.pr'],
    advice:
      'Treat a missing value as different from any other. SQL needs IS DISTINCT FROM for that.',
  }),
  selecting({
    id: 'filters.null',
    section: 'RFC 7643 §2.5',
    level: 'practice',
    row: FILTER_ROWS.equalToNull,
    title: 'eq null selects the users without a value',
    needs: ['check:filters.pr'],
    advice: 'Accept null as a value of a comparison, and treat it as no value.',
  }),
  selecting({
    id: 'filters.not-missing',
    ...RULES.matching,
    row: FILTER_ROWS.notWithoutValue,
    title: 'not around a comparison selects the users without a value, too',
    needs: ['check:filters.not', 'check:filters.pr'],
    advice: 'A comparison with no value is false, so its negation is true. In SQL it is unknown.',
  }),
]
