import { isFailure, type Result, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import type { Check } from './check.ts'
import type { ExaminationError } from './examination-error.ts'
import { type ExamineOptions, examine } from './examine.ts'
import type { Fetch } from './http/transport.ts'
import type { JsonObject } from './json.ts'
import type { Report } from './report.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** A server with a user, and what a test changes in its answers. */
function createUsers(answer: (request: Request, usual: () => Promise<Response>) => unknown) {
  const users = new Map<string, JsonObject>([['1', { id: '1', userName: 'real@example.com' }]])
  const usual = async ({ method, url }: Request, text: string): Promise<Response> => {
    const { pathname, searchParams } = new URL(url)
    const id = pathname.split('/')[4]
    if (!pathname.includes('/Users')) return Response.json({ schemas: [USER] })
    if (method === 'POST') {
      const user = { ...JSON.parse(text), id: String(users.size + 1) }
      users.set(user.id, user)
      return Response.json(user, { status: 201 })
    }
    if (id === undefined) {
      const prefix = /sw "(.*)"/.exec(searchParams.get('filter') ?? '')?.[1] ?? ''
      const found = [...users.values()].filter((one) => String(one.userName).startsWith(prefix))
      return Response.json({ totalResults: found.length, Resources: found })
    }
    const user = users.get(id)
    if (method === 'DELETE') users.delete(id)
    return user ? Response.json(user) : Response.json({}, { status: 404 })
  }
  const fetch: Fetch = async (request) => {
    const text = await request.clone().text()
    const response = await answer(request, () => usual(request, text))
    return response instanceof Response ? response : usual(request, text)
  }
  return { users, fetch }
}

const CREATE: Check = {
  id: 'probe.create',
  section: 'RFC 7644 §3.3',
  level: 'MUST',
  title: 'probe',
  advice: 'Probe.',
  run: async ({ create }) => {
    await create('User')
  },
}

const run = (
  fetch: Fetch,
  options: ExamineOptions = {},
): Promise<Result<Report, ExaminationError>> =>
  examine(fetch, { checks: [CREATE], limits: { timeout: 50 }, ...options })

const isPost = ({ method, url }: Request): boolean => method === 'POST' && !url.endsWith('.search')

describe('resources created during an examination', () => {
  it.each<[string, Parameters<typeof createUsers>[0]]>([
    [
      'the response is late',
      async (request, usual) => {
        if (!isPost(request)) return
        await usual()
        return new Promise(() => undefined)
      },
    ],
    [
      'the connection breaks',
      async (request, usual) => {
        if (!isPost(request)) return
        await usual()
        throw new TypeError('fetch failed')
      },
    ],
    [
      'the server creates the user after the response was awaited',
      async (request, usual) => {
        if (!isPost(request)) return
        setTimeout(() => void usual(), 60)
        throw new TypeError('fetch failed')
      },
    ],
    [
      'the response is a 500',
      async (request, usual) => {
        if (!isPost(request)) return
        await usual()
        return new Response(null, { status: 500 })
      },
    ],
    [
      'the response has neither a body nor a Location',
      async (request, usual) => {
        if (!isPost(request)) return
        await usual()
        return new Response(null, { status: 201 })
      },
    ],
    [
      'the server does not filter',
      async (request, usual) => {
        if (request.url.includes('filter=')) return Response.json({}, { status: 400 })
        if (!isPost(request)) return
        await usual()
        return new Response(null, { status: 201 })
      },
    ],
    [
      'the server rejects the filter, with a total of 0',
      async (request, usual) => {
        if (request.url.includes('filter=')) {
          return Response.json({ totalResults: 0 }, { status: 400 })
        }
        if (!isPost(request)) return
        await usual()
        return new Response(null, { status: 201 })
      },
    ],
  ])('created resources are found with the marker and deleted if %s', async (_, answer) => {
    const { users, fetch } = createUsers(answer)
    expect(unwrap(await run(fetch)).left).toStrictEqual([])
    expect([...users.keys()]).toStrictEqual(['1'])
  })

  it("a created resource is not deleted if the server returns another resource's id", async () => {
    const { users, fetch } = createUsers(async (request) =>
      isPost(request) ? Response.json({ id: '1' }, { status: 201 }) : undefined,
    )
    const { left } = unwrap(await run(fetch))
    expect([...users.keys()]).toStrictEqual(['1'])
    expect(left).toStrictEqual(['https://scim.example/scim/v2/Users/1'])
  })

  it('a resource created with PUT is deleted', async () => {
    const { users, fetch } = createUsers(async (request) => {
      if (request.method !== 'PUT') return
      users.set('9', { id: '9', ...(await request.json()) })
      return Response.json(users.get('9'), { status: 201 })
    })
    const checks: Check[] = [
      {
        ...CREATE,
        run: async ({ put, sample }) => {
          await put('/Users/9', sample('User'))
        },
      },
    ]
    expect(unwrap(await run(fetch, { checks })).left).toStrictEqual([])
    expect([...users.keys()]).toStrictEqual(['1'])
  })

  it('created resources are reported with the collection if it cannot be searched', async () => {
    const { fetch } = createUsers(async (request) => {
      if (isPost(request)) return new Response(null, { status: 500 })
      return request.url.includes('count=100') ? Response.json({}, { status: 500 }) : undefined
    })
    const { left } = unwrap(await run(fetch))
    expect(left).toStrictEqual(['https://scim.example/scim/v2/Users'])
  })

  it('created resources are reported with the error ending the examination', async () => {
    const abort = new AbortController()
    const { fetch } = createUsers(async (request) => {
      if (isPost(request)) abort.abort()
      return request.method === 'DELETE' ? new Response(null, { status: 403 }) : undefined
    })
    const checks: Check[] = [
      {
        ...CREATE,
        run: async ({ create, get }) => {
          const { path } = await create('User')
          await get(path)
        },
      },
    ]
    const result = await run(fetch, { checks, signal: abort.signal })
    expect(isFailure(result) && [result.error.code, result.error.left]).toStrictEqual([
      'interrupted',
      ['https://scim.example/scim/v2/Users/2'],
    ])
  })
})

describe('before the first write request', () => {
  it('the population is confirmed, and the answer false ends the examination', async () => {
    const { users, fetch } = createUsers(() => undefined)
    const confirmed: unknown[] = []
    const confirm = (population: unknown): boolean => {
      confirmed.push(population)
      return false
    }
    const result = await run(fetch, { confirm })
    expect(isFailure(result) && result.error.code).toBe('not-confirmed')
    expect(confirmed).toStrictEqual([{ type: 'User', count: 1 }])
    expect(users.size).toBe(1)
  })

  it('the question is omitted if the server is empty, or if no check writes', async () => {
    const { users, fetch } = createUsers(() => undefined)
    const confirm = (): boolean => false
    const read: Check = { ...CREATE, run: async ({ get }) => void (await get('/Users')) }
    expect(isFailure(await run(fetch, { checks: [read], confirm }))).toBe(false)
    users.clear()
    expect(isFailure(await run(fetch, { confirm }))).toBe(false)
  })
})

describe('a server that stores no more resources', () => {
  it.each([507, 403, 500])('a full server ends the examination: %i', async (status) => {
    let count = 0
    const { users, fetch } = createUsers((request) => {
      if (isPost(request)) count += 1
      return isPost(request) && count > 2 ? Response.json({}, { status }) : undefined
    })
    const many: Check['run'] = async ({ create }) => {
      for (let n = 0; n < 5; n += 1) await create('User')
    }
    const checks = ['a', 'b', 'c', 'd'].map((id) => ({ ...CREATE, id: `probe.${id}`, run: many }))
    const result = await run(fetch, { checks })
    expect(isFailure(result) && result.error.code).toBe('full')
    expect([...users.keys()]).toStrictEqual(['1'])
  })
})

it("the examination continues if the server rejects only some users' values", async () => {
  const { fetch } = createUsers(async (request) => {
    if (!isPost(request)) return
    const { title } = await request.clone().json()
    return title === undefined ? undefined : Response.json({}, { status: 400 })
  })
  const titled: Check['run'] = async ({ create }) => {
    await create('User', { title: 'x' })
  }
  const checks = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({
    ...CREATE,
    id: `probe.${n}`,
    run: n === 1 ? CREATE.run : titled,
  }))
  const { outcomes } = unwrap(await run(fetch, { checks }))
  expect(outcomes.filter(({ status }) => status === 'blocked')).toHaveLength(7)
})

it('a wrong token is rejected, even if the discovery documents do not need one', async () => {
  const { fetch } = createUsers(({ url }) =>
    url.includes('/Users') ? Response.json({}, { status: 401 }) : undefined,
  )
  const result = await run(fetch)
  expect(isFailure(result) && result.error.code).toBe('unauthorized')
})
