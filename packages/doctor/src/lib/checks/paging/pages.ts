import type { Check } from '../../check.ts'
import type { Received } from '../../http/exchange.ts'
import { memberAt } from '../../json.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectList, expectMember, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'

/** Reads one page of the three shared users. */
async function pageOf(
  { everyone, get, type }: Server,
  query: Readonly<Record<string, number | string>>,
): Promise<Received> {
  return get(type('User').endpoint, { query: { filter: await everyone(), ...query } })
}

export const PAGING_PAGE_CHECKS: readonly Check[] = [
  {
    id: 'paging.count',
    section: 'RFC 7644 §3.4.2.4',
    level: 'MUST',
    quote: 'MUST NOT return more results than specified',
    title: 'A page does not have more resources than count',
    needs: ['index', 'check:create.user'],
    advice: 'Limit the page to count, also without a filter.',
    run: async ({ people, get, type }) => {
      await people()
      const list = expectList(await get(type('User').endpoint, { query: { count: 2 } }))
      expectThat(list.length <= 2, 'at most 2 resources', list.length)
    },
  },
  {
    id: 'paging.no-parameters',
    section: 'RFC 7644 §3.4.2',
    level: 'practice',
    title: 'A list without parameters has users if totalResults is not 0',
    needs: ['check:create.user'],
    advice: 'Apply the default page if the client sends neither count nor a filter.',
    affects: { okta: 'An import finds no users.' },
    run: async ({ people, get, type }) => {
      await people()
      const list = expectList(await get(type('User').endpoint))
      expectThat(list.length > 0, 'users', list)
    },
  },
  {
    id: 'paging.above-page',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'where multiple pages are available. REQUIRED.',
    title: 'totalResults counts more users than a page has, and the next page has other users',
    needs: ['index', 'check:paging.no-parameters'],
    advice: 'Count all users, and do not stop at the size of a page.',
    affects: { okta: 'An import stops after the first page.' },
    run: async ({ get, type }) => {
      const { endpoint } = type('User')
      const total = (await get(endpoint, { query: { count: 0 } })).body.totalResults
      const first = expectList(await get(endpoint))
      if (!(Number(total) > first.length)) skip('The server does not have more users than a page.')
      const second = await get(endpoint, { query: { startIndex: first.length + 1 } })
      const ids: readonly unknown[] = first.map(({ id }) => id)
      const others = expectList(second).filter(({ id }) => !ids.includes(id))
      expectThat(others.length > 0, 'other users on the next page', second.body.Resources)
      expectMember(second, 'totalResults', total)
    },
  },
  {
    id: 'paging.total',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'where multiple pages are available. REQUIRED.',
    title: 'totalResults is the number of all matches, not of the page',
    needs: ['index', 'check:filters.eq-string'],
    advice: 'Count all resources that match the filter.',
    affects: { okta: 'An import stops after the first page.' },
    run: async (server) => {
      expectMember(await pageOf(server, { count: 1 }), 'totalResults', 3)
    },
  },
  {
    id: 'paging.partial',
    section: 'RFC 7644 §3.4.2',
    level: 'MUST',
    quote: 'REQUIRED when partial results are returned due to',
    title: 'A part of the results has startIndex and itemsPerPage',
    needs: ['index', 'check:filters.eq-string'],
    advice: 'Set startIndex to the requested one, and itemsPerPage to the length of Resources.',
    run: async (server) => {
      const response = await pageOf(server, { startIndex: 2, count: 1 })
      const { length } = expectList(response)
      expectEqual(Number(expectMember(response, 'startIndex')), 2, 'startIndex')
      expectEqual(Number(expectMember(response, 'itemsPerPage')), length, 'itemsPerPage')
    },
  },
  {
    id: 'paging.integers',
    section: 'RFC 7644 §3.4.2.4',
    level: 'defined',
    quote: 'Non-negative integer. Specifies the total number',
    title: 'totalResults, startIndex and itemsPerPage are integers',
    needs: ['index', 'users'],
    advice: 'Write the numbers of a list without quotation marks.',
    affects: { okta: 'The list of users is not read.' },
    run: async ({ get, type }) => {
      const response = await get(type('User').endpoint, { query: { count: 1 } })
      expectList(response)
      expectMember(response, 'totalResults')
      for (const name of ['totalResults', 'startIndex', 'itemsPerPage']) {
        const value = memberAt(response.body, name)
        expectThat(value === undefined || Number.isInteger(value), `${name} as an integer`, value)
      }
    },
  },
  {
    id: 'paging.walk',
    section: 'RFC 7644 §3.4.2.4',
    level: 'defined',
    quote: 'The 1-based index of the first query result.',
    title: 'The pages of a filter have each match once',
    needs: ['index', 'check:paging.total'],
    advice: 'Skip startIndex minus 1 matches. startIndex is the number of a result, not of a page.',
    affects: { okta: 'An import misses users.' },
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const ids: unknown[] = []
      // A page may be shorter than count, so the last one can be the third.
      for (let page = 0; page < 3 && ids.length < 3; page += 1) {
        const response = await pageOf(server, { startIndex: ids.length + 1, count: 2 })
        ids.push(...expectList(response).map(({ id }) => id))
      }
      expectEqual(ids.sort(), [ada.id, bob.id, eve.id].sort(), 'the users of the pages')
    },
  },
  {
    id: 'paging.stable',
    section: 'RFC 7644 §3.4.2.4',
    level: 'practice',
    title: 'The same query returns the users in the same order',
    needs: ['index', 'check:filters.eq-string'],
    advice: 'Sort by a unique column, such as the id, if the client does not send sortBy.',
    affects: { okta: 'An import misses users, because they move between pages.' },
    run: async (server) => {
      const [first, second] = [
        await pageOf(server, { count: 3 }),
        await pageOf(server, { count: 3 }),
      ]
      const [before, after] = [first, second].map((page) => expectList(page).map(({ id }) => id))
      expectEqual(after, before, 'the order of the second response')
    },
  },
  {
    id: 'paging.count-zero',
    section: 'RFC 7644 §3.4.2.4',
    level: 'MUST',
    quote: 'MUST NOT return more results than specified',
    title: 'count 0 returns totalResults without resources',
    needs: ['index', 'check:paging.total'],
    advice: 'Accept 0, and do not replace it by the default.',
    run: async (server) => {
      const response = await pageOf(server, { count: 0 })
      expectMember(response, 'totalResults', 3)
      expectEqual(memberAt(response.body, 'Resources') ?? [], [], 'Resources')
    },
  },
  {
    id: 'paging.count-negative',
    section: 'RFC 7644 §3.4.2.4',
    level: 'MUST',
    quote: 'A negative value SHALL be interpreted as "0".',
    title: 'A negative count is read as 0',
    needs: ['index', 'check:paging.total'],
    advice: 'Replace a negative count by 0, and do not reject it.',
    run: async (server) => {
      const response = await pageOf(server, { count: -1 })
      expectMember(response, 'totalResults', 3)
      expectEqual(memberAt(response.body, 'Resources') ?? [], [], 'Resources')
    },
  },
  {
    id: 'paging.count-large',
    section: 'RFC 7644 §3.4.2.4',
    level: 'practice',
    title: 'A count above the maximum of the server is not an error',
    needs: ['index', 'check:filters.eq-string'],
    advice: 'Replace a count above the maximum by the maximum.',
    run: async (server) => {
      const { length } = expectList(await pageOf(server, { count: 1_000_000 }))
      expectEqual(length, 3, 'the number of users')
    },
  },
  {
    id: 'paging.start-zero',
    section: 'RFC 7644 §3.4.2.4',
    level: 'MUST',
    quote: 'value less than 1 SHALL be interpreted as',
    title: 'startIndex 0 is read as 1',
    needs: ['index', 'check:filters.eq-string'],
    advice: 'Replace a startIndex below 1 by 1, and do not reject it.',
    run: async (server) => {
      const { length } = expectList(await pageOf(server, { startIndex: 0, count: 3 }))
      expectEqual(length, 3, 'the number of users')
    },
  },
  {
    id: 'paging.start-negative',
    section: 'RFC 7644 §3.4.2.4',
    level: 'MUST',
    quote: 'value less than 1 SHALL be interpreted as',
    title: 'A negative startIndex is read as 1',
    needs: ['index', 'check:filters.eq-string'],
    advice: 'Replace a startIndex below 1 by 1, and do not reject it.',
    run: async (server) => {
      const { length } = expectList(await pageOf(server, { startIndex: -5, count: 3 }))
      expectEqual(length, 3, 'the number of users')
    },
  },
  {
    id: 'paging.beyond',
    section: 'RFC 7644 §3.4.2.4',
    level: 'practice',
    title: 'A startIndex after the last match answers 200 without resources',
    needs: ['index', 'check:filters.eq-string'],
    advice: 'Answer an empty page, and not 404 or 400.',
    affects: { okta: 'An import fails if the number of users is a multiple of the page size.' },
    run: async (server) => {
      const response = await pageOf(server, { startIndex: 4, count: 3 })
      expectEqual(memberAt(response.body, 'Resources') ?? [], [], 'Resources')
      expectEqual(response.status, 200, 'the status')
    },
  },
  {
    id: 'paging.malformed',
    ...RULES.statusCodes,
    title: 'A count that is not an integer is rejected or ignored',
    needs: ['index', 'users'],
    advice: 'Answer 400 invalidValue, or use the default.',
    run: async (server) => {
      const { status } = await pageOf(server, { count: 'many' })
      expectThat(status === 200 || status === 400, 'status 200 or 400', status)
    },
  },
]
