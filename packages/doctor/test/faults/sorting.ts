import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { answers, type Body, defineFaults } from '../fault.ts'
import { failsFor, hasParameters, requeries } from './query.ts'

/** The reference sorts the page again by another rule. */
const resorts = (
  sent: Readonly<Record<string, string | null>>,
  compare: (a: Body, b: Body) => number,
) =>
  answers('GET /Users', ({ body }, { query }) => {
    if (!hasParameters(query, sent)) return false
    return body.Resources.sort(compare)
  })

const hasTitle = ({ title }: Body): number => Number(title !== undefined)

export const SORTING_FAULTS = defineFaults([
  {
    check: 'sorting.ascending',
    fault: requeries({ sortBy: 'userType', sortOrder: 'ascending' }, { sortBy: null }),
  },
  {
    check: 'sorting.descending',
    fault: requeries({ sortBy: 'userName', sortOrder: 'descending' }, { sortOrder: null }),
  },
  {
    check: 'sorting.default-order',
    fault: requeries({ sortBy: 'userType', sortOrder: null }, { sortOrder: 'descending' }),
  },
  {
    check: 'sorting.letter-case',
    fault: resorts({ sortBy: 'userName', sortOrder: 'ascending' }, (a, b) =>
      a.userName < b.userName ? -1 : 1,
    ),
  },
  {
    check: 'sorting.missing-last',
    fault: resorts(
      { sortBy: 'title', sortOrder: 'ascending' },
      (a, b) => hasTitle(a) - hasTitle(b),
    ),
  },
  {
    check: 'sorting.missing-first',
    fault: resorts(
      { sortBy: 'title', sortOrder: 'descending' },
      (a, b) => hasTitle(b) - hasTitle(a),
    ),
  },
  {
    check: 'sorting.sub-attribute',
    fault: requeries({ sortBy: 'name.familyName' }, { sortBy: null }),
  },
  {
    check: 'sorting.extension',
    fault: requeries({ sortBy: `${ENTERPRISE_USER_SCHEMA}:employeeNumber` }, { sortBy: null }),
  },
  { check: 'sorting.name-case', fault: requeries({ sortBy: 'USERTYPE' }, { sortBy: null }) },
  {
    check: 'sorting.primary',
    fault: resorts({ sortBy: 'emails.value' }, (a, b) =>
      a.emails[0].value < b.emails[0].value ? -1 : 1,
    ),
  },
  { check: 'sorting.unknown', fault: failsFor({ sortBy: 'plumblineUnknown' }, 500) },
])
