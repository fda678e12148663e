import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createSender, defineWebhook, signWebhooks } from '../src/webhooks.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const bookSold = defineWebhook('bookSold', {
  summary: 'A book was sold',
  body: z.object({ title: z.string() }),
  responses: { '2XX': { description: 'Accepted' } },
})

/** The requests that receivers got. */
const received: { path: string; method: string; isValid: boolean }[] = []
const hanging = new AbortController()
const server = createServer((request, response) => void receive(request, response))
let origin = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

/** A receiver that only knows the text of the standard, with the status in its path. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: path = '', method = '', headers } = request
  received.push({ path, method, isValid: isValid(headers, await text(request)) })
  const [, status, location] = path.split('/')
  if (status === 'hang') return hanging.abort()
  if (status === 'endless') response.writeHead(200).write('ok')
  else response.writeHead(Number(status), location ? { Location: '/200' } : {}).end(bodyOf(status))
}

function bodyOf(status: string | undefined): string {
  return status === '204' ? '' : `{"status":${status}}`
}

/** Standard Webhooks, "Verifying signatures": the HMAC of the ID, the time and the body, joined by dots. */
function isValid(headers: IncomingMessage['headers'], body: string): boolean {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(content).digest()
  const signatures = String(headers['webhook-signature']).split(' ')
  return signatures.some((one) => {
    const [version, signature = ''] = one.split(',')
    const bytes = Buffer.from(signature, 'base64')
    return version === 'v1' && bytes.length === 32 && timingSafeEqual(bytes, expected)
  })
}

it.each<[path: string, outcome: string, status: number | null]>([
  ['/200', 'accepted', 200],
  ['/204', 'accepted', 204],
  ['/endless', 'accepted', 200],
  ['/301/moved', 'rejected', 301],
  ['/302/moved', 'rejected', 302],
  ['/307/moved', 'rejected', 307],
  ['/308/moved', 'rejected', 308],
  ['/400', 'rejected', 400],
  ['/410', 'rejected', 410],
  ['/429', 'rejected', 429],
  ['/503', 'rejected', 503],
  ['/hang', 'unanswered', null],
])('a receiver at %s gets one message, which is %s', async (path, outcome, status) => {
  received.length = 0
  const sender = createSender({ bookSold }, { sign: signWebhooks(SECRET) })
  const { signal } = hanging
  const delivery = await sender.bookSold(`${origin}${path}`, { title: 'Ünïcode 😀' }, { signal })
  expect(delivery).toMatchObject({ outcome, status })
  expect(received).toEqual([{ path, method: 'POST', isValid: true }])
})

it('40 messages to one receiver arrive once each', async () => {
  received.length = 0
  const sender = createSender({ bookSold }, { sign: signWebhooks(SECRET) })
  const sending = Array.from({ length: 40 }, (_, at) =>
    sender.bookSold(`${origin}/200`, { title: `${at}` }),
  )
  const deliveries = await Promise.all(sending)
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(40)
  expect(deliveries.every(({ outcome }) => outcome === 'accepted')).toBe(true)
  expect(received).toEqual(Array(40).fill({ path: '/200', method: 'POST', isValid: true }))
})
