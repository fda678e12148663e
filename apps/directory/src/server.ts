import { createServer, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Directory } from './app.ts'

/** A server that listens. */
export interface Listening {
  readonly origin: string
  /** Takes no more connections, and waits for the requests under way. */
  stop(): Promise<void>
}

/** Where a server listens, and how long it waits, in milliseconds. */
export interface ListenOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** When stopping, for clients; 8 seconds by default. */
  readonly grace?: number
  /** For all headers of a request; 10 seconds by default. */
  readonly headersTimeout?: number
  /** For a whole request, its body included; 30 seconds by default. */
  readonly requestTimeout?: number
  /** For anything to go either way, such as to a client that does not read; 2 minutes by default. */
  readonly idleTimeout?: number
}

/** Serves a directory over HTTP/1.1. Rejects when the address cannot be listened on. */
export async function listen(
  directory: Directory,
  {
    host,
    port,
    grace = 8_000,
    headersTimeout = 10_000,
    requestTimeout = 30_000,
    idleTimeout = 120_000,
  }: ListenOptions,
): Promise<Listening> {
  let stopping = false
  // A client that sends its headers or body drop by drop is cut off at the next look: 408.
  const connectionsCheckingInterval = Math.ceil(Math.min(headersTimeout, requestTimeout) / 4)
  const server = createAdaptorServer({
    fetch: answer,
    createServer,
    serverOptions: { headersTimeout, requestTimeout, connectionsCheckingInterval },
  }) as Server
  server.setTimeout(idleTimeout)
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
