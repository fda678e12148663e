/**
 * Sends requests over 32 connections, as fast as they are answered, and prints how long they took. It
 * writes to sockets: the client of `node:http` sends fewer requests than a bare server can answer.
 */
import { connect } from 'node:net'
import { personId, personOf } from '../../../apps/directory/src/seed/people.ts'
import { SEED } from './seeded.ts'

/** The requests to send. */
export interface Load {
  readonly port: number
  readonly kind: keyof typeof PATHS
  readonly token: string
  /** The number of users in the database. */
  readonly users: number
  readonly requests: number
}

/** The measurements. */
export interface Loaded {
  readonly milliseconds: number
  /** The length of the last body, in bytes. */
  readonly size: number
}

const CONNECTIONS = 32

const PATHS = {
  'read by id': (number: number) => `/scim/v2/Users/${personId(number, SEED)}`,
  'match by userName': (number: number) => {
    const filter = `userName eq "${personOf(number, SEED).resource.userName}"`
    return `/scim/v2/Users?filter=${encodeURIComponent(filter)}`
  },
}

async function load({ port, kind, token, users, requests }: Load): Promise<Loaded> {
  // The requests are created before the clock starts.
  const paths = Array.from({ length: 1_000 }, (_, at) => PATHS[kind]((at * 7_919_333) % users))
  const end = ` HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  let sent = 0
  let size = 0
  const next = (): string | null => {
    if (sent === requests) return null
    sent += 1
    return `GET ${paths[sent % paths.length]}${end}`
  }
  const take = (bytes: number): void => {
    size = bytes
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(port, next, take)))
  return { milliseconds: performance.now() - started, size }
}

/** One connection: sends the next request after each response, until all are sent. */
function converse(
  port: number,
  next: () => string | null,
  take: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const ask = (): void => {
      const request = next()
      if (request === null) socket.end()
      else socket.write(request)
    }
    socket.setEncoding('latin1')
    socket.on('connect', ask)
    socket.on('data', (chunk) => {
      answer += chunk
      const end = answer.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = /^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1]
      if (!answer.startsWith('HTTP/1.1 200 ') || length === undefined) {
        socket.destroy(new Error(`answered with ${answer}`))
      } else if (answer.length - end - 4 === Number(length)) {
        take(Number(length))
        answer = ''
        ask()
      }
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}

process.on('message', (message) => {
  load(message as Load).then((loaded) => process.send?.(loaded))
})
