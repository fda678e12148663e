import { join } from 'node:path'
import { GROUP_SCHEMA, LIST_RESPONSE_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { describe, expect, it } from 'vitest'
import { exportResources } from '../../../src/commands/export.ts'
import { fill } from '../../../src/commands/seed/fill.ts'
import { download } from '../../../src/features/imports/download.ts'
import { importResources } from '../../../src/features/imports/import.ts'
import { jsonLinesSource } from '../../../src/features/imports/json-lines.ts'
import { createReport } from '../../../src/features/imports/report.ts'
import type { RemoteServer } from '../../../src/features/imports/request-server.ts'
import { type Client, connect } from '../../support/harness.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'
import { OTHER_TYPES } from '../../support/types.ts'

const { folder, storeOf } = useSqliteStore()
const URL_OF_SERVER = 'http://localhost/scim/v2'

async function imported({ tenantId }: Client, server: Omit<RemoteServer, 'url' | 'sleep'>) {
  const file = join(folder, crypto.randomUUID())
  const waits: number[] = []
  const reported: string[] = []
  let names: readonly string[] = []
  const report = createReport(
    (text) => reported.push(text),
    (line) => names[line - 1] ?? '',
  )
  const remote = {
    ...server,
    url: URL_OF_SERVER,
    sleep: async (time: number) => void waits.push(time),
  }
  await importResources({
    store: storeOf(),
    tenantId,
    report,
    now: Date.now,
    open: async (types) => {
      const limits = { pages: 50, bytes: 2 ** 22 }
      names = await download({ server: remote, types, file, limits })
      return await jsonLinesSource(file)
    },
  })
  return { ...report.counts(), reported, waits }
}

/** The users with these ids as a list, from the wanted index on. Each has its place as its userName. */
function usersOf(
  url: URL,
  ids: readonly string[],
  {
    total = ids.length,
    name = '',
    more = '',
    isPage = false,
    isEndless = false,
  }: {
    total?: number
    name?: string
    more?: string
    /** Whether the ids are already those of the page. */
    isPage?: boolean
    isEndless?: boolean
  } = {},
): Response | null {
  if (!url.pathname.endsWith('/Users')) return null
  const from = isPage || isEndless ? 0 : Number(url.searchParams.get('startIndex')) - 1
  const Resources = ids.slice(from).map((id, at) => ({
    schemas: [USER_SCHEMA],
    ...(id === '' ? {} : { id }),
    userName: name === '' ? `user ${id} ${id === '1' ? at : 0}` : `${name} ${id}`,
    title: more,
  }))
  return Response.json({ schemas: [LIST_RESPONSE_SCHEMA], totalResults: total, Resources })
}

/** A list with a user that JSON.parse reads, and JSON.stringify does not write. */
const NESTED = `{"schemas":["${LIST_RESPONSE_SCHEMA}"],"totalResults":1,"Resources":[{"id":"1","schemas":["${USER_SCHEMA}"],"userName":"a","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`

const done = { existing: 0, rejected: 0, leftOut: 0, reported: [], waits: [] }

/** A server of another make: ids are numbers of each type, pages have three resources, and `meta` is missing. */
function createOther({ users = 7, answer = (_: URL): Response | null => null } = {}) {
  const requests: string[] = []
  const list: Record<string, readonly object[]> = {
    Users: Array.from({ length: users }, (_, at) => ({
      schemas: [USER_SCHEMA, 'urn:example:other'],
      id: String(at + 1),
      userName: `user-${at + 1}`,
      'urn:example:other': { desk: at },
    })),
    Groups: [
      {
        schemas: [GROUP_SCHEMA],
        id: '1',
        displayName: 'All',
        members: [{ value: '1', type: 'Group' }, { value: '2' }, { value: '99' }],
      },
    ],
  }
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    requests.push(url.pathname + url.search)
    if (request.headers.get('Authorization') !== 'Bearer whole-secret') {
      return Response.json({ detail: 'no' }, { status: 401 })
    }
    const own = answer(url)
    if (own !== null) return own
    const all = list[url.pathname.slice(URL_OF_SERVER.length - 'http://localhost'.length + 1)]
    if (all === undefined) return new Response('Not found', { status: 404 })
    const from = Number(url.searchParams.get('startIndex')) - 1
    const count = Math.min(3, Number(url.searchParams.get('count')))
    return Response.json({
      schemas: [LIST_RESPONSE_SCHEMA],
      totalResults: all.length,
      startIndex: from + 1,
      Resources: all.slice(from, from + count),
    })
  }
  return { fetch, token: 'whole-secret', requests }
}

describe('an import from a running server', () => {
  it('an import from the same make has the same ids, times and versions, by cursor', async () => {
    const source = await connect(storeOf())
    await fill(storeOf(), { tenantId: source.tenantId, users: 1_100, groups: 3, seed: 1 })
    const paths: string[] = []
    const fetch = (request: Request) => {
      paths.push(request.url)
      return source.directory.fetch(request)
    }
    const target = await connect(storeOf())
    const counts = await imported(target, { fetch, token: source.token })
    expect(counts).toEqual({ ...done, created: 1_103 })
    const cursors = (endpoint: string) =>
      paths.filter((path) => path.includes(`${endpoint}?`) && path.includes('cursor=')).length
    expect({ users: cursors('/Users'), groups: cursors('/Groups') }).toEqual({
      users: 3,
      groups: 1,
    })
    const [one, other] = [source, target].map(async ({ tenantId }) => {
      const lines: string[] = []
      const write = async (line: string) => void lines.push(line)
      await exportResources({ store: storeOf(), tenantId, base: '', now: Date.now, write })
      return lines.join('')
    })
    expect(await other).toBe(await one)
  })

  it('an import from another make has new ids, which the group members follow, by index', async () => {
    const client = await connect(storeOf())
    const { fetch, token, requests } = createOther()
    const counts = await imported(client, { fetch, token })
    expect(counts).toEqual({
      ...done,
      created: 8,
      leftOut: 1,
      reported: ['Group 1: the member 99 does not exist and was left out'],
    })
    expect(requests).toEqual([
      '/scim/v2/ServiceProviderConfig',
      '/scim/v2/Users?startIndex=1&count=500',
      '/scim/v2/Users?startIndex=4&count=500',
      '/scim/v2/Users?startIndex=7&count=500',
      '/scim/v2/Users?startIndex=8&count=500',
      '/scim/v2/Users?startIndex=1&count=1',
      '/scim/v2/Groups?startIndex=1&count=500',
      '/scim/v2/Groups?startIndex=2&count=500',
      '/scim/v2/Groups?startIndex=1&count=1',
      ...OTHER_TYPES.map(({ endpoint }) => `/scim/v2${endpoint}?startIndex=1&count=500`),
    ])
    const { body: users } = await client.send('GET', '/Users?filter=userName eq "user-2"')
    const { body: groups } = await client.send('GET', '/Groups')
    const group = groups.Resources?.[0]
    const values = Object(group).members.map(({ value }: never) => value)
    expect(values.sort()).toEqual([users.Resources?.[0]?.id, group?.id].sort())
    // A second import finds the same users and groups.
    expect(await imported(client, { fetch, token })).toMatchObject({ created: 0, existing: 8 })
  })

  it('an import waits while the server is busy, and as long as it wants', async () => {
    let answers = 0
    const { fetch, token } = createOther({
      answer: () => {
        answers += 1
        if (answers === 2) return new Response('', { status: 503 })
        return answers === 4
          ? new Response('', { status: 429, headers: { 'Retry-After': '7' } })
          : null
      },
    })
    const { created, waits } = await imported(await connect(storeOf()), { fetch, token })
    expect({ created, waits }).toEqual({ created: 8, waits: [1_000, 7_000] })
  })

  it('an import reads all pages from a server whose totalResults is the page length', async () => {
    const { fetch, token } = createOther({
      answer: (url) => {
        const ids = ['1', '2', '3', '4', '5', '6', '7']
        const from = Number(url.searchParams.get('startIndex'))
        const some = ids.slice(
          from - 1,
          from + Math.min(2, Number(url.searchParams.get('count')) - 1),
        )
        return usersOf(url, some, { isPage: true, total: some.length })
      },
    })
    const { created } = await imported(await connect(storeOf()), { fetch, token })
    expect(created).toBe(8)
  })

  it.each([
    ['sends all in each page', (url: URL) => usersOf(url, ['1', '2'], { isPage: true })],
    [
      'rejects a start after the last resource',
      (url: URL) =>
        url.search.includes('startIndex=3')
          ? Response.json({ status: '400' }, { status: 400 })
          : usersOf(url, ['1', '2']),
    ],
    [
      'sends a resource twice',
      (url: URL) => usersOf(url, ['1', '2', '2'], { name: 'same', total: 2 }),
    ],
    [
      'redirects within its origin',
      (url: URL) =>
        url.pathname.includes('/moved')
          ? usersOf(url, ['1', '2'])
          : new Response('', {
              status: 307,
              headers: { Location: `/moved${url.pathname}${url.search}` },
            }),
    ],
  ])('an import accepts a server that %s', async (_, answer) => {
    const client = await connect(storeOf())
    const { fetch, token } = createOther({
      answer: (url) => (url.pathname.endsWith('/Users') ? answer(url) : null),
    })
    expect(await imported(client, { fetch, token })).toMatchObject({ created: 3, rejected: 0 })
  })

  const page = (url: URL, id: string) =>
    url.pathname.endsWith('/Users')
      ? Response.json({
          schemas: [LIST_RESPONSE_SCHEMA],
          totalResults: 10,
          Resources: [{ schemas: [USER_SCHEMA], id, userName: id }],
        })
      : null
  it.each([
    ['repeats a page', (url: URL) => page(url, '1'), /Users\?.*: the server repeats a page$/],
    ['fails', () => new Response('', { status: 500 }), /Users\?.*: status 500$/],
    [
      'returns the token',
      () => Response.json({ detail: 'no user has the token whole-secret' }, { status: 400 }),
      /status 400, no user has the token \*\*\*$/,
    ],
    ['is always busy', () => new Response('', { status: 503 }), /Users\?.*: status 503$/],
    ['sends a page for people', () => new Response('<html>'), /the answer is not a SCIM list$/],
    ['sends an empty object', () => Response.json({}), /the answer is not a SCIM list$/],
    [
      'has more than its pages',
      (url: URL) => usersOf(url, ['1', '2'], { total: 3 }),
      /the server has 3 resources, but its pages have 2$/,
    ],
    [
      'sends a resource twice in place of another one',
      (url: URL) => usersOf(url, ['1', '2', '2'], { name: 'same', total: 3 }),
      /the server has 3 resources, but its pages have 2$/,
    ],
    [
      'changes during the download',
      (url: URL) =>
        usersOf(url, ['1', '2', '3', '4'], { total: url.search.includes('=1&') ? 9 : 8 }),
      /created or deleted during the download/,
    ],
    [
      'sends a resource without an id',
      (url: URL) => usersOf(url, ['1', '']),
      /the server sends a resource without an id$/,
    ],
    [
      'sends an id twice with other attributes',
      (url: URL) => usersOf(url, ['1', '2', '1']),
      /the server sends the id 1 twice, with other attributes$/,
    ],
    [
      'sends a deeply nested resource',
      (url: URL) => (url.pathname.endsWith('/Users') ? new Response(NESTED) : null),
      /: 1 is nested too deeply$/,
    ],
    [
      'redirects to another origin',
      () => new Response('', { status: 302, headers: { Location: 'https://evil.example/x' } }),
      /redirects to https:\/\/evil\.example\/x/,
    ],
    [
      'redirects in a circle',
      (url: URL) => new Response('', { status: 302, headers: { Location: url.href } }),
      /redirects more than 5 times$/,
    ],
    [
      'does not end',
      (url: URL) => usersOf(url, [url.searchParams.get('startIndex') ?? ''], { isEndless: true }),
      /the server sends more than 50 pages or 4 MiB$/,
    ],
    [
      'sends many bytes',
      (url: URL) => usersOf(url, ['1'], { more: 'x'.repeat(2 ** 22) }),
      /the server sends more than 50 pages or 4 MiB$/,
    ],
    ['does not have users', () => new Response('', { status: 404 }), /does not have any resource$/],
  ])('an import writes nothing if the server %s', async (_, answer, message) => {
    const client = await connect(storeOf())
    const { fetch, token } = createOther({ answer })
    await expect(imported(client, { fetch, token })).rejects.toThrow(message)
    expect((await client.send('GET', '/Users')).body.totalResults).toBe(0)
  })

  it('an import says that a server rejects the token, or does not answer', async () => {
    const client = await connect(storeOf())
    const { fetch } = createOther()
    await expect(imported(client, { fetch, token: 'wrong' })).rejects.toThrow(
      /the server rejects the token with 401$/,
    )
    const down = () => Promise.reject(new TypeError('fetch failed'))
    await expect(imported(client, { fetch: down, token: null })).rejects.toThrow(
      /the server does not answer$/,
    )
  })
})
