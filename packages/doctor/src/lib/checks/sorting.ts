import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { expectEqual, expectList, expectThat } from '../toolkit/expect.ts'
import type { PersonName } from '../toolkit/people.ts'
import { anyOf } from './filters/selecting.ts'

interface Ordering extends Omit<Check, 'run'> {
  readonly sortBy: string
  readonly sortOrder?: 'ascending' | 'descending'
  /** The expected order of these shared users. */
  readonly order: readonly PersonName[]
}

/** Creates a check of the order of some shared users. */
function ordering({ sortBy, sortOrder, order, needs = [], ...check }: Ordering): Check {
  return {
    ...check,
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
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    title: 'sortOrder ascending returns the least value first',
    needs: ['User.userType'],
    advice: 'Sort by the attribute of sortBy, or advertise sort.supported false.',
    sortBy: 'userType',
    sortOrder: 'ascending',
    order: ['bob', 'ada'],
  }),
  ordering({
    id: 'sorting.descending',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    title: 'sortOrder descending returns the greatest value first',
    advice: 'Reverse the order for sortOrder descending.',
    sortBy: 'userName',
    sortOrder: 'descending',
    order: ['bob', 'ada'],
  }),
  ordering({
    id: 'sorting.default-order',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    title: 'Without sortOrder, the order is ascending',
    needs: ['User.userType', 'check:sorting.ascending'],
    advice: 'Sort ascending if sortBy is sent without sortOrder.',
    sortBy: 'userType',
    order: ['bob', 'ada'],
  }),
  ordering({
    id: 'sorting.letter-case',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    title: 'Letter case does not affect the order by an attribute that is not caseExact',
    advice: 'Fold the letter case of values before they are ordered.',
    sortBy: 'userName',
    sortOrder: 'ascending',
    order: ['ada', 'bob', 'eve'],
  }),
  ordering({
    id: 'sorting.missing-last',
    section: 'RFC 7644 §3.4.2.3',
    level: 'SHOULD',
    title: 'A user without a value is the last one in ascending order',
    needs: ['User.title'],
    advice: 'Sort missing values last. In SQL, add NULLS LAST.',
    sortBy: 'title',
    sortOrder: 'ascending',
    order: ['eve', 'bob'],
  }),
  ordering({
    id: 'sorting.missing-first',
    section: 'RFC 7644 §3.4.2.3',
    level: 'SHOULD',
    title: 'A user without a value is the first one in descending order',
    needs: ['User.title'],
    advice: 'Sort missing values first if the order is descending. In SQL, add NULLS FIRST.',
    sortBy: 'title',
    sortOrder: 'descending',
    order: ['bob', 'ada'],
  }),
  ordering({
    id: 'sorting.sub-attribute',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    title: 'sortBy accepts the path of a sub-attribute',
    needs: ['User.name.familyName'],
    advice: 'Sort by the sub-attribute that the path names, such as name.familyName.',
    sortBy: 'name.familyName',
    sortOrder: 'descending',
    order: ['eve', 'ada'],
  }),
  ordering({
    id: 'sorting.extension',
    section: 'RFC 7644 §3.10',
    level: 'MUST',
    title: 'sortBy accepts an attribute of an extension with its URN',
    needs: ['enterprise', `User.${ENTERPRISE_USER_SCHEMA}:employeeNumber`],
    advice: 'Look up the attribute in the schema that the URN names.',
    sortBy: `${ENTERPRISE_USER_SCHEMA}:employeeNumber`,
    sortOrder: 'descending',
    order: ['bob', 'ada'],
  }),
  ordering({
    id: 'sorting.name-case',
    section: 'RFC 7644 §3.10',
    level: 'MUST',
    title: 'sortBy accepts an attribute name in any letter case',
    needs: ['check:sorting.ascending'],
    advice: 'Look up the attribute of sortBy without regard to letter case.',
    sortBy: 'USERTYPE',
    sortOrder: 'ascending',
    order: ['bob', 'ada'],
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
