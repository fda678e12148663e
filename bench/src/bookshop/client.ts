/** Sends requests to a bookshop from a separate process, and reports how long they took. */
import { sendAll } from '../sockets.ts'
import type { Sent } from './contenders.ts'

/** The requests to send. */
export interface Load {
  readonly port: number
  readonly sent: Sent
  readonly requests: number
}

process.on('message', async (message) => {
  const { port, sent, requests } = message as Load
  const { method, path, headers = {}, body = '' } = sent
  const length = body === '' ? {} : { 'Content-Length': String(body.length) }
  const fields = { Host: `127.0.0.1:${port}`, ...headers, ...length }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
  process.send?.(await sendAll(port, requests, () => text))
})
