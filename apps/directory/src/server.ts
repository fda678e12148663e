import { createServer, type IncomingMessage, type Server } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import type { Directory } from './app.ts'
import { MINUTE } from './kernel/durations.ts'
import { isMalformed } from './kernel/sockets/malformed-request.ts'
import { createPipelines } from './kernel/sockets/pipelines.ts'

/** A listening server. */
export interface Listening {
  readonly origin: string
  /** Stops accepting connections, and answers requests already sent. */
  stop(): Promise<void>
}

/** How long (ms) a stopping server waits for open requests. */
export const GRACE = 8_000

/** A server's address, and its time limits in milliseconds. */
export interface ListenOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** For open requests while the server stops; defaults to 8 seconds. */
  readonly grace?: number
  /** For all request headers; defaults to 10 seconds. */
  readonly headersTimeout?: number
  /** For a whole request, including the body; defaults to 30 seconds. */
  readonly requestTimeout?: number
  /** For a connection without traffic, such as a client not reading; defaults to 2 minutes. */
  readonly idleTimeout?: number
  /** Other connections are closed; defaults to 10,000. Idle ones occupy about 20 KB each. */
  readonly maxConnections?: number
  /** Called when connections are closed because there are too many, at most once a minute. */
  readonly onFull?: (maxConnections: number) => void
}

/** Serves a directory over HTTP/1.1. Rejects if the address cannot be used. */
export async function listen(
  directory: Pick<Directory, 'fetch'> & Partial<Directory>,
  { host, port, grace = GRACE, ...limits }: ListenOptions,
): Promise<Listening> {
  let stopping = false
  const server = createLimitedServer(limits, answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  async function answer(
    request: Request,
    { incoming }: HttpBindings | Http2Bindings,
  ): Promise<Response> {
    if (isMalformed(incoming)) return new Response(null, { status: 400 })
    const response = await directory.fetch(request, {
      origin: originOf(incoming, host),
      address: incoming.socket.remoteAddress,
    })
    // Otherwise a client's open connection would keep the server running.
    if (stopping) response.headers.set('Connection', 'close')
    return response
  }
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    origin: originAt(host, actual),
    stop: async () => {
      stopping = true
      directory.endStreams?.()
      await requestsRead()
      await closed(server, grace)
    },
  }
}

/** Creates a server that limits the time for a request, and the number of connections. It does not listen yet. */
function createLimitedServer(
  {
    headersTimeout = 10_000,
    requestTimeout = 30_000,
    idleTimeout = 120_000,
    maxConnections = 10_000,
    onFull = () => undefined,
  }: Omit<ListenOptions, 'host' | 'port' | 'grace'>,
  answer: (request: Request, bindings: HttpBindings | Http2Bindings) => Promise<Response>,
): Server {
  // A client sending its headers or body too slowly gets a 408 at the next check.
  // Connections that were opened together are closed together, so few of them may expire between two checks.
  const connectionsCheckingInterval = 100
  const pipelines = createPipelines()
  const server = createAdaptorServer({
    fetch: (request, bindings) =>
      pipelines.answer(bindings.incoming.socket, () => answer(request, bindings)),
    createServer,
    // RFC 9112 §3.2: HTTP/1.0 does not require a Host header.
    hostname: 'localhost',
    serverOptions: {
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval,
      // Otherwise Node keeps only the first of several Host headers.
      joinDuplicateHeaders: true,
      highWaterMark: MAX_BUFFERED,
      ServerResponse: pipelines.reading.ServerResponse,
    },
  }) as Server
  pipelines.reading.follow(server)
  server.setTimeout(idleTimeout)
  server.maxConnections = maxConnections
  server.on(
    'drop',
    atMostEvery(MINUTE, () => onFull(maxConnections)),
  )
  return server
}

/** Creates a function that runs work, but not again within this time in milliseconds. */
function atMostEvery(interval: number, work: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - last < interval) return
    last = performance.now()
    work()
  }
}

/** Waits until the server has read requests already sent: closing a connection resets them. */
async function requestsRead(): Promise<void> {
  await setTimeout(DRAIN)
  // One turn accepts the waiting connections, and the next one reads from them.
  for (let turn = 0; turn < 3; turn += 1) await setImmediate()
}

/** Stops accepting connections, and waits for the open requests. */
function closed(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    // Cuts off clients that have sent nothing, or half a request.
    const timer = globalThis.setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Returns the origin where the server received a request. A Host header is trusted if it names the loopback or the host
 * the server listens on: any other could direct a client to a foreign server. Otherwise the origin is the connection's
 * address.
 */
function originOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  host: string,
): string {
  const { localAddress = host, localPort = 80 } = socket
  const named = headers.host?.toLowerCase() ?? ''
  const listening = originAt(host.toLowerCase(), localPort)
  if (LOOPBACK.test(named) || `http://${named}` === listening) return `http://${named}`
  // An IPv4 address on an IPv6 socket (RFC 4291 §2.5.5.2).
  return originAt(localAddress.replace(/^::ffff:(?=[\d.]+$)/, ''), localPort)
}

function originAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/
/** How many bytes of a connection may be read before they are used, and written before they are sent. */
const MAX_BUFFERED = 16 * 1024
/** How long (ms) requests may take to arrive if they were sent before the server stops. */
const DRAIN = 100
