import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { SORT_ROWS, type SortRow } from '@plumbline/scim/testing'
import type { Check } from '../check.ts'
import { expectEqual, expectList, expectThat } from '../toolkit/expect.ts'
import { anyOf } from './filters/selecting.ts'

interface Ordering extends Omit<Check, 'run' | 'section'> {
  /** The expected order of some of the shared users. */
  readonly row: SortRow
}

/** Creates a check of the order of some shared users. */
function ordering({ row, needs = [], ...check }: Ordering): Check {
  const { section, sortBy, sortOrder, order } = row
  return {
    ...check,
    section,
    needs: ['sort', 'check:filters.or', ...needs],
    run: async ({ people, get, type }) => {
      const users = await people()
      const wanted = [...order].sort()
      const query = {
        filter: anyOf(...wanted.map((name) => users[name])),
        sortBy,
        ...(sortOrder === undefined ? {} : { sortOrder }),
      }
      const found = expectList(await get(type('User').endpoint, { query }))
      const names = found.map(({ id }) => wanted.find((name) => users[name].id === id))
      expectEqual(names, order, `the order by ${sortBy}`)
    },
  }
}

export const SORTING_CHECKS: readonly Check[] = [
  ordering({
    id: 'sorting.ascending',
    row: SORT_ROWS.ascending,
    level: 'MUST',
    title: 'sortOrder ascending returns the least value first',
    needs: ['User.userType'],
    advice: 'Sort by the attribute of sortBy, or advertise sort.supported false.',
  }),
  ordering({
    id: 'sorting.descending',
    row: SORT_ROWS.descending,
    level: 'MUST',
    title: 'sortOrder descending returns the greatest value first',
    advice: 'Reverse the order for sortOrder descending.',
  }),
  ordering({
    id: 'sorting.default-order',
    row: SORT_ROWS.defaultOrder,
    level: 'MUST',
    title: 'Without sortOrder, the order is ascending',
    needs: ['User.userType', 'check:sorting.ascending'],
    advice: 'Sort ascending if sortBy is sent without sortOrder.',
  }),
  ordering({
    id: 'sorting.letter-case',
    row: SORT_ROWS.letterCase,
    level: 'MUST',
    title: 'Letter case does not affect the order by an attribute that is not caseExact',
    advice: 'Fold the letter case of values before they are ordered.',
  }),
  ordering({
    id: 'sorting.missing-last',
    row: SORT_ROWS.missingLast,
    level: 'SHOULD',
    title: 'A user without a value is the last one in ascending order',
    needs: ['User.title'],
    advice: 'Sort missing values last. In SQL, add NULLS LAST.',
  }),
  ordering({
    id: 'sorting.missing-first',
    row: SORT_ROWS.missingFirst,
    level: 'SHOULD',
    title: 'A user without a value is the first one in descending order',
    needs: ['User.title'],
    advice: 'Sort missing values first if the order is descending. In SQL, add NULLS FIRST.',
  }),
  ordering({
    id: 'sorting.sub-attribute',
    row: SORT_ROWS.subAttribute,
    level: 'MUST',
    title: 'sortBy accepts the path of a sub-attribute',
    needs: ['User.name.familyName'],
    advice: 'Sort by the sub-attribute that the path names, such as name.familyName.',
  }),
  ordering({
    id: 'sorting.extension',
    row: SORT_ROWS.extension,
    level: 'MUST',
    title: 'sortBy accepts an attribute of an extension with its URN',
    needs: ['enterprise', `User.${ENTERPRISE_USER_SCHEMA}:employeeNumber`],
    advice: 'Look up the attribute in the schema that the URN names.',
  }),
  ordering({
    id: 'sorting.name-case',
    row: SORT_ROWS.attributeInOtherCase,
    level: 'MUST',
    title: 'sortBy accepts an attribute name in any letter case',
    needs: ['check:sorting.ascending'],
    advice: 'Look up the attribute of sortBy without regard to letter case.',
  }),
  {
    id: 'sorting.primary',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    title: 'Users are sorted by the primary value of a multi-valued attribute',
    needs: ['sort', 'check:filters.or', 'check:create.multi-valued', 'User.emails.primary'],
    advice: 'Sort by the value with primary true, and by the first value only without one.',
    run: async ({ create, get, type, unique }) => {
      const name = unique()
      const second = await create('User', {
        emails: [{ value: `a.${name}@example.com` }, { value: `z.${name}@x.com`, primary: true }],
      })
      const first = await create('User', { emails: [{ value: `m.${name}@x.com`, primary: true }] })
      const query = { filter: anyOf(first, second), sortBy: 'emails.value' }
      const found = expectList(await get(type('User').endpoint, { query }))
      const ids = found.map(({ id }) => id)
      expectEqual(ids, [first.id, second.id], 'the order by emails.value')
    },
  },
  {
    id: 'sorting.unknown',
    section: 'RFC 7644 §3.12',
    level: 'SHOULD',
    title: 'An unknown attribute in sortBy is rejected or ignored',
    needs: ['sort', 'users'],
    advice: 'Answer 400, or return the resources without an order.',
    run: async ({ get, type }) => {
      const query = { sortBy: 'plumblineUnknown', count: 1 }
      const { status } = await get(type('User').endpoint, { query })
      expectThat(status === 200 || status === 400, 'status 200 or 400', status)
    },
  },
]
