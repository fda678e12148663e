import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fetch } from './reference.ts'

/** A server on a port of its own. */
export interface Served extends AsyncDisposable {
  readonly server: Server
  readonly origin: string
}

/** Starts a server that is stopped at the end of its scope, with its connections. */
export async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Served> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // An address of a pipe is a string.
  const { port } = server.address() as AddressInfo
  return {
    server,
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers requests by a function, as if it was served at another origin. */
export function listenerOf(
  fetch: Fetch,
  origin: string,
): (request: IncomingMessage, response: ServerResponse) => void {
  return async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
    const body = chunks.length === 0 ? null : Buffer.concat(chunks)
    const { method = 'GET', url = '/' } = incoming
    const response = await fetch(new Request(`${origin}${url}`, { method, headers, body }))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  }
}
