import { describe, expect, it } from 'vitest'
import type { ListRequest, ResourceStore } from '../../src/lib/endpoint/options/store.ts'
import { badRequest } from '../../src/lib/error.ts'
import { takePage } from '../../src/lib/list/page.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { type Body, type Client, type Send, serve, USER_DEFINITIONS } from './serve.ts'

const NAMES = ['d', 'a', 'g', 'c', 'f', 'b', 'e']

/** A store that changes the answers of a store in memory. */
function storeThat(list: (all: readonly object[], request: ListRequest) => object) {
  const memory = memoryStore({ definitions: USER_DEFINITIONS })
  const { cursors: _, ...store } = memory
  const changed: ResourceStore<Client> = {
    ...store,
    list: async (context, request) => {
      if (request.cursor !== null)
        throw badRequest('invalidValue', 'the store does not have cursors')
      const everything = { ...request, startIndex: 1, count: 1_000, filter: null, sortBy: null }
      const { resources } = await memory.list(context, everything)
      return { resources: [], ...list(resources, request) }
    },
  }
  return changed
}

/** A store that pages by index, unless the endpoint must filter or sort. */
const byIndex = () =>
  storeThat((all, request) =>
    request.filter === null && request.sortBy === null
      ? { resources: takePage(all, request), totalResults: all.length, applied: ['page'] }
      : { resources: all },
  )

const STORES: Readonly<Record<string, () => ResourceStore<Client>>> = {
  'a store in memory': () => memoryStore({ definitions: USER_DEFINITIONS }),
  'a store that returns everything': () => storeThat((all) => ({ resources: all })),
  'a store that pages by index': byIndex,
}

async function fill(send: Send): Promise<void> {
  for (const [at, userName] of NAMES.entries()) {
    await send('POST', '/Users', { userName, title: at % 2 === 0 ? 'x' : 'y' })
  }
}

/** The pages of a query by cursor; `between` runs after each. */
async function walk(
  send: Send,
  query: string,
  between: (page: readonly Body[]) => Promise<unknown> = async () => undefined,
): Promise<readonly Body[]> {
  const found: Body[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { status, body } = await send('GET', `/Users?cursor=${cursor}&${query}`)
    expect([status, body.detail]).toEqual([200, undefined])
    expect(body).not.toHaveProperty('startIndex')
    found.push(...body.Resources)
    cursor = body.nextCursor
    await between(body.Resources)
  }
  return found
}

const namesOf = (users: readonly Body[]) => users.map(({ userName }) => userName)

describe.each(Object.entries(STORES))('%s with cursor pages (RFC 9865 §2)', (_, make) => {
  it.each([
    ['count=2', NAMES],
    ['count=7', NAMES],
    ['count=3&filter=title eq "x"', ['d', 'g', 'f', 'e']],
    ['count=3&filter=title eq "none"', []],
  ])('cursor pages contain every match once: %s', async (query, names) => {
    const { send } = serve({ users: make() })
    await fill(send)
    expect(namesOf(await walk(send, query)).sort()).toEqual([...names].sort())
  })

  it.each([
    ['sortBy=userName&count=2', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['sortBy=userName&sortOrder=descending&count=3', ['g', 'f', 'e', 'd', 'c', 'b', 'a']],
    ['sortBy=userName&filter=title eq "x"&count=1', ['d', 'e', 'f', 'g']],
  ])("cursor pages follow the query's order: %s", async (query, names) => {
    const { send } = serve({ users: make() })
    await fill(send)
    expect(namesOf(await walk(send, query))).toEqual(names)
  })

  it('cursor pages neither skip nor repeat a user if earlier users are deleted', async () => {
    const { send } = serve({ users: make() })
    await fill(send)
    const found = await walk(send, 'sortBy=userName&count=2', async (page) => {
      for (const { id } of page) await send('DELETE', `/Users/${id}`)
      const [{ userName } = { userName: '' }] = page
      await send('POST', '/Users', { userName: `${userName}-again` })
    })
    expect(namesOf(found).filter((name) => NAMES.includes(name))).toEqual([...NAMES].sort())
  })

  it('a cursor page is not larger than limits.page, and the next page continues after it', async () => {
    const { send } = serve({ users: make(), limits: { page: 700 } })
    await fill(send)
    const sizes: number[] = []
    const found = await walk(send, 'count=7', async ({ length }) => sizes.push(length))
    expect(namesOf(found).sort()).toEqual([...NAMES].sort())
    expect(Math.max(...sizes)).toBeLessThan(4)
  })

  it('a cursor for another query or from another server is 400 invalidCursor', async () => {
    const { send } = serve({ users: make() })
    await fill(send)
    const { body } = await send('GET', '/Users?cursor=&count=2')
    for (const query of [`cursor=${body.nextCursor}&filter=title eq "x"`, 'cursor=other']) {
      const answer = await send('GET', `/Users?${query}`)
      expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidCursor'])
    }
  })

  it('cursor pages are advertised (RFC 9865 §4)', async () => {
    const { body } = await serve({ users: make() }).send('GET', '/ServiceProviderConfig')
    expect(body.pagination).toMatchObject({ cursor: true, index: true })
  })
})

it('a cursor search over a store without paging is 400 tooMany beyond limits.candidates', async () => {
  const users = storeThat((all) => ({ resources: all }))
  const { send } = serve({ users, limits: { candidates: 6 } })
  await fill(send)
  for (const search of ['sortBy=userName', 'filter=title pr']) {
    const { status, body } = await send('GET', `/Users?cursor=&${search}`)
    expect([status, body.scimType]).toEqual([400, 'tooMany'])
  }
  // All resources in the order of their ids are not a search.
  expect((await send('GET', '/Users?cursor=&count=2')).body.totalResults).toBe(NAMES.length)
})

it('a store that changes whether it pages ends a cursor with 400 invalidCursor', async () => {
  let isPaging = true
  const users = storeThat((all, request) => ({
    resources: isPaging ? takePage(all, request) : all,
    ...(isPaging ? { totalResults: all.length, applied: ['page'] } : {}),
  }))
  const { send } = serve({ users })
  await fill(send)
  for (const _ of [true, false]) {
    const { body } = await send('GET', '/Users?cursor=&count=2')
    isPaging = !isPaging
    const answer = await send('GET', `/Users?cursor=${body.nextCursor}&count=2`)
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidCursor'])
  }
})

it.each([0, -1, 1.5, 'x', null, 2 ** 60])(
  'a cursor with the index %j is 400 invalidCursor',
  async (key) => {
    const { send } = serve({ users: byIndex() })
    await fill(send)
    const { body } = await send('GET', '/Users?cursor=&count=2')
    const written = JSON.parse(atob(body.nextCursor.replaceAll('-', '+').replaceAll('_', '/')))
    const cursor = btoa(JSON.stringify({ ...written, key })).replace(/=+$/, '')
    const answer = await send('GET', `/Users?cursor=${encodeURIComponent(cursor)}`)
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidCursor'])
  },
)
