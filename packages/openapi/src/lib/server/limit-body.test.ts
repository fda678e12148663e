import { describe, expect, it } from 'vitest'
import { type Limited, limitBody as limitAny } from './limit-body.ts'

const MEBIBYTE = 1024 * 1024

const limitBody = async (request: Request, limit: number): Promise<Limited> =>
  await limitAny(request, limit, false)

/** A request whose body comes in two chunks. */
function requestOf(length: number, headers: HeadersInit = {}): Request {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(1).fill(97))
      controller.enqueue(new Uint8Array(length - 1).fill(98))
      controller.close()
    },
  })
  const init = { method: 'PUT', headers, body, duplex: 'half' } as const
  return new Request('http://localhost/a?b', init)
}

function textOf(limited: Awaited<ReturnType<typeof limitBody>>): string {
  if (limited === null || typeof limited === 'string') throw new Error(`${limited}`)
  return new TextDecoder().decode(limited)
}

/** As @hono/node-server makes requests: another object with the members of `Request`. */
class ServerRequest extends Request {}

describe('the body limit (RFC 9110 §15.5.14)', () => {
  it.each([
    ['without a Content-Length', {}],
    ['with a Content-Length', { 'Content-Length': String(MEBIBYTE) }],
  ])('a body at exactly the limit is accepted, %s', async (_, headers) => {
    const limited = await limitBody(requestOf(MEBIBYTE, headers), MEBIBYTE)
    expect(textOf(limited)).toBe(`a${'b'.repeat(MEBIBYTE - 1)}`)
  })

  it('a body one byte over the limit is rejected', async () => {
    expect(await limitBody(requestOf(MEBIBYTE + 1), MEBIBYTE)).toBe('too-large')
  })

  it('a Content-Length one byte over the limit is rejected without reading the body', async () => {
    const request = requestOf(2, { 'Content-Length': String(MEBIBYTE + 1) })
    expect(await limitBody(request, MEBIBYTE)).toBe('too-large')
    expect(request.bodyUsed).toBe(false)
  })

  it.each([
    ['with a Content-Length', { 'Content-Length': '2' }, true],
    ['without a Content-Length', {}, false],
    ['with another text as Content-Length', { 'Content-Length': '+2' }, false],
    [
      'with another end (RFC 9112 §6.1)',
      { 'Content-Length': '2', 'Transfer-Encoding': 'x' },
      false,
    ],
  ])('a body is left unread only if HTTP ends it: %s', async (_, headers, isUnread) => {
    const { url, method, body } = requestOf(2)
    const request = new ServerRequest(url, { method, headers, body, duplex: 'half' } as RequestInit)
    const limited = await limitBody(request, 2)
    expect(request.bodyUsed).toBe(!isUnread)
    expect(isUnread ? limited : textOf(limited)).toBe(isUnread ? null : 'ab')
  })

  it("a server's Content-Length one byte over the limit is rejected", async () => {
    const headers = { 'Content-Length': '3' }
    const request = new ServerRequest('http://localhost/', { method: 'PUT', headers, body: 'abc' })
    expect(await limitBody(request, 2)).toBe('too-large')
  })

  it("only a chunk's own bytes are returned if it is part of a larger buffer", async () => {
    const chunk = new TextEncoder().encode('xaby').subarray(1, 3)
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(chunk)
        controller.close()
      },
    })
    const init = { method: 'PUT', body, duplex: 'half' } as const
    expect(textOf(await limitBody(new Request('http://localhost/', init), 2))).toBe('ab')
  })

  it('an unreadable body is rejected', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const init = { method: 'PUT', body, duplex: 'half' } as const
    expect(await limitBody(new Request('http://localhost/', init), MEBIBYTE)).toBe('unreadable')
  })

  it('a stream with strings, which a program can create, is rejected', async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue('text')
        controller.close()
      },
    })
    const init = { method: 'PUT', body, duplex: 'half' } as const
    expect(await limitBody(new Request('http://localhost/', init), MEBIBYTE)).toBe('unreadable')
  })

  it('a body without bytes is kept, because it is not absent', async () => {
    const body = new ReadableStream({ start: (controller) => controller.close() })
    const init = { method: 'PUT', body, duplex: 'half' } as const
    expect(textOf(await limitBody(new Request('http://localhost/', init), MEBIBYTE))).toBe('')
  })

  it('a request without a body returns null', async () => {
    const request = new Request('http://localhost/', { method: 'DELETE' })
    expect(await limitBody(request, MEBIBYTE)).toBeNull()
  })
})
