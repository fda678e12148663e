import { defineProblems } from '@plumbline/problem'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { events } from '../stream/events.ts'
import { jsonLines } from '../stream/json-lines.ts'
import type { Answer } from './answer.ts'
import { implement } from './implement.ts'
import type { HandlersOf, ServerOptions } from './types.ts'

const problems = defineProblems('https://example.com/problems/', {
  internal: { slug: 'internal', status: 500, title: 'Internal error' },
})
const Failure = z.object({ title: z.string(), status: z.int() })
const stream = events({
  progress: z.object({ done: z.int() }),
  message: z.string(),
})
const watch = defineOperation('watch', 'GET /watch', {
  summary: 'Watch',
  responses: { 200: { description: 'A', stream }, 404: { description: 'B' } },
})
const guarded = defineOperation('guarded', 'GET /guarded', {
  summary: 'Watch',
  responses: {
    200: {
      description: 'A',
      stream: events({ progress: z.object({ done: z.int() }), error: Failure }),
    },
  },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: {
    200: {
      description: 'A',
      body: z.object({ total: z.int() }),
      stream: jsonLines(z.object({ title: z.string() })),
    },
  },
})
const builder = createDocument({
  info: { title: 'Jobs', version: '1' },
  problems,
  defaults: { internal: 'internal' },
}).add(watch, guarded, rows)
type Handlers = HandlersOf<typeof builder>

const none: Handlers = {
  watch: async function* () {},
  guarded: async function* () {},
  rows: async function* () {},
}
const serve = (handlers: Partial<Handlers>, options: ServerOptions = {}) => {
  const api = implement(builder, { handlers: { ...none, ...handlers }, ...options })
  return (path: string, init?: RequestInit) => api.fetch(new Request(`http://h${path}`, init))
}
const silent = { onError: () => undefined }
const textOf = (chunk: { readonly value?: Uint8Array | undefined } | undefined) =>
  new TextDecoder().decode(chunk?.value)

describe('an event stream (WHATWG HTML §9.2.5)', () => {
  it("the stream writes each event's fields, and several data lines", async () => {
    const fetch = serve({
      watch: async function* () {
        yield { event: 'progress', data: { done: 1 }, id: '7', retry: 500 }
        yield { event: 'message', data: 'a\nb\r\nc\rd\n' }
        yield { event: 'message', data: '' }
      },
    })
    const response = await fetch('/watch')
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    expect(response.headers.get('Cache-Control')).toBe('no-cache')
    expect(await response.text()).toBe(
      'event: progress\nid: 7\nretry: 500\ndata: {"done":1}\n\n' +
        'data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n' +
        'data: \n\n',
    )
  })

  it('a stream may be sent with reply, a status and headers, or not at all', async () => {
    const fetch = serve({
      watch: async ({ reply, request }) => {
        if (request.headers.has('X-None')) return reply(404)
        return reply(200, once(), { headers: { 'X-Accel-Buffering': 'no' } })
      },
    })
    const response = await fetch('/watch')
    expect(response.headers.get('X-Accel-Buffering')).toBe('no')
    expect(await response.text()).toBe('event: progress\ndata: {"done":1}\n\n')
    const refused = await fetch('/watch', { headers: { 'X-None': '1' } })
    expect([refused.status, refused.body]).toEqual([404, null])
  })
  async function* once() {
    yield { event: 'progress', data: { done: 1 } } as const
  }

  it.each([
    [null, null],
    ['7', '7'],
    ['\xc3\xa9', 'é'],
    ['\xe9', '\xe9'],
  ])('a handler receives the Last-Event-ID %s as %s (§9.2.4)', async (sent, received) => {
    let seen: string | null = ''
    const fetch = serve({
      watch: async function* ({ lastEventId }) {
        seen = lastEventId
        yield* once()
      },
    })
    await fetch('/watch', sent === null ? {} : { headers: { 'Last-Event-ID': sent } }).then(
      (response) => response.text(),
    )
    expect(seen).toBe(received)
  })

  it('HEAD does not start the stream', async () => {
    let isStarted = false
    const fetch = serve({
      watch: async function* () {
        isStarted = true
        yield* once()
      },
    })
    const response = await fetch('/watch', { method: 'HEAD' })
    expect([response.status, response.body, isStarted]).toEqual([200, null, false])
  })
})

describe('JSON lines', () => {
  it('JSON lines are sent as application/jsonl, next to a body with another media type', async () => {
    const fetch = serve({
      rows: async ({ reply, request }) =>
        request.headers.has('X-Total')
          ? reply(200, { total: 2 })
          : (async function* () {
              yield { title: 'A\nB' }
              yield { title: 'C' }
            })(),
    })
    const response = await fetch('/rows')
    expect(response.headers.get('Content-Type')).toBe('application/jsonl')
    expect(await response.text()).toBe('{"title":"A\\nB"}\n{"title":"C"}\n')
    const accept = { Accept: 'application/jsonl', 'X-Total': '1' }
    expect(await (await fetch('/rows', { headers: accept })).json()).toEqual({ total: 2 })
  })
})

describe('a slow or absent client', () => {
  it('a slow client makes the generator wait', async () => {
    let taken = 0
    const fetch = serve({
      watch: async function* () {
        for (;;) {
          taken += 1
          yield { event: 'progress', data: { done: taken } }
        }
      },
    })
    const reader = (await fetch('/watch')).body?.getReader()
    expect(taken).toBe(0)
    await reader?.read()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(taken).toBe(2)
    await reader?.cancel()
  })

  const waiting = () => {
    let end = (_: unknown): void => undefined
    const ended = new Promise<unknown>((resolve) => {
      end = resolve
    })
    const watch: Handlers['watch'] = async function* ({ signal }) {
      try {
        yield { event: 'progress', data: { done: 1 } }
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      } finally {
        end(signal.aborted)
      }
    }
    return { watch, ended }
  }

  it('cancelling the body ends a generator waiting for the signal', async () => {
    const { watch, ended } = waiting()
    const onError = vi.fn()
    const reader = (await serve({ watch }, { onError })('/watch')).body?.getReader()
    await reader?.read()
    void reader?.read()
    await reader?.cancel()
    expect(await ended).toBe(true)
    expect(onError).not.toHaveBeenCalled()
  })

  it('aborting the request ends the generator and the body', async () => {
    const { watch, ended } = waiting()
    const onError = vi.fn()
    const client = new AbortController()
    const response = await serve({ watch }, { onError })('/watch', { signal: client.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    client.abort()
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
    expect(await ended).toBe(true)
    expect(onError).not.toHaveBeenCalled()
  })

  it('an abort does not hide an error thrown while the generator ends', async () => {
    const onError = vi.fn()
    const fetch = serve(
      {
        watch: async function* () {
          try {
            yield { event: 'progress', data: { done: 1 } }
          } finally {
            // biome-ignore lint/correctness/noUnsafeFinally: the error of a clean-up
            throw new Error('not closed')
          }
        },
      },
      { onError },
    )
    const reader = (await fetch('/watch')).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce())
  })
})

describe('a generator exception', () => {
  const failing = async function* () {
    yield { event: 'progress', data: { done: 1 } } as const
    throw new Error('no connection')
  }

  it('the exception aborts the connection after the last whole event, and is reported', async () => {
    const onError = vi.fn()
    const reader = (await serve({ watch: failing }, { onError })('/watch')).body?.getReader()
    expect(textOf(await reader?.read())).toBe('event: progress\ndata: {"done":1}\n\n')
    await expect(reader?.read()).rejects.toThrow('no connection')
    expect(onError).toHaveBeenCalledOnce()
  })

  it('the exception is sent as the event error, if the stream declares it', async () => {
    const text = await (await serve({ guarded: failing }, silent)('/guarded')).text()
    expect(text).toBe(
      'event: progress\ndata: {"done":1}\n\nevent: error\ndata: ' +
        '{"type":"https://example.com/problems/internal","title":"Internal error","status":500}\n\n',
    )
  })

  it('the connection is aborted if the error event does not accept the problem', async () => {
    const onError = () => new Response('{}', { status: 500 }) as Answer
    const reader = (await serve({ guarded: failing }, { onError })('/guarded')).body?.getReader()
    await reader?.read()
    await expect(reader?.read()).rejects.toThrow('no connection')
  })

  it.each<[what: string, part: unknown]>([
    ['an undeclared event', { event: 'other', data: 1 }],
    ['data that JSON cannot represent', { event: 'progress', data: undefined }],
    ['an id with a line break', { event: 'progress', data: {}, id: 'a\nevent: other' }],
    ['an id with a control character', { event: 'progress', data: {}, id: 'a\x01' }],
    ['an id with half of a surrogate pair', { event: 'progress', data: {}, id: '\ud83d' }],
    ['an id that a header would trim', { event: 'progress', data: {}, id: 'a ' }],
    ['an id of 300 KB', { event: 'progress', data: {}, id: 'x'.repeat(300_000) }],
    ['a retry that is not a number', { event: 'progress', data: {}, retry: '1\n' }],
    ['a retry beyond what a timer can hold', { event: 'progress', data: {}, retry: 2 ** 31 }],
    ['no event', null],
  ])('%s aborts the connection, and ends the generator', async (_, part) => {
    let isEnded = false
    const watch = async function* () {
      try {
        yield part
      } finally {
        isEnded = true
      }
    } as Handlers['watch']
    await expect((await serve({ watch }, silent)('/watch')).text()).rejects.toThrow(TypeError)
    expect(isEnded).toBe(true)
  })
})

describe('checkResponses', () => {
  const broken = async function* () {
    yield { event: 'progress', data: { done: 1 } } as const
    yield { event: 'progress', data: { done: 'x' as unknown as number } } as const
    yield { event: 'progress', data: { done: 3 } } as const
  }
  const violation = {
    kind: 'event-mismatch',
    operationId: 'watch',
    event: 2,
    pointer: '/done',
    message: 'Invalid input: expected number, received string',
  }

  it('the option report sends events against the contract, and reports them', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const onViolation = vi.fn(async (_: readonly unknown[]) => {
      throw new Error('the log is full')
    })
    const fetch = serve({ watch: broken }, { checkResponses: 'report', onViolation })
    expect(await (await fetch('/watch')).text()).toContain('{"done":"x"}')
    const printed = [['onViolation failed:', new Error('the log is full')]]
    await vi.waitFor(() => expect(print.mock.calls).toEqual(printed))
    print.mockRestore()
    expect(onViolation.mock.calls.map(([violations]) => violations)).toEqual([[violation]])
  })

  it('the option throw ends the stream before such an event', async () => {
    const fetch = serve({ watch: broken }, { checkResponses: 'throw', ...silent })
    const reader = (await fetch('/watch')).body?.getReader()
    expect(textOf(await reader?.read())).toBe('event: progress\ndata: {"done":1}\n\n')
    await expect(reader?.read()).rejects.toThrow('event-mismatch at event 2, /done')
  })
})

it.each(['', 'a\nb'])('an event cannot be named %j', (name) => {
  expect(() => events({ [name]: z.string() })).toThrow(TypeError)
})
