import type { Check } from '../check.ts'
import type { Received } from '../http/exchange.ts'
import { memberAt } from '../json.ts'
import {
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectThat,
} from '../toolkit/expect.ts'
import type { Server } from '../toolkit/server.ts'

type Query = Readonly<Record<string, number | string>>

/** Reads one page of the three shared users by cursor. */
async function pageOf({ everyone, get, type }: Server, query: Query): Promise<Received> {
  return get(type('User').endpoint, { query: { filter: await everyone(), ...query } })
}

/**
 * Reads all pages of the three shared users, at most a hundred: pages may be empty (RFC 9865 §2). An empty page at the
 * end is accepted.
 */
async function walk(server: Server, query: Query): Promise<readonly Received[]> {
  const pages = [await pageOf(server, { cursor: '', ...query })]
  for (let last = pages[0]; last !== undefined && pages.length < 100; last = pages.at(-1)) {
    const cursor = memberAt(last.body, 'nextCursor')
    if (typeof cursor !== 'string') break
    pages.push(await pageOf(server, { cursor, ...query }))
  }
  return pages
}

function idsOf(pages: readonly Received[]): readonly unknown[] {
  return pages.flatMap(expectList).map(({ id }) => id)
}

export const CURSORS_CHECKS: readonly Check[] = [
  {
    id: 'cursors.first-page',
    section: 'RFC 9865 §2',
    level: 'MUST',
    quote: 'MUST include nextCursor in all paged query responses',
    title: 'An empty cursor returns the first page, with nextCursor if more pages follow',
    needs: ['cursor', 'check:filters.eq-string'],
    advice: 'Read an empty cursor as the start, or set pagination.cursor to false.',
    run: async (server) => {
      const response = await pageOf(server, { cursor: '', count: 1 })
      expectThat(expectList(response).length <= 1, 'at most one resource', response.body.Resources)
      const cursor = expectMember(response, 'nextCursor')
      expectThat(typeof cursor === 'string' && cursor !== '', 'nextCursor as a string', cursor)
    },
  },
  {
    id: 'cursors.characters',
    section: 'RFC 9865 §2',
    level: 'defined',
    quote: 'characters from the unreserved character set',
    title: 'A cursor has only characters that need no encoding in a URL',
    needs: ['check:cursors.first-page'],
    advice:
      'Use letters, digits, hyphen, period, underscore and tilde, such as base64url without padding.',
    run: async (server) => {
      const cursor = expectMember(await pageOf(server, { cursor: '', count: 1 }), 'nextCursor')
      expectThat(/^[-.\w~]+$/.test(String(cursor)), 'unreserved characters in nextCursor', cursor)
    },
  },
  {
    id: 'cursors.walk',
    section: 'RFC 9865 §2',
    level: 'MUST',
    quote: 'nextCursor MUST be omitted from a response only',
    title: 'The pages of a filter have each match once',
    needs: ['check:cursors.first-page'],
    advice: 'Continue after the last resource of the page that contained the cursor.',
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const ids = idsOf(await walk(server, { count: 1 })).map(String)
      expectEqual(ids.sort(), [ada.id, bob.id, eve.id].sort(), 'the users of all pages')
    },
  },
  {
    id: 'cursors.last-page',
    section: 'RFC 9865 §2',
    level: 'defined',
    quote: 'except when returning the last page',
    title: 'The last page does not have nextCursor',
    needs: ['check:cursors.walk'],
    advice: 'Omit nextCursor if no resources follow. Otherwise, clients never stop.',
    run: async (server) => {
      const pages = await walk(server, { count: 2 })
      expectEqual(memberAt(pages.at(-1)?.body, 'nextCursor') ?? null, null, 'the last nextCursor')
    },
  },
  {
    id: 'cursors.count',
    section: 'RFC 9865 §2',
    level: 'MUST',
    quote: 'MUST NOT return more, although it MAY return',
    title: 'A page after the first one does not have more resources than its count',
    needs: ['check:cursors.first-page'],
    advice: 'Apply count to each page, also to those after the first one.',
    run: async (server) => {
      for (const page of await walk(server, { count: 1 })) {
        expectThat(expectList(page).length <= 1, 'at most one resource', page.body.Resources)
      }
    },
  },
  {
    id: 'cursors.order',
    section: 'RFC 9865 §2.2',
    level: 'practice',
    title: 'The pages of a sorted query continue its order',
    needs: ['check:cursors.walk', 'check:sorting.descending'],
    advice: 'Sort the whole result before it is divided into pages.',
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const query = { count: 2, sortBy: 'userName', sortOrder: 'descending' }
      const ids = idsOf(await walk(server, query)).filter((id) => id !== eve.id)
      expectEqual(ids, [bob.id, ada.id], 'the order of the pages')
    },
  },
  {
    id: 'cursors.previous',
    section: 'RFC 9865 §2',
    level: 'MAY',
    quote: 'Returning previousCursor is OPTIONAL.',
    title: 'previousCursor, if it is returned, selects the page before',
    needs: ['check:cursors.walk'],
    advice: 'Return the resources before the page, or omit previousCursor.',
    run: async (server) => {
      const [first, second] = await walk(server, { count: 1 })
      const cursor = memberAt(second?.body, 'previousCursor')
      if (first === undefined || typeof cursor !== 'string') return
      const before = await pageOf(server, { cursor, count: 1 })
      expectEqual(idsOf([before]), idsOf([first]), 'the page of previousCursor')
    },
  },
  {
    id: 'cursors.invalid',
    section: 'RFC 9865 §2.1',
    level: 'SHOULD',
    quote: 'SHOULD return the appropriate HTTP response status code',
    title: 'A cursor that the server did not issue is rejected',
    needs: ['check:cursors.first-page'],
    advice:
      'Answer 400 invalidCursor. If the first page is returned, clients start again without end.',
    run: async (server) => {
      const response = await pageOf(server, { cursor: 'plumbline-unknown', count: 1 })
      expectError(response, 400, ['invalidCursor', 'expiredCursor'])
    },
  },
  {
    id: 'cursors.invalid-count',
    section: 'RFC 9865 §2',
    level: 'MUST',
    quote: 'A negative value SHALL be interpreted as "0".',
    title: 'A negative count with a cursor is rejected',
    needs: ['check:cursors.first-page'],
    advice: 'Answer 400 invalidCount. An empty page is accepted, too, as for pages by index.',
    run: async (server) => {
      const response = await pageOf(server, { cursor: '', count: -1 })
      if (response.status !== 200) return expectError(response, 400, 'invalidCount')
      expectEqual(expectList(response).length, 0, 'the number of resources')
    },
  },
  {
    id: 'cursors.total',
    section: 'RFC 7644 §3.4.2.4',
    level: 'defined',
    quote: 'Non-negative integer. Specifies the total number',
    title: 'totalResults of a page by cursor, if it is returned, is an integer',
    needs: ['check:cursors.first-page'],
    advice: 'Omit totalResults if it is not known, and do not return null or a string.',
    run: async (server) => {
      const { body } = await pageOf(server, { cursor: '', count: 3 })
      const { totalResults = 0 } = body
      expectThat(Number.isInteger(totalResults), 'totalResults as an integer', totalResults)
    },
  },
  {
    id: 'cursors.search',
    section: 'RFC 9865 §3',
    level: 'defined',
    quote: 'would pass the parameters defined in Section 2',
    title: 'A search by POST has pages by cursor',
    needs: ['check:cursors.first-page', 'search'],
    advice: 'Read cursor from the body of a search as from the query of a GET.',
    run: async ({ people, everyone, search, type }) => {
      const { ada, bob, eve } = await people()
      const query = { filter: await everyone(), count: 2 }
      const { endpoint } = type('User')
      const first = await search(endpoint, { ...query, cursor: '' })
      const cursor = expectMember(first, 'nextCursor')
      const second = await search(endpoint, { ...query, cursor })
      const ids = [first, second].flatMap(expectList).map(({ id }) => id)
      expectThat(ids.length > 1, 'another user on the second page', ids)
      const known: readonly unknown[] = [ada.id, bob.id, eve.id]
      expectThat(
        new Set(ids).size === ids.length && ids.every((id) => known.includes(id)),
        'each user once',
        ids,
      )
    },
  },
]
