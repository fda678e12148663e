import { describe, expect, it } from 'vitest'
import {
  type ListRequest,
  PreparedResource,
  type ResourceStore,
} from '../../src/lib/endpoint/options/store.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { RawJson } from '../../src/lib/message/raw-json.ts'
import { BASE, type Client, patchOf, serve, USER_DEFINITIONS } from './serve.ts'

const memory = memoryStore({ definitions: USER_DEFINITIONS })
const pieces = new PreparedResource({ body: ['{"id":"1",', '"userName":"a"}'], version: 'W/"7"' })
const raw = new PreparedResource({ body: new RawJson('{"id":"2"}'), version: 'W/"8"' })

describe('a prepared resource', () => {
  const users: ResourceStore<Client> = {
    ...memory,
    read: async (id) => (id === '1' ? pieces : raw),
    list: async () => ({
      resources: [pieces, raw],
      totalResults: 9,
      applied: ['filter', 'sort', 'page'],
    }),
  }

  it('a prepared resource is sent unchanged, with the tag and location', async () => {
    const { send } = serve({ users })
    const { body, headers } = await send('GET', '/Users/1')
    expect(body).toEqual({ id: '1', userName: 'a' })
    expect(headers.get('ETag')).toBe('W/"7"')
    expect(headers.get('Location')).toBe(`${BASE}/Users/1`)
    const same = await send('GET', '/Users/2', undefined, { 'If-None-Match': 'W/"8"' })
    expect(same.status).toBe(304)
  })

  it('a prepared resource is sent unchanged after PUT and PATCH, which say what the response needs', async () => {
    const views: boolean[] = []
    const replacing: ResourceStore<Client> = {
      ...memory,
      read: async () => ({ id: '1', userName: 'a' }),
      replace: async (_, __, ___, { view }) => {
        views.push(view.needs('title'))
        return pieces
      },
    }
    const { send } = serve({ users: replacing })
    for (const [method, query] of [
      ['PUT', ''],
      ['PATCH', '?attributes=userName'],
    ] as const) {
      const sent =
        method === 'PUT' ? { userName: 'b' } : patchOf({ op: 'add', path: 'title', value: 'b' })
      const { status, body, headers } = await send(method, `/Users/1${query}`, sent)
      expect({ status, body }).toEqual({ status: 200, body: { id: '1', userName: 'a' } })
      expect(headers.get('ETag')).toBe('W/"7"')
      expect(headers.get('Location')).toBe(`${BASE}/Users/1`)
    }
    expect(views).toEqual([true, false])
  })

  it('a prepared resource is sent unchanged in a list', async () => {
    const { send } = serve({ users })
    const { body } = await send('GET', '/Users?filter=title pr&sortBy=id')
    expect(body).toMatchObject({
      totalResults: 9,
      itemsPerPage: 2,
      Resources: [{ id: '1', userName: 'a' }, { id: '2' }],
    })
  })

  it('a prepared resource is left out if it makes the page too large, unless it is first (RFC 7644 §3.4.2.4)', async () => {
    const whole = '{"id":"1","userName":"a"}{"id":"2"}'.length
    const idsOf = async (page: number) =>
      (await serve({ users, limits: { page } }).send('GET', '/Users')).body.Resources.map(
        ({ id }) => id,
      )
    expect(await idsOf(whole)).toEqual(['1', '2'])
    expect(await idsOf(whole - 1)).toEqual(['1'])
    expect(await idsOf(1)).toEqual(['1'])
  })
})

describe('a store with cursors (RFC 9865)', () => {
  const requests: ListRequest[] = []
  const users: ResourceStore<Client> = {
    ...memory,
    cursors: { timeout: 3_600 },
    list: async (_, request) => {
      requests.push(request)
      const resources = [{ id: '1', userName: 'a' }]
      return {
        resources,
        nextCursor: 'n',
        previousCursor: 'p',
        applied: ['filter', 'sort', 'page'],
      }
    },
  }

  it('a store with cursors provides the page links', async () => {
    const { send } = serve({ users })
    const { body } = await send('GET', '/Users?cursor=x&count=1')
    expect(requests.at(-1)).toMatchObject({ cursor: 'x', count: 1 })
    expect(body).toMatchObject({ nextCursor: 'n', previousCursor: 'p', itemsPerPage: 1 })
    expect(body).not.toHaveProperty('startIndex')
  })

  it('the shortest cursor timeout is advertised', async () => {
    const groups = { ...memory, cursors: { timeout: 60 } }
    const both = await serve({ users, groups }).send('GET', '/ServiceProviderConfig')
    expect(both.body.pagination).toEqual({
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: 100,
      maxPageSize: 1_000,
      cursorTimeout: 60,
    })
  })
})
