import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { objectsOf } from '../json.ts'
import { findAttributeReason } from '../model/attribute-needs.ts'
import { type ExaminedType, findAttribute } from '../model/types.ts'
import { findVocabulary } from '../model/vocabulary.ts'
import { isOrderHolding } from '../rows/holding.ts'
import { renamingOf } from '../rows/renaming.ts'
import { SORT_ROWS, type SortRow } from '../rows/sort-rows.ts'
import { RULES } from '../rules.ts'
import { expectEqual, expectList, expectThat } from '../toolkit/expect.ts'
import { skip } from '../toolkit/finding.ts'
import { anyOf, storedOf } from './filters/selecting.ts'

interface Ordering extends Omit<Check, 'run'> {
  /** Some shared users, in the expected order. */
  readonly row: SortRow
  /** Rows for servers without the row's attribute. */
  readonly otherwise?: readonly SortRow[]
}

/** Checks the order in which some shared users are listed. */
function ordering({ row, otherwise = [], needs = [], ...check }: Ordering): Check {
  const rowsFor = (users: ExaminedType): readonly SortRow[] => {
    const names = renamingOf(findVocabulary(users))
    const rows = [row, ...otherwise].map((one) => ({ ...one, sortBy: names.path(one.sortBy) }))
    return rows.filter(({ sortBy }) => findAttribute(users, sortBy) !== undefined)
  }
  return {
    ...check,
    needs: ['sort', 'check:filters.eq-string', ...needs],
    missing: (types) => {
      const users = types.find(({ schema }) => schema === USER_SCHEMA)
      const isDeclared = users !== undefined && rowsFor(users).length > 0
      return isDeclared ? null : `The schema of User does not declare ${row.sortBy}.`
    },
    run: async ({ people, everyone, get, type }) => {
      const users = await people()
      const { definitions, endpoint } = type('User')
      const { sortBy, sortOrder, order } =
        rowsFor(type('User')).find((one) => isOrderHolding(one, storedOf(users), definitions)) ??
        skip('The server does not have the values or the letter case of the order.')
      const wanted = [...order].sort()
      const query = {
        filter: await everyone(),
        sortBy,
        ...(sortOrder === undefined ? {} : { sortOrder }),
      }
      const found = expectList(await get(endpoint, { query }))
      const names = found.flatMap(({ id }) => wanted.filter((name) => users[name].id === id))
      expectEqual(names, order, `the order by ${sortBy}`)
    },
  }
}

export const SORTING_CHECKS: readonly Check[] = [
  ordering({
    id: 'sorting.ascending',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    quote: 'SHALL be used to order the returned responses',
    row: SORT_ROWS.ascending,
    otherwise: [SORT_ROWS.text],
    title: 'sortOrder ascending returns the least value first',
    advice: 'Sort by the attribute of sortBy, or advertise sort.supported false.',
  }),
  ordering({
    id: 'sorting.descending',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    quote: 'SHALL be used to order the returned responses',
    row: SORT_ROWS.descending,
    title: 'sortOrder descending returns the greatest value first',
    advice: 'Reverse the order for sortOrder descending.',
  }),
  ordering({
    id: 'sorting.default-order',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    quote: '"sortOrder" SHALL default to ascending',
    row: SORT_ROWS.defaultOrder,
    otherwise: [SORT_ROWS.textByDefault],
    title: 'Without sortOrder, the order is ascending',
    needs: ['check:sorting.ascending'],
    advice: 'Sort ascending if sortBy is sent without sortOrder.',
  }),
  ordering({
    id: 'sorting.letter-case',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    quote: '"sortOrder" MUST sort according to the attribute type',
    row: SORT_ROWS.letterCase,
    title: 'Letter case does not affect the order by an attribute that is not caseExact',
    advice: 'Fold the letter case of values before they are ordered.',
  }),
  ordering({
    id: 'sorting.missing-last',
    section: 'RFC 7644 §3.4.2.3',
    level: 'defined',
    quote: 'ordered last if ascending and first if descending',
    row: SORT_ROWS.missingLast,
    title: 'A user without a value is the last one in ascending order',
    needs: ['User:optional'],
    advice: 'Sort missing values last. In SQL, add NULLS LAST.',
  }),
  ordering({
    id: 'sorting.missing-first',
    section: 'RFC 7644 §3.4.2.3',
    level: 'defined',
    quote: 'ordered last if ascending and first if descending',
    row: SORT_ROWS.missingFirst,
    title: 'A user without a value is the first one in descending order',
    needs: ['User:optional'],
    advice: 'Sort missing values first if the order is descending. In SQL, add NULLS FIRST.',
  }),
  ordering({
    id: 'sorting.sub-attribute',
    section: 'RFC 7644 §3.4.2.3',
    level: 'MUST',
    quote: 'SHALL be used to order the returned responses',
    row: SORT_ROWS.subAttribute,
    otherwise: [SORT_ROWS.text],
    title: 'sortBy accepts the path of a sub-attribute',
    needs: ['User:complex'],
    advice: 'Sort by the sub-attribute that the path names, such as name.familyName.',
  }),
  ordering({
    id: 'sorting.extension',
    ...RULES.withUrn,
    row: SORT_ROWS.extension,
    title: 'sortBy accepts an attribute of an extension with its URN',
    needs: ['enterprise', `User.${ENTERPRISE_USER_SCHEMA}:employeeNumber`],
    advice: 'Look up the attribute in the schema that the URN names.',
  }),
  ordering({
    id: 'sorting.name-case',
    ...RULES.anyCase,
    row: SORT_ROWS.attributeInOtherCase,
    otherwise: [SORT_ROWS.textInOtherCase],
    title: 'sortBy accepts an attribute name in any letter case',
    needs: ['check:sorting.ascending'],
    advice: 'Look up the attribute of sortBy without regard to letter case.',
  }),
  {
    id: 'sorting.primary',
    section: 'RFC 7644 §3.4.2.3',
    level: 'defined',
    quote: 'resources are sorted by the value of the',
    title: 'Users are sorted by the primary value of a multi-valued attribute',
    needs: ['sort', 'check:filters.or', 'User:list'],
    advice: 'Sort by the value with primary true, and by the first value only without one.',
    run: async (server) => {
      const { create, get, isThorough, type, types, unique } = server
      const { path, kinds } = server.words().list
      const [kind, other] = kinds
      const name = unique()
      const lack = findAttributeReason(types, `User.${path}.primary`)
      const isPrimary = lack === null && other !== undefined
      const element = (start: string) => {
        return { value: `${start}.${name}@x.com`, type: kind, ...(isPrimary && { primary: true }) }
      }
      const least = { value: `a.${name}@example.com`, type: other }
      const second = await create('User', { [path]: [...(isPrimary ? [least] : []), element('z')] })
      const first = await create('User', { [path]: [element('m')] })
      for (const { sent, body } of [second, first]) {
        const [found, wanted] = [body[path], sent[path]].map((one) => objectsOf(one).length)
        if (found !== wanted) skip(`The server does not keep ${path} as they were sent.`)
      }
      const expected = [first.id, second.id]
      // A list of all users may be long.
      for (const some of [{ filter: anyOf(first, second) }, ...(isThorough ? [{}] : [])]) {
        const query = { ...some, sortBy: `${path}.value` }
        const found = expectList(await get(type('User').endpoint, { query }))
        const ids = found.map(({ id }) => id).filter((id) => expected.includes(String(id)))
        // RFC 7644 §3.4.2.4: a page may have fewer resources than are asked for.
        if (ids.length < 2) skip('A page of the server is too short to show an order.')
        expectEqual(ids, expected, `the order by ${path}.value`)
      }
    },
  },
  {
    id: 'sorting.unknown',
    ...RULES.statusCodes,
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
