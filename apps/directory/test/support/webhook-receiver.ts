import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Lease } from '../../src/features/webhooks/lease.ts'
import type { Body } from './harness.ts'

/** A message as a receiver got it. */
export interface ReceivedMessage {
  readonly id: string
  readonly method: string
  readonly headers: Headers
  readonly text: string
  /** Undefined if it is not JSON. */
  readonly body: Body
}

/** Answers a message. */
export type AnswerMessage = (message: ReceivedMessage, response: ServerResponse) => unknown

/** Starts a receiver on this machine, which collects the messages that it accepts. */
export async function startReceiver(answer: AnswerMessage) {
  const accepted: ReceivedMessage[] = []
  const server = createServer(async (request, response) => {
    const message = await readMessage(request)
    response.once('finish', () => {
      if (response.statusCode < 300) accepted.push(message)
    })
    answer(message, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { accepted, port, url: `http://127.0.0.1:${port}/hooks`, close }
}

/** A lease that is not shared with other tests. */
export const OWN_LEASE: Lease = {
  renew: async () => true,
  isHeld: () => true,
  release: async () => undefined,
}

async function readMessage(request: IncomingMessage): Promise<ReceivedMessage> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const headers = new Headers(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const isJson = headers.get('content-type') === 'application/json'
  const facts = { id: headers.get('webhook-id') ?? '', method: request.method ?? '' }
  return { ...facts, headers, text, body: isJson ? JSON.parse(text) : undefined }
}
