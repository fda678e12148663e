import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Directory } from './app.ts'

/** A server that listens. */
export interface Listening {
  readonly origin: string
  /** Takes no more connections, and waits for the requests under way. */
  stop(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** How long a stopping server waits for clients, in milliseconds; 8 seconds by default. */
  readonly grace?: number
}

/** Serves a directory over HTTP/1.1. Rejects when the address cannot be listened on. */
export async function listen(
  directory: Directory,
  { host, port, grace = 8_000 }: ListenOptions,
): Promise<Listening> {
  let stopping = false
  // Without TLS and HTTP/2 options the adaptor makes a server of node:http.
  const server = createAdaptorServer({ fetch: answer }) as Server
  // A client that sends its headers or body drop by drop is cut off.
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  async function answer(request: Request): Promise<Response> {
    const response = await directory.fetch(request)
    // A client that keeps its connection would keep the server as well.
    if (stopping) response.headers.set('Connection', 'close')
    return response
  }
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    stop: () =>
      new Promise((resolve) => {
        stopping = true
        // Who has sent nothing, or half of a request, is not waited for any longer than that.
        const timer = setTimeout(() => server.closeAllConnections(), grace)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}
