import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createRequestListener } from '@plumbline/openapi/node'

/** A request to a bookshop. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A running bookshop. */
export interface Started {
  /** Sends a request without a socket. */
  readonly send: (sent: Sent) => Promise<Answered>
  /** Listens on a free port, and returns the port. */
  readonly listen: () => Promise<number>
  /** The OpenAPI document the program describes itself with. */
  readonly document: unknown
}

export interface Contender {
  readonly name: string
  /** The program, relative to the repository's root. */
  readonly file: string
  readonly start: () => Promise<Started>
}

export const CONTENDERS: readonly Contender[] = [
  {
    name: '@plumbline/openapi/server',
    file: 'examples/openapi/bookshop.ts',
    start: async () => {
      const { bookshop, builder } = await import('../../../examples/openapi/bookshop.ts')
      const built = builder.build()
      return {
        ...startFetch(bookshop.fetch, 'data' in built ? built.data : null),
        listen: () => listen(createServer(createRequestListener(bookshop))),
      }
    },
  },
  {
    name: '@hono/zod-openapi',
    file: 'bench/src/bookshop/programs/hono-zod-openapi.ts',
    start: async () => {
      const { app, document } = await import('./programs/hono-zod-openapi.ts')
      return startFetch((request) => app.fetch(request), document)
    },
  },
  {
    name: 'hono-openapi',
    file: 'bench/src/bookshop/programs/hono-openapi.ts',
    start: async () => {
      const { app, document } = await import('./programs/hono-openapi.ts')
      return startFetch((request) => app.fetch(request), document)
    },
  },
  {
    name: 'oRPC',
    file: 'bench/src/bookshop/programs/orpc.ts',
    start: async () => {
      const { fetch, document } = await import('./programs/orpc.ts')
      return startFetch(fetch, document)
    },
  },
  {
    name: 'Fastify with its zod provider',
    file: 'bench/src/bookshop/programs/fastify.ts',
    start: startFastify,
  },
]

/** A bookshop with a `fetch` handler. Hono's adapter serves it over HTTP. */
export function startFetch(
  fetch: (request: Request) => Response | Promise<Response>,
  document: unknown,
): Started {
  return {
    document,
    send: async ({ method, path, headers = {}, body }) => {
      const content = body === undefined ? {} : { body }
      const request = new Request(`http://localhost${path}`, { method, headers, ...content })
      const response = await fetch(request)
      return {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }
    },
    listen: () => listen(createServer(getRequestListener(fetch))),
  }
}

/** Listens on a free port, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function startFastify(): Promise<Started> {
  const { app, document } = await import('./programs/fastify.ts')
  return {
    document,
    send: async ({ method, path, headers = {}, body }) => {
      const payload = body === undefined ? {} : { payload: body }
      // `inject` accepts every method, but the type allows only some.
      const answer = await app.inject({ method: method as 'GET', url: path, headers, ...payload })
      const entries = Object.entries(answer.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      return { status: answer.statusCode, headers: new Headers(entries), text: answer.payload }
    },
    listen: async () => {
      await app.listen({ port: 0, host: '127.0.0.1' })
      return (app.server.address() as AddressInfo).port
    },
  }
}
