import { Agent, request as send } from 'node:http'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { listen } from './listening.cases.ts'

// The client is Node's own, which rejects what is not a response of HTTP.

/** An answer, and the way in which a program makes it. */
interface Given {
  readonly by: 'reply' | 'fetch'
  readonly kind: 'text' | 'bytes' | 'blob' | 'stream' | 'nothing'
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly status: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The size of a stream's chunks. */
  readonly chunk: number
  readonly headers: Readonly<Record<string, string>>
}

interface Received {
  readonly status: number | undefined
  readonly header: string | undefined
  readonly bytes: Buffer
}

const value = fc.stringMatching(/^[!-~\x80-\xff]([\t -~\x80-\xff]{0,20}[!-~\x80-\xff])?$/)
const length = fc.oneof(fc.nat({ max: 60 }).map(String), fc.constantFrom('', '-1', '5, 5', '1e3'))
const given: fc.Arbitrary<Given> = fc.record({
  by: fc.constantFrom('reply', 'fetch'),
  kind: fc.constantFrom('text', 'bytes', 'blob', 'stream', 'nothing'),
  method: fc.constantFrom('GET', 'HEAD', 'POST'),
  status: fc.constantFrom(200, 201, 204, 205, 304, 404, 500),
  // Text, so that each kind has the same bytes.
  bytes: fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .map((text) => new TextEncoder().encode(text.toWellFormed())),
  chunk: fc.integer({ min: 1, max: 10 }),
  headers: fc.record(
    {
      'X-A': value,
      'Content-Length': length,
      'Transfer-Encoding': fc.constantFrom('chunked', 'gzip', 'identity', 'gzip, chunked'),
      Connection: fc.constantFrom('close', 'keep-alive', 'upgrade', 'X-A', 'content-type, te'),
      'Keep-Alive': fc.constant('timeout=1, max=1'),
      Upgrade: fc.constant('websocket'),
      Trailer: fc.constant('X-A'),
    },
    { requiredKeys: [] },
  ),
})

const body = { 'application/octet-stream': z.file(), 'text/plain': z.string() }
const headers = Object.fromEntries(
  [
    'X-A',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'Trailer',
  ].map((name) => [name, { schema: z.string() }]),
)
const responses = { default: { description: 'Any', body, headers } }
const builder = createDocument({ info: { title: 'A', version: '1' }, defaults: {} }).add(
  defineOperation('read', 'GET /reply/:at', { summary: 'A', responses }),
  defineOperation('write', 'POST /reply/:at', { summary: 'A', responses }),
)

it('N requests on one connection get N answers with the right content', async () => {
  const write = vi.spyOn(console, 'error').mockReturnValue()
  let answers: readonly Given[] = []
  const answerOf = (at: string): Given => {
    const answer = answers[Number(at)]
    if (answer === undefined) throw new Error(`answer ${at} does not exist`)
    return answer
  }
  const reply = ({
    params,
    reply: make,
  }: {
    params: { at: string }
    reply: (...given: never) => never
  }) => {
    const answer = answerOf(params.at)
    const { status, headers } = answer
    const contentType = answer.kind === 'text' ? 'text/plain' : 'application/octet-stream'
    const content = contentOf(answer)
    return content === null
      ? new Response(null, { status, headers })
      : make(...([status, content, { contentType, headers }] as never))
  }
  const api = implement(builder, {
    handlers: { read: reply, write: reply } as never,
    onError: () => undefined,
  })
  const apis = await listen(api)
  const functions = await listen({
    fetch: ({ url }) => {
      const answer = answerOf(url.slice(url.lastIndexOf('/') + 1))
      return new Response(contentOf(answer), answer)
    },
  })
  const property = fc.asyncProperty(
    fc.array(given, { minLength: 1, maxLength: 6 }),
    async (all) => {
      answers = all
      for (const listening of [apis, functions]) {
        const by = listening === apis ? 'reply' : 'fetch'
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        for (const [at, answer] of all.entries()) {
          if (answer.by !== by) continue
          const received = await receive(`${listening.origin}/reply/${at}`, answer.method, agent)
          expectAnswer(answer, received)
        }
        agent.destroy()
      }
    },
  )
  try {
    await fc.assert(property, { numRuns: 150 })
  } finally {
    write.mockRestore()
  }
})

/** The content of an answer; null if its status excludes content. */
function contentOf({ kind, bytes, chunk, status }: Given): BodyInit | null {
  if (kind === 'nothing' || BODILESS.has(status)) return null
  if (kind === 'text') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (kind === 'bytes') return bytes
  if (kind === 'blob') return new Blob([bytes])
  let at = 0
  const pull = (controller: ReadableStreamDefaultController) => {
    if (at >= bytes.length) controller.close()
    else controller.enqueue(bytes.slice(at, at + chunk))
    at += chunk
  }
  return new ReadableStream({ pull })
}

function receive(url: string, method: string, agent: Agent): Promise<Received | null> {
  return new Promise((resolve) => {
    const outgoing = send(url, { method, agent }, async (incoming) => {
      const chunks: Buffer[] = []
      try {
        for await (const one of incoming) chunks.push(one)
        const header = incoming.headers['x-a']?.toString()
        resolve({ status: incoming.statusCode, header, bytes: Buffer.concat(chunks) })
      } catch {
        resolve(null)
      }
    })
    // The server aborts the connection of an answer whose length is wrong.
    outgoing.on('error', () => resolve(null))
    outgoing.end()
  })
}

function expectAnswer(answer: Given, received: Received | null): void {
  const { status, headers, method, kind, by } = answer
  const isNothing = kind === 'nothing' || BODILESS.has(status) || method === 'HEAD'
  const announced = headers['Content-Length'] ?? ''
  const isKnown = by === 'reply' && kind !== 'stream'
  // A length of 0 is not sent with a body.
  const isWrong = /^[1-9]\d*$/.test(announced) && Number(announced) !== answer.bytes.length
  if (isWrong && !isNothing && !isKnown) {
    expect(received).toBeNull()
    return
  }
  expect(received?.status).toBe(status)
  expect(received?.bytes.toString('hex')).toBe(
    isNothing ? '' : Buffer.from(answer.bytes).toString('hex'),
  )
  const isDropped = headers.Connection === 'X-A'
  expect(received?.header).toBe(isDropped ? undefined : headers['X-A'])
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])
