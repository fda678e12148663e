import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Makes a server parse a connection's requests only as fast as it answers them. */
export interface PacedReading {
  /** The server's `ServerResponse` option: it counts the answers, including those Node writes itself. */
  readonly ServerResponse: typeof ServerResponse
  /** Follows the connections of a server. It must not listen yet. */
  follow(server: Server): void
}

/**
 * Creates the reading of a server with such responses. While a request is unanswered, what follows it stays in the
 * socket, and then with the client. Node itself parses all requests of a chunk of 64 KiB, and each of them occupies about
 * 5 KB until it is answered.
 */
export function createPacedReading(nextTurn: () => Promise<void>): PacedReading {
  const connections = new WeakMap<object, Connection>()
  return {
    ServerResponse: class extends ServerResponse {
      constructor(incoming: IncomingMessage, options?: object) {
        // Node passes options the types do not declare.
        super(...([incoming, options] as unknown as [IncomingMessage]))
        connections.get(incoming.socket)?.opened(incoming, this)
      }
    } as typeof ServerResponse,
    follow: (server) => {
      server.on('connection', (socket: Socket) => {
        connections.set(socket, paceConnection(socket, nextTurn))
      })
    },
  }
}

interface Connection {
  opened(incoming: IncomingMessage, outgoing: ServerResponse): void
}

function paceConnection(socket: Socket, nextTurn: () => Promise<void>): Connection {
  let unanswered = 0
  let newest: IncomingMessage | null = null
  /** The least number of bytes that are missing in the newest request. */
  let missing = 0
  let isWaiting = false

  const mayParse = (): boolean => {
    // Then the client does not read its answers, and Node's parser does not accept data.
    if (socket.writableNeedDrain || isPausedByNode(socket)) return false
    if (newest === null || newest.complete) return unanswered === 0
    return unanswered <= 1 && newest.readableLength < newest.readableHighWaterMark
  }
  const parse = (): void => {
    for (let count = 0; count < PIECES_IN_TURN && mayParse(); count += 1) {
      const length = Math.min(Math.max(missing, PIECE), socket.readableLength)
      missing -= length
      // Node's parser gets the bytes through the event `data`.
      if (length === 0 || socket.read(length) === null) break
    }
    // Without anything to read, this finds out whether the client has closed the connection.
    if (socket.readableLength === 0) socket.read()
    else if (mayParse()) parseLater()
  }
  const parseLater = (): void => {
    if (isWaiting || socket.readableLength === 0) return
    isWaiting = true
    void nextTurn().then(() => {
      isWaiting = false
      parse()
    })
  }
  socket.on('readable', parse)
  socket.on('drain', parseLater)
  // Node resumes the socket when a part of a body was read.
  socket.on('resume', parse)
  return {
    opened: (incoming, outgoing) => {
      unanswered += 1
      newest = incoming
      missing = Number(incoming.headers['content-length'] ?? 0) - PIECE
      outgoing.once('close', () => {
        unanswered -= 1
        parseLater()
      })
    },
  }
}

/** Data for a paused parser is an uncaught exception in Node. */
function isPausedByNode(socket: Socket): boolean {
  return Reflect.get(socket, '_paused') === true
}

/** How many bytes are parsed together: at most 11 requests, and the head of one request is a few pieces. */
const PIECE = 256
const PIECES_IN_TURN = 64
