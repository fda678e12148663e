import { describe, expect, it } from 'vitest'
import { ScimError } from '../../src/lib/error.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { type Client, patchOf, type ServeOptions, serve, USER_DEFINITIONS } from './serve.ts'

/** Serves with an option that a program in JavaScript sets, whose types do not exist at run time. */
function serveUntyped(options: object) {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  return { ...serve({ ...(options as ServeOptions), onError }), errors }
}

describe('authenticate lets only an object in', () => {
  it.each([false, 0, -0, 0n, Number.NaN, '', null, undefined])(
    'authenticate returning %o is 401, and nothing is created',
    async (returned) => {
      const users = memoryStore({ definitions: USER_DEFINITIONS })
      const { send, errors } = serveUntyped({ users, authenticate: async () => returned })
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? { userName: 'a' } : undefined
        const { status, headers } = await send(method, '/Users', body)
        expect({ status, challenge: headers.get('WWW-Authenticate') }).toEqual({
          status: 401,
          challenge: 'Bearer',
        })
      }
      expect(errors).toEqual([])
      expect((await serve({ users }).send('GET', '/Users')).body.totalResults).toBe(0)
    },
  )

  it.each<[string, unknown]>([
    ['a boolean', true],
    ['a number', 1],
    ['a number', Number.POSITIVE_INFINITY],
    ['a bigint', 1n],
    ['a string', 'Bearer secret'],
    ['a symbol', Symbol('client')],
    ['a function', () => ({})],
    ['a function', class {}],
    ['a list', []],
    ['a list', [{ tenant: 'a' }]],
    ['an Error', new Error('expired')],
    ['a Response', new Response(null, { status: 401 })],
  ])('authenticate returning %s is an internal error: %o', async (kind, returned) => {
    const users = memoryStore({ definitions: USER_DEFINITIONS })
    const { send, errors } = serveUntyped({ users, authenticate: async () => returned })
    for (const [method, path, body] of [
      ['GET', '/Users', undefined],
      ['POST', '/Users', { userName: 'a' }],
      ['GET', '/ServiceProviderConfig', undefined],
    ] as const) {
      expect((await send(method, path, body)).status).toBe(500)
    }
    expect(errors).toHaveLength(3)
    expect(errors[0]).toEqual(
      new TypeError(
        `authenticate must return an object that describes the client, or null, not ${kind}`,
      ),
    )
    expect((await serve({ users }).send('GET', '/Users')).body.totalResults).toBe(0)
  })

  it.each([{}, Object.create(null), new Map(), new (class Session {})()])(
    'authenticate may return any kind of object as a client: %o',
    async (returned) => {
      const { send } = serveUntyped({ authenticate: async () => returned })
      expect((await send('GET', '/Users')).status).toBe(200)
    },
  )

  it('40 concurrent requests without credentials are 401', async () => {
    const { send } = serveUntyped({
      authenticate: async ({ headers }: Request) =>
        headers.get('Authorization') === 'Bearer secret',
    })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => send('POST', '/Users', { userName: `u${at}` })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  })
})

describe('me.id returns a resource id or null (RFC 7644 §3.11)', () => {
  it.each([null, undefined, '', false])('me.id returning %j is 404', async (id) => {
    const { send, errors } = serveUntyped({ me: { id: () => id } })
    expect((await send('GET', '/Me')).status).toBe(404)
    expect((await send('PATCH', '/Me', patchOf({ op: 'remove', path: 'title' }))).status).toBe(404)
    expect(errors).toEqual([])
  })

  it.each<[string, unknown]>([
    ['a number', 1],
    ['a boolean', true],
    ['a list', ['1']],
    ['a promise', Promise.resolve('1')],
  ])('me.id returning %s is an internal error', async (kind, id) => {
    const { send, errors } = serveUntyped({ me: { id: () => id } })
    expect((await send('DELETE', '/Me')).status).toBe(500)
    expect(errors).toEqual([new TypeError(`me.id must return a string or null, not ${kind}`)])
  })
})

describe('a store error', () => {
  const users = {
    ...memoryStore({ definitions: USER_DEFINITIONS }),
    read: async () => Promise.reject(new Error('no database')),
  }
  it.each([
    undefined,
    null,
    true,
    409,
    '',
    {},
    { status: 200 },
    { status: 404, message: 'x' },
    new Error('other'),
    new ScimError(200, 'fine'),
    new ScimError(42, 'x'),
    new ScimError(Number.NaN, 'x'),
  ])('a store error stays an error if toScimError returns %o', async (translated) => {
    const { send, errors } = serveUntyped({ users, toScimError: () => translated })
    const { status, body } = await send('GET', '/Users/1')
    expect({ status, detail: body.detail }).toEqual({
      status: 500,
      detail: 'internal server error',
    })
    expect(errors).toEqual([new Error('no database')])
  })
})

describe('a transaction runs the work and returns the value', () => {
  const faults: [
    string,
    (context: Client, work: (context: unknown) => Promise<unknown>) => unknown,
  ][] = [
    ['does not run the work', async () => undefined],
    ['does not return a promise', () => undefined],
    ['does not return the value of the work', async (context, work) => void (await work(context))],
    ['returns another value', async (context, work) => ({ ...Object(await work(context)) })],
    ['does not wait for the work', async (context, work) => void work(context)],
    ['does not pass a context', async (_, work) => await work(undefined)],
    ['passes another value as the context', async (_, work) => await work('tx')],
  ]
  it.each(faults)('a write is an internal error if transaction %s', async (_, transaction) => {
    const memory = memoryStore({ definitions: USER_DEFINITIONS })
    const { body } = await serve({ users: memory }).send('POST', '/Users', { userName: 'a' })
    const { send, errors } = serveUntyped({ users: memory, transaction })
    expect((await send('POST', '/Users', { userName: 'b' })).status).toBe(500)
    expect((await send('PUT', `/Users/${body.id}`, { userName: 'c' })).status).toBe(500)
    expect((await send('DELETE', `/Users/${body.id}`)).status).toBe(500)
    expect(errors).toHaveLength(3)
    for (const error of errors) expect(String(error)).toContain('TypeError: transaction must ')
  })

  it('transaction may run the work again after a failure', async () => {
    let attempts = 0
    const { send } = serve({
      transaction: async (context, work) => {
        for (;;) {
          const value = await work(context)
          attempts += 1
          if (attempts > 2) return value
        }
      },
      users: {
        ...memoryStore({ definitions: USER_DEFINITIONS }),
        read: async (id) => ({ id, userName: 'a' }),
        delete: async () => true,
      },
    })
    expect((await send('DELETE', '/Users/1')).status).toBe(204)
    expect(attempts).toBe(3)
  })
})
