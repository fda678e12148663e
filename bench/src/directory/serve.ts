import { createServer, type RequestListener, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'

/** Serves with `node:http` alone, and sends the port to the parent process. */
export function serveBare(listener: RequestListener): void {
  announce(createServer(listener))
}

/** Serves a `fetch` handler on the directory's HTTP layer, and sends the port to the parent process. */
export function serveFetch(fetch: (request: Request) => Promise<Response>): void {
  announce(createAdaptorServer({ fetch, createServer }) as Server)
}

function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    process.send?.(Object(server.address()).port)
  })
}
