import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Served } from '@plumbline/base'
import { onTestFinished } from 'vitest'
import { createRequestListener } from './request-listener.ts'

/** A server on a free port, until the test ends. */
export interface Listening {
  readonly origin: string
  readonly server: Server
  /** Sends text and returns what the server sends until it closes the connection. */
  readonly converse: (text: string) => Promise<string>
}

/** Serves on a free port, behind a middleware that calls the listener. */
export async function listen(
  served: Served,
  middleware: (incoming: IncomingMessage, next: () => void, outgoing: ServerResponse) => unknown = (
    _,
    next,
  ) => next(),
): Promise<Listening> {
  const listener = createRequestListener(served)
  const server = createServer((incoming, outgoing) => {
    void middleware(incoming, () => listener(incoming, outgoing), outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const converse = async (sent: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
    })
    socket.write(sent, 'latin1')
    await once(socket, 'close')
    return received
  }
  return { origin: `http://127.0.0.1:${port}`, server, converse }
}

/** A request as text, of which nothing follows. */
export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: a.example', 'Connection: close', ...headers, '', body].join(
    '\r\n',
  )
}
