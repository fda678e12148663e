import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Directory } from './app.ts'

/** A server that listens. */
export interface Listening {
  readonly origin: string
  /** Takes no more requests, and waits for those under way. */
  stop(): Promise<void>
}

/** Serves a directory over HTTP/1.1. Rejects when the address cannot be listened on. */
export async function listen(
  directory: Directory,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  // Without TLS and HTTP/2 options the adaptor makes a server of node:http.
  const server = createAdaptorServer({ fetch: (request) => directory.fetch(request) }) as Server
  // A client that sends its headers or body drop by drop is cut off.
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}
