import type { Check } from '../../check.ts'
import type { Received } from '../../http/exchange.ts'
import { type JsonObject, memberAt, withAt } from '../../json.ts'
import type { ExaminedType } from '../../model/types.ts'
import { differences } from '../../toolkit/differences.ts'
import {
  expectEqual,
  expectList,
  expectMember,
  expectNoDifferences,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Server } from '../../toolkit/server.ts'
import { spareText } from '../../toolkit/spare.ts'
import { forEachShelf, listAll, listShelf } from './shelves.ts'

/** Lists of each resource type, and their pages. */
export const DECLARED_LIST_CHECKS: readonly Check[] = [
  {
    id: 'declared.lists',
    section: 'RFC 7644 §3.4.2',
    level: 'practice',
    title: 'A list of each resource type has the resources as GET returns them',
    needs: ['write'],
    advice: 'Return in a list what GET returns for each resource, with all values of lists.',
    run: (server) =>
      forEachShelf(server, async (shelf) => {
        const list = await listShelf(server, shelf, {})
        for (const resource of list === null ? [] : shelf.resources) {
          const listed = list?.find(({ id }) => id === resource.id) ?? {}
          const lines = differences(shelf.fields, resource, listed)
          expectNoDifferences(lines, `${resource.id} in the list as GET returns it`)
        }
      }),
  },
  {
    id: 'declared.pages',
    section: 'RFC 7644 §3.4.2.4',
    level: 'defined',
    quote: 'The 1-based index of the first query result.',
    title: 'The pages of each resource type have each resource once, and the same totalResults',
    needs: ['index', 'write'],
    advice: 'Skip startIndex minus 1 resources, and count all of them for each page.',
    run: (server) =>
      forEachShelf(server, async ({ type }) => {
        // A counter may have a limit.
        for (let at = 0; server.isThorough && at < MANY; at += 1) await server.create(type.name)
        await expectRest(server, type)
        await expectPages(server, type, async ({ length }, count) => {
          const found: JsonObject[] = []
          let page: readonly JsonObject[] = []
          do {
            const startIndex = found.length + 1
            page = expectList(await pageOf(server, type, { startIndex, count }, length))
            found.push(...page)
          } while (page.length > 0 && found.length < length)
          await pageOf(server, type, { count: 0 }, length)
          const beyond = await pageOf(server, type, { startIndex: length + 5, count }, length)
          expectEqual(expectList(beyond).length, 0, 'the number of resources after the last one')
          return found
        })
      }),
  },
  {
    id: 'declared.cursors',
    section: 'RFC 9865 §2',
    level: 'MUST',
    quote: 'nextCursor MUST be omitted from a response only',
    title: 'The pages by cursor of each resource type have each resource once',
    needs: ['cursor', 'write'],
    advice: 'Continue after the last resource of the page that contained the cursor.',
    run: (server) =>
      forEachShelf(server, async ({ type }) => {
        await expectPages(server, type, async (_, count) => {
          const found: JsonObject[] = []
          let cursor: unknown = ''
          for (let page = 0; typeof cursor === 'string' && page < MAX_PAGES; page += 1) {
            const response = await server.get(type.endpoint, { query: { cursor, count } })
            // A server may offer cursors for some types.
            if (response.status === 400 && page === 0) return null
            found.push(...expectList(response))
            cursor = memberAt(response.body, 'nextCursor')
          }
          return found
        })
      }),
  },
  {
    id: 'declared.stable',
    section: 'RFC 7644 §3.4.2.4',
    level: 'practice',
    title: 'A change does not move a resource in the list of its type',
    needs: ['index', 'write'],
    advice: 'Sort by a unique column, such as the id, if the client does not send sortBy.',
    affects: { okta: 'An import misses users, because they move between pages.' },
    run: async (server) => {
      let compared = 0
      await forEachShelf(server, async ({ type }) => {
        const text = spareText(type)
        if (text === undefined) return
        const { id, path, sent } = await server.create(type.name)
        const ids: readonly unknown[] = [id, (await server.create(type.name)).id]
        const order = async (): Promise<readonly unknown[]> => {
          const list = (await listAll(server, type)) ?? []
          return list.map((one) => one.id).filter((one) => ids.includes(one))
        }
        const before = await order()
        const changed = withAt(sent, { [text]: server.unique() })
        expectStatus(await server.put(path, changed), 200, 204)
        expectEqual(await order(), before, `the order of ${type.endpoint} after the change`)
        compared += 1
      })
      if (compared === 0) skip('No resource type has a text that a client may change.')
    },
  },
]

/** Throws if a page is shorter than totalResults says, and the next one is empty. */
async function expectRest({ get }: Server, { endpoint }: ExaminedType): Promise<void> {
  const first = await get(endpoint, { query: { count: 100 } })
  if (first.status === 400) return
  const { length } = expectList(first)
  const total = Number(first.body.totalResults)
  if (!(total > length)) return
  const rest = expectList(await get(endpoint, { query: { startIndex: length + 1, count: 100 } }))
  expectThat(rest.length > 0, `more than ${length} resources, as totalResults is ${total}`, rest)
}

/** More resources than a page usually has. */
const MANY = 50

/** Pages may be empty (RFC 9865 §2). */
const MAX_PAGES = 100

type Walk = (all: readonly JsonObject[], count: number) => Promise<readonly JsonObject[] | null>

/** Throws unless the pages have the list's resources, in any order. */
async function expectPages(server: Server, type: ExaminedType, walk: Walk): Promise<void> {
  const all = await listAll(server, type)
  if (all === null) return
  const found = await walk(all, Math.max(3, Math.ceil(all.length / 4)))
  if (found === null) return
  const [wanted, ids] = [all, found].map((list) => list.map(({ id }) => String(id)).sort())
  expectEqual(ids, wanted, `the resources on the pages of ${type.endpoint}`)
}

async function pageOf(
  { get }: Server,
  { endpoint }: ExaminedType,
  query: Readonly<Record<string, number>>,
  total: number,
): Promise<Received> {
  const response = await get(endpoint, { query })
  expectMember(response, 'totalResults', total)
  return response
}
