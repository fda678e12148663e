import { connect } from 'node:net'

/** A load's measurements. */
export interface Loaded {
  readonly milliseconds: number
  /** The last body's length, in bytes. */
  readonly size: number
  /** The latency (ms) that 99 % of the requests do not exceed. */
  readonly p99: number
}

const CONNECTIONS = 32

/**
 * Sends requests over 32 connections, as fast as they are answered with 200. It writes to sockets: the `node:http`
 * client sends fewer requests than a bare server can answer. `textOf` returns one request's text.
 */
export async function sendAll(
  port: number,
  requests: number,
  textOf: (at: number) => string,
): Promise<Loaded> {
  let sent = 0
  let size = 0
  const latencies: number[] = []
  const next = (): string | null => {
    if (sent === requests) return null
    sent += 1
    return textOf(sent)
  }
  const take = (bytes: number, latency: number): void => {
    size = bytes
    latencies.push(latency)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(port, next, take)))
  const milliseconds = performance.now() - started
  latencies.sort((a, b) => a - b)
  return { milliseconds, size, p99: latencies[Math.floor(0.99 * (latencies.length - 1))] ?? 0 }
}

/** One connection: sends the next request after each response, until all are sent. */
function converse(
  port: number,
  next: () => string | null,
  take: (bytes: number, latency: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    let startedAt = 0
    let isDone = false
    const ask = (): void => {
      const request = next()
      if (request === null) {
        isDone = true
        socket.end()
      } else {
        startedAt = performance.now()
        socket.write(request)
      }
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
        take(Number(length), performance.now() - startedAt)
        answer = ''
        ask()
      }
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (isDone) resolve()
      else reject(new Error('the server has closed the connection'))
    })
  })
}
