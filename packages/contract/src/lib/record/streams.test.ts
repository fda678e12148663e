import { createDocument, defineOperation } from '@plumbline/openapi'
import { events, jsonLines } from '@plumbline/openapi/streams'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createContractRecorder } from './recorder.ts'

const stream = events({
  progress: z.object({ done: z.int(), note: z.string().optional() }),
  done: z.object({ title: z.string() }),
  token: z.string(),
})
const watch = defineOperation('watch', 'GET /watch', {
  summary: 'Watch',
  responses: { 200: { description: 'A', stream } },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: {
    200: { description: 'A', stream: jsonLines(z.object({ title: z.string().nullable() })) },
  },
})
const info = { title: 'Jobs', version: '1' }
const builderOf = (openapi: '3.1.1' | '3.2.0' = '3.1.1') =>
  createDocument({ info, openapi }).add(watch, rows)

const sse = (text: string | readonly string[], type = 'text/event-stream') => {
  const pieces = [text].flat().map((piece) => new TextEncoder().encode(piece))
  const body = new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
  })
  return new Response(body, { headers: { 'Content-Type': type } })
}

/** The items that a recorder counts for these answers, each read to its end. */
async function count(
  builder: ReturnType<typeof builderOf>,
  ...answers: [path: string, Response][]
): Promise<readonly string[]> {
  const recorder = createContractRecorder(builder)
  for (const [path, answer] of answers) {
    const request = new Request(`http://h${path}`)
    await (await recorder.middleware({ request }, async () => answer)).text()
  }
  const { operations } = recorder.report()
  return operations.flatMap(({ items }) => items).map(({ name, count }) => `${name}: ${count}`)
}

const good = 'event: progress\ndata: {"done":1}\n\n'
const bad = 'event: progress\ndata: {"done":"x"}\n\n'

describe.each(['3.1.1', '3.2.0'] as const)('stream events in OpenAPI %s', (version) => {
  it('events are coverage members, counted once per exchange', async () => {
    const lines = '{"title":null}\n'
    const counted = await count(
      builderOf(version),
      ['/watch', sse(good + good)],
      ['/rows', sse(lines, 'application/x-ndjson')],
    )
    expect(counted).toEqual([
      '200: 1',
      '200 event:progress: 1',
      '200 event:progress /note: 0',
      '200 event:progress /note absent: 1',
      '200 event:done: 0',
      '200 event:token: 0',
      '200: 1',
      '200 line: 1',
      '200 line /title: 0',
      '200 line /title null: 1',
    ])
  })
})

it('valid events count although another one breaks the contract, wherever the bytes are cut', async () => {
  const text = good + bad + good
  const whole = await count(builderOf(), ['/watch', sse(text)])
  expect(whole).toContain('200 event:progress: 1')
  expect(await count(builderOf(), ['/watch', sse([...text])])).toEqual(whole)
})
