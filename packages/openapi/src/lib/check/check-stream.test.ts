import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { BodySpec } from '../spec/operation-spec.ts'
import { violationsOf } from './check.cases.ts'
import type { Violation } from './violation.ts'

function check(body: BodySpec | null, response: Response): Promise<readonly Violation[]> {
  return violationsOf({ responses: { 200: { description: '', ...(body && { body }) } } }, response)
}

/** A response with a stream, the number of chunks that were read, and whether the stream was cancelled. */
function streaming(
  pull: NonNullable<UnderlyingDefaultSource<Uint8Array>['pull']>,
  type = 'text/event-stream',
): { readonly response: Response; readonly seen: { pulled: number; cancelled: boolean } } {
  const seen = { pulled: 0, cancelled: false }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: (controller) => {
      seen.pulled += 1
      return pull(controller)
    },
    cancel: () => {
      seen.cancelled = true
    },
  }
  // Does not pull before the first read.
  const stream = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 })
  return { response: new Response(stream, { headers: { 'Content-Type': type } }), seen }
}

const piece = new TextEncoder().encode('data: x\n\n')
const endless = (type?: string) =>
  streaming((controller) => {
    controller.enqueue(piece)
  }, type)
const silent = (type?: string) => streaming(() => new Promise(() => undefined), type)

describe('an endless body', () => {
  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream;charset=utf-8'],
    ['text/*', 'text/event-stream'],
    ['*/*', 'text/event-stream'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['multipart/x-mixed-replace', 'multipart/x-mixed-replace'],
    ['video/mp4', 'video/mp4'],
  ])('a body declared as %s is not read', async (declared, type) => {
    for (const { response, seen } of [endless(type), silent(type)]) {
      expect(await check({ [declared]: z.never() }, response)).toEqual([])
      expect(response.bodyUsed).toBe(false)
      expect(seen.pulled).toBe(0)
    }
  })

  it('a body with an undeclared media type is not read', async () => {
    for (const { response, seen } of [endless(), silent()]) {
      const [violation] = await check(z.object({}), response)
      expect(violation?.kind).toBe('undocumented-media-type')
      expect(seen.pulled).toBe(0)
    }
  })

  it.each(['application/json', 'text/plain'])(
    'a %s body is cancelled after the time limit',
    async (type) => {
      vi.useFakeTimers()
      try {
        const busy = streaming((controller) => {
          vi.advanceTimersByTime(100)
          controller.enqueue(piece)
        }, type)
        const quiet = silent(type)
        for (const { response } of [busy, quiet]) {
          const checking = check({ [type]: z.unknown() }, response)
          await vi.advanceTimersByTimeAsync(10_000)
          const message = 'the body did not end in time, so it was not validated'
          expect(await checking).toMatchObject([{ kind: 'body-mismatch', pointer: '', message }])
          expect(response.bodyUsed).toBe(false)
          await response.body?.cancel()
        }
        expect([busy.seen.cancelled, quiet.seen.cancelled]).toEqual([true, true])
      } finally {
        vi.useRealTimers()
      }
    },
  )

  it('an undeclared body is a violation after the first chunk', async () => {
    const { response, seen } = endless('application/octet-stream')
    const [violation, ...others] = await check(null, response)
    expect(violation?.kind).toBe('undocumented-media-type')
    expect(others).toEqual([])
    expect(seen.pulled).toBeLessThan(5)
  })

  it('an undeclared body is a violation even if it never sends a byte', async () => {
    const [violation] = await check(null, silent().response)
    expect(violation?.kind).toBe('undocumented-media-type')
  })

  it('empty chunks are still a violation', async () => {
    const { response } = streaming((controller) => controller.enqueue(new Uint8Array(0)))
    const [violation] = await check(null, response)
    expect(violation?.kind).toBe('undocumented-media-type')
  })

  it('the body reaches the client unchanged', async () => {
    const { response } = endless('application/octet-stream')
    await check(null, response)
    const reader = response.body?.getReader()
    for (let count = 0; count < 3; count += 1) {
      expect(await reader?.read()).toEqual({ done: false, value: piece })
    }
    await reader?.cancel()
  })

  it('the client can cancel the body after the check has', async () => {
    for (const { response, seen } of [endless('text/csv'), silent('text/csv')]) {
      await check(null, response)
      expect(seen.cancelled).toBe(false)
      await response.body?.cancel()
      expect(seen.cancelled).toBe(true)
    }
  })
})

describe('an empty body', () => {
  it('a body may end late without a byte', async () => {
    const { response } = streaming(async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      controller.enqueue(new Uint8Array(0))
      controller.close()
    })
    expect(await check(null, response)).toEqual([])
  })
})

describe('a text body in chunks (WHATWG Encoding §6.2)', () => {
  it.each<[what: string, pieces: readonly (readonly number[])[], text: string]>([
    ['a character in two chunks is decoded once', [[0xc3], [0xa9]], 'é'],
    ['a character that is cut off is replaced', [[0x61, 0xc3]], 'a\uFFFD'],
  ])('in a text body, %s', async (_, pieces, text) => {
    const rest = [...pieces]
    const { response } = streaming((controller) => {
      const bytes = rest.shift()
      if (bytes === undefined) controller.close()
      else controller.enqueue(new Uint8Array(bytes))
    }, 'text/plain')
    expect(await check({ 'text/plain': z.literal(text) }, response)).toEqual([])
  })
})

describe('an unreadable body', () => {
  const broken = () =>
    streaming((controller) => controller.error(new Error('socket hang up')), 'application/json')

  it("an unreadable body is a violation at the body's root", async () => {
    const [violation, ...others] = await check(z.object({}), broken().response)
    expect(violation).toMatchObject({ kind: 'body-mismatch', pointer: '' })
    expect(violation?.message).toContain('socket hang up')
    expect(others).toEqual([])
  })

  it('an unreadable body is a violation if no body is declared', async () => {
    const [violation] = await check(null, broken().response)
    expect(violation?.kind).toBe('undocumented-media-type')
  })

  it('a body read earlier is a violation', async () => {
    const response = Response.json({})
    await response.text()
    const [violation] = await check(z.object({}), response)
    expect(violation).toMatchObject({ kind: 'body-mismatch', pointer: '' })
    const [undeclared] = await check(null, response)
    expect(undeclared?.kind).toBe('undocumented-media-type')
  })

  it('a body locked to another reader is a violation if no body is declared', async () => {
    const response = new Response('')
    response.body?.getReader()
    const [violation] = await check(null, response)
    expect(violation?.kind).toBe('undocumented-media-type')
  })
})

describe('a schema that throws', () => {
  it('a schema that throws is a body violation, never an exception', async () => {
    const schema = z.unknown().refine(() => {
      throw new Error('no connection')
    })
    const [violation] = await check(schema, Response.json({}))
    expect(violation).toMatchObject({ kind: 'body-mismatch', pointer: '' })
    expect(violation?.message).toContain('no connection')
  })

  it('a schema that overflows the stack is a violation too', async () => {
    interface Tree {
      readonly next?: Tree | undefined
    }
    const Tree: z.ZodType<Tree> = z.object({
      get next() {
        return Tree.optional()
      },
    })
    const depth = 100_000
    const deep = `${'{"next":'.repeat(depth)}{}${'}'.repeat(depth)}`
    const headers = { 'Content-Type': 'application/json' }
    const [violation] = await check(Tree, new Response(deep, { headers }))
    expect(violation).toMatchObject({ kind: 'body-mismatch', pointer: '' })
  })
})
