import { connect, type Socket } from 'node:net'

/** Requests that an attacker sends over some connections without waiting for the answers. */
export interface Flood {
  /** The number of requests on all connections. */
  readonly requests: number
  readonly connections: number
  /** One request. */
  readonly text: string
  /** Whether the attacker reads the answers. */
  readonly isRead: boolean
}

/** A flood that has begun. */
export interface Flooding {
  /** Resolves when all connections are closed: the attacker closes them when it has read their answers. */
  readonly ended: Promise<unknown>
  /** The number of answers so far. */
  answers(): number
  stop(): void
}

/** Opens the connections, and sends all their requests immediately. */
export function flood(origin: string, { requests, connections, text, isRead }: Flood): Flooding {
  const { hostname, port } = new URL(origin)
  const each = Math.ceil(requests / connections)
  const sent = text.repeat(each)
  let answers = 0
  const sockets: Socket[] = []
  const send = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(sent))
      sockets.push(socket)
      let own = 0
      const count = (chunk: Buffer): void => {
        const found = chunk.toString('latin1').split('HTTP/1.1 ').length - 1
        own += found
        answers += found
        if (own >= each) socket.destroy()
      }
      if (isRead) socket.on('data', count)
      else socket.pause()
      socket.on('error', () => undefined).on('close', () => resolve())
    })
  return {
    ended: Promise.all(Array.from({ length: connections }, send)),
    answers: () => answers,
    stop: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
