import { isFailure } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkResponse } from '../check/check-response.ts'
import { createConformanceRecorder } from '../check/recorder.ts'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { events } from '../stream/events.ts'
import { jsonLines } from '../stream/json-lines.ts'
import { createClient } from './client.ts'
import { ResponseError } from './response-error.ts'

const watch = defineOperation('watch', 'GET /watch', {
  summary: 'Watch',
  responses: { 200: { description: 'A', stream: events({ n: z.int(), message: z.string() }) } },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: { 200: { description: 'A', stream: jsonLines(z.int()) } },
})
const builder = createDocument({ info: { title: 'Jobs', version: '1' } }).add(watch, rows)

/** A response whose body is cut at every multiple of this size. */
function respond(bytes: Uint8Array, size: number, type: string): Response {
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  return new Response(body, { headers: { 'Content-Type': type } })
}

/** The events that a loop receives, and the error. */
async function iterate(name: 'watch' | 'rows', response: Response, check: boolean) {
  const fetch = async () => response
  const client = createClient({ watch, rows }, { baseUrl: 'http://h', fetch })
  const received: unknown[] = []
  try {
    for await (const part of client[name]({}, { check })) received.push(part)
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error
    received.push({ code: error.code, message: error.message })
  }
  return received
}

async function checked(request: Request, response: Response) {
  const result = await checkResponse(builder, request, response)
  return isFailure(result) ? result.error.violations : []
}

async function recorded(request: Request, response: Response) {
  const recorder = createConformanceRecorder(builder)
  await (await recorder.middleware({ request }, async () => response)).arrayBuffer()
  return { violations: recorder.violations(), uncovered: recorder.uncovered() }
}

const encode = (text: string) => new TextEncoder().encode(text)
const broken = [Uint8Array.of(0xe9, 10), Uint8Array.of(0xc3), encode('\r'), encode('\n')]
const FORMATS = [
  [
    'watch',
    'text/event-stream',
    [
      'event: n\ndata: 1\n\n',
      'id: é\nevent: n\ndata: {\r\n\r\n',
      'data: "x"\r\r',
      'event: n\ndata: 1.5\n\n',
    ],
  ],
  ['rows', 'application/jsonl', ['1\n', '{\n', '2\r\n', '"é"\n', '3\r', '1.5\n']],
] as const

describe.each(FORMATS)('%s as %s', (name, type, parts) => {
  const fragment = fc.constantFrom(...parts.map(encode), ...parts.map(encode), ...broken)
  const streams = fc
    .array(fragment, { maxLength: 8 })
    .map((all) => Uint8Array.from(all.flatMap((one) => [...one])))
  const request = new Request(`http://h/${name}`)

  it('a client, a check and a recorder see the same events and error, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.integer({ min: 1, max: 12 }), async (bytes, size) => {
        const whole = () => respond(bytes, bytes.length, type)
        const pieces = () => respond(bytes, size, type)
        for (const check of [false, true]) {
          const received = await iterate(name, pieces(), check)
          expect(received).toEqual(await iterate(name, whole(), check))
        }
        expect(await checked(request, pieces())).toEqual(await checked(request, whole()))
        expect(await recorded(request, pieces())).toEqual(await recorded(request, whole()))
      }),
    )
  })
})

it('checkResponse reads exactly one MiB from a stream, however the bytes are cut', async () => {
  const line = (value: string) => `${value.padStart(1_023)}\n`
  const bytes = encode(line('1').repeat(1_023) + line('"x"').repeat(3))
  const request = new Request('http://h/rows')
  for (const size of [bytes.length, 65_537, 4_097]) {
    const violations = await checked(request, respond(bytes, size, 'application/jsonl'))
    expect(violations, `pieces of ${size} bytes`).toMatchObject([{ event: 1_024 }])
  }
})
