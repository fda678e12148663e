import type { Check } from '../../check.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectError, expectList, expectMember } from '../../toolkit/expect.ts'

/** Rules for filters that select nothing or are not valid. */
export const FILTER_REJECTION_CHECKS: readonly Check[] = [
  {
    id: 'filters.no-match',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'SHALL return success (HTTP status code 200) with',
    title: 'A filter without a match answers 200 with totalResults 0',
    needs: ['filter', 'users'],
    advice: 'Answer an empty list, and not 404.',
    affects: {
      entra: 'The connection test searches a user that does not exist, and fails.',
      okta: 'New users are not created, because the search before that fails.',
    },
    run: async ({ get, type, unique }) => {
      const query = { filter: `userName eq "absent-${unique()}"` }
      const response = await get(type('User').endpoint, { query })
      expectEqual(expectList(response).length, 0, 'the number of users')
      expectMember(response, 'totalResults', 0)
    },
  },
  {
    id: 'filters.unknown-attribute',
    ...RULES.matching,
    title: 'A filter on an unknown attribute is rejected or selects nothing',
    needs: ['filter', 'check:create.user'],
    advice:
      'Answer 400 invalidFilter, or treat the attribute as one without a value. If the filter is ignored, clients change the wrong users.',
    run: async ({ people, get, type }) => {
      await people()
      const query = { filter: 'plumblineUnknown eq "x"', count: 10 }
      const response = await get(type('User').endpoint, { query })
      if (response.status !== 200) return expectError(response, 400, 'invalidFilter')
      expectEqual(expectList(response).length, 0, 'the number of users that the filter selects')
    },
  },
  {
    id: 'filters.unknown-operator',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    quote: 'MUST decline to filter results if the specified',
    title: 'A filter with an unknown operator is rejected',
    needs: ['filter', 'users'],
    advice: 'Answer 400 invalidFilter for an operator that the server does not know.',
    run: async ({ get, type }) => {
      const query = { filter: 'userName regex "a.*"' }
      expectError(await get(type('User').endpoint, { query }), 400, 'invalidFilter')
    },
  },
  {
    id: 'filters.malformed',
    ...RULES.statusCodes,
    title: 'A filter that does not follow the grammar is rejected',
    needs: ['filter', 'users'],
    advice: 'Answer 400 invalidFilter if the filter cannot be parsed to its end.',
    run: async ({ get, type }) => {
      for (const filter of ['userName eq', '(userName pr', 'userName pr and', 'userName eq "a']) {
        const response = await get(type('User').endpoint, { query: { filter } })
        expectError(response, 400, 'invalidFilter')
      }
    },
  },
]
