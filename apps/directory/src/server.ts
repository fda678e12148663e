import { createServer, type IncomingMessage, type Server } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import type { Directory } from './app.ts'

/** A server that listens. */
export interface Listening {
  readonly origin: string
  /** Accepts no more connections, and answers the requests that were sent before. */
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
  async function answer(
    request: Request,
    { incoming }: HttpBindings | Http2Bindings,
  ): Promise<Response> {
    const response = await directory.fetch(request, { origin: originOf(incoming, host) })
    // A client that keeps its connection would keep the server as well.
    if (stopping) response.headers.set('Connection', 'close')
    return response
  }
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    origin: originAt(host, actual),
    stop: async () => {
      stopping = true
      await requestsRead()
      await closed(server, grace)
    },
  }
}

/** Waits until the requests are read that clients had sent before: to close a connection resets them. */
async function requestsRead(): Promise<void> {
  await setTimeout(DRAIN)
  // A turn accepts the connections that wait, and the next one reads from them.
  for (let turn = 0; turn < 3; turn += 1) await setImmediate()
}

/** Accepts no more connections, and waits for the requests that are being answered. */
function closed(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    // A client that has sent nothing, or half of a request, is not waited for any longer than that.
    const timer = globalThis.setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * The origin by which a request reached the server. A Host header is believed if it is the loopback, or
 * the host that the server listens on: any other could lead who follows a location elsewhere. Then it
 * is the address of the connection.
 */
function originOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  host: string,
): string {
  const { localAddress = host, localPort = 80 } = socket
  const named = headers.host?.toLowerCase() ?? ''
  const listening = originAt(host.toLowerCase(), localPort)
  if (LOOPBACK.test(named) || `http://${named}` === listening) return `http://${named}`
  // An IPv4 address on a socket of IPv6 (RFC 4291 §2.5.5.2).
  return originAt(localAddress.replace(/^::ffff:(?=[\d.]+$)/, ''), localPort)
}

function originAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/
/** How long requests that were sent before the server was told to stop may be on their way, in milliseconds. */
const DRAIN = 100
