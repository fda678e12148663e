import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parseRun, type Replay, replay } from '../../src/index.ts'
import { differences } from '../../src/lib/replay/differences.ts'
import { BASE, createReference, TOKEN } from '../reference.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const create = {
  name: 'create',
  request: { method: 'POST', path: '/Users', body: { schemas: [USER], userName: 'a' } },
  expect: { status: 201, body: { userName: 'a', password: null } },
  save: { user: '/id' },
}

const runOf = (...steps: readonly object[]) => unwrap(parseRun({ source: 'by hand', steps }))

describe('a replayed run', () => {
  const played = async (...steps: readonly object[]): Promise<Replay> =>
    unwrap(await replay(createReference(), runOf(...steps), { base: BASE, token: TOKEN }))

  it("a replayed run has the server's answers, with values from earlier ones", async () => {
    const { steps, left } = await played(create, {
      name: 'read',
      request: { method: 'GET', path: '/Users/{{user}}' },
      expect: {
        status: 200,
        body: { id: '{{user}}', meta: { location: '{{base}}/Users/{{user}}' } },
        headers: { 'Content-Type': 'application/scim+json' },
      },
    })
    expect(steps.map(({ status }) => status)).toEqual(['same', 'same'])
    expect(left).toEqual([])
  })

  it.each<[string, object, RegExp]>([
    ['another status', { status: 201 }, /^the status is 200, not 201: \{/],
    ['another value', { status: 200, body: { totalResults: 3 } }, /\/totalResults is 1, not 3/],
    [
      'a member that must be absent',
      { status: 200, body: { totalResults: null } },
      /must be absent/,
    ],
    [
      'another header',
      { status: 200, headers: { etag: '"2"' } },
      /the header etag is null, not "2"/,
    ],
  ])('a replayed run reports %s', async (_, wanted, difference) => {
    const request = { method: 'GET', path: '/Users' }
    const { steps } = await played({ name: 'look', request, expect: wanted })
    expect(steps).toMatchObject([{ name: 'look', status: 'different' }])
    expect(steps[0]?.differences[0]).toMatch(difference)
  })

  it('a step is skipped if an earlier answer did not have its value', async () => {
    const rejected = { ...create, request: { ...create.request, body: {} } }
    const later = { name: 'later', request: { method: 'GET', path: '/Users/{{user}}' } }
    const { steps } = await played(rejected, { ...later, expect: { status: 200 } })
    expect(steps).toMatchObject([
      { status: 'different' },
      { status: 'skipped', differences: ['no earlier answer has a value for user'] },
    ])
  })

  it('a replayed run deletes what it created, even through bulk requests, and nothing else', async () => {
    const server = createReference()
    const send = async (method: string, path: string, body: object | null = null) => {
      const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/scim+json' }
      const text = body && JSON.stringify(body)
      return await server(new Request(`${BASE}${path}`, { method, headers, body: text }))
    }
    const bulk = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'b', data: { schemas: [USER], userName: 'b' } },
      ],
    }
    const steps = [
      create,
      {
        name: 'bulk',
        request: { method: 'POST', path: '/Bulk', body: bulk },
        expect: { status: 200 },
      },
    ]
    unwrap(await replay(server, runOf(...steps), { base: BASE, token: TOKEN }))
    const { Resources } = await (await send('GET', '/Users')).json()
    expect(Resources).toMatchObject([{ userName: 'admin@example.com' }])
  })

  it('no DELETE is sent to a location at another origin, which is named', async () => {
    const location = 'https://other.example/Users/1'
    const methods: string[] = []
    const bulk = async ({ method }: Request) => {
      methods.push(method)
      return Response.json({ Operations: [{ method: 'POST', status: '201', location }] })
    }
    const request = { method: 'POST', path: '/Bulk', body: {} }
    const step = { name: 'bulk', request, expect: { status: 200 } }
    const { left } = unwrap(await replay(bulk, runOf(step), { base: BASE, token: TOKEN }))
    expect([methods, left]).toEqual([['POST'], [location]])
  })

  it('a replayed run names resources it could not delete', async () => {
    const server = createReference()
    const stubborn = async (request: Request) =>
      request.method === 'DELETE' ? new Response(null, { status: 403 }) : await server(request)
    const { left } = unwrap(await replay(stubborn, runOf(create), { base: BASE, token: TOKEN }))
    expect(left).toEqual([expect.stringMatching(/^https:\/\/scim\.example\/scim\/v2\/Users\//)])
  })

  it('a replayed run does not contain the token, and is not faster than the rate', async () => {
    const times: number[] = []
    const echo = async () => {
      times.push(performance.now())
      return Response.json({ echo: TOKEN })
    }
    const expected = { status: 200, body: { echo: null } }
    const look = { request: { method: 'GET', path: '/Users' }, expect: expected }
    const run = runOf(...['a', 'b', 'c'].map((name) => ({ ...look, name })))
    const options = { base: BASE, token: TOKEN, limits: { rate: 50 } }
    const replayed = unwrap(await replay(echo, run, options))
    expect(JSON.stringify(replayed)).not.toContain(TOKEN)
    expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(35)
  })

  it('a replayed run fails without an answer, and deletes what it created before', async () => {
    const server = createReference()
    const deleted: string[] = []
    const breaking = async (request: Request) => {
      if (request.method === 'DELETE') deleted.push(new URL(request.url).pathname)
      if (request.method === 'GET') throw new TypeError('the connection broke')
      return await server(request)
    }
    const look = {
      name: 'look',
      request: { method: 'GET', path: '/Users' },
      expect: { status: 200 },
    }
    const result = await replay(breaking, runOf(create, look), { base: BASE, token: TOKEN })
    expect(isFailure(result) && result.error.code).toBe('unreachable')
    expect(deleted).toHaveLength(1)
  })

  it('a replayed run asks before it writes to a server with resources', async () => {
    const asked: unknown[] = []
    const server = createReference()
    const options = { base: BASE, token: TOKEN }
    const confirm = (population: unknown) => {
      asked.push(population)
      return false
    }
    const result = await replay(server, runOf(create), { ...options, confirm })
    expect(isFailure(result) && result.error.code).toBe('not-confirmed')
    expect(asked).toEqual([{ type: 'User', count: 1 }])
  })
})

describe('a run', () => {
  const { request, expect: expected } = create
  it.each<[string, unknown, string]>([
    ['no object', [], 'source'],
    ['no source', { steps: [create] }, 'source'],
    ['no steps', { source: 'a', steps: [] }, 'steps'],
    ['a step without a name', { request, expect: expected }, 'steps[0].name'],
    [
      'another method',
      { ...create, request: { ...request, method: 'TRACE' } },
      'steps[0].request.method',
    ],
    [
      'a whole URL',
      { ...create, request: { ...request, path: 'https://x' } },
      'steps[0].request.path',
    ],
    [
      'a header that is a number',
      { ...create, request: { ...request, headers: { a: 1 } } },
      'steps[0].request.headers',
    ],
    ['no status', { ...create, expect: {} }, 'steps[0].expect.status'],
    ['a pointer without a slash', { ...create, save: { user: 'id' } }, 'steps[0].save'],
  ])('a run with %s is rejected, and the error names the member', (_, given, member) => {
    const isStep = typeof given === 'object' && given !== null && 'request' in given
    const result = parseRun(isStep ? { source: 'a', steps: [given] } : given)
    expect(isFailure(result) && result.error.message).toContain(`${member} of the run must be`)
  })
})

describe('JSON differences', () => {
  it.each([
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: null }],
    [
      [{ a: 1 }, { a: 2 }],
      [{ a: 2 }, { a: 1 }],
    ],
  ])('%j and %j do not differ', (actual, expected) => {
    expect(differences(actual, expected)).toEqual([])
  })

  it.each([
    [{ a: 1 }, { a: '1' }],
    [undefined, { a: 1 }],
    [[1, 2], [1]],
    [
      [1, 1],
      [1, 2],
    ],
    [{ a: 1 }, [1]],
    [{ a: false }, { a: null }],
  ])('%j and %j differ', (actual, expected) => {
    expect(differences(actual, expected)).toHaveLength(1)
  })
})
