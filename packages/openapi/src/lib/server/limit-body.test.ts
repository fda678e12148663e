import { describe, expect, it } from 'vitest'
import { type Limited, limitBody as limitAnd } from './limit-body.ts'

const MEBIBYTE = 1024 * 1024

const limitBody = async (request: Request, limit: number): Promise<Limited> =>
  await limitAnd(request, limit, false, (body) => body)

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

describe('the limit of a body (RFC 9110 §15.5.14)', () => {
  it.each([
    ['without a Content-Length', {}],
    ['with a Content-Length', { 'Content-Length': String(MEBIBYTE) }],
  ])('accepts a body of exactly the limit, %s', async (_, headers) => {
    const limited = await limitBody(requestOf(MEBIBYTE, headers), MEBIBYTE)
    expect(textOf(limited)).toBe(`a${'b'.repeat(MEBIBYTE - 1)}`)
  })

  it('rejects a body of one byte more', async () => {
    expect(await limitBody(requestOf(MEBIBYTE + 1), MEBIBYTE)).toBe('too-large')
  })

  it('rejects a Content-Length of one byte more without reading the body', async () => {
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
  ])('leaves a body unread only if HTTP ends it: %s', async (_, headers, isUnread) => {
    const { url, method, body } = requestOf(2)
    const request = new ServerRequest(url, { method, headers, body, duplex: 'half' } as RequestInit)
    const limited = await limitBody(request, 2)
    expect(request.bodyUsed).toBe(!isUnread)
    expect(isUnread ? limited : textOf(limited)).toBe(isUnread ? null : 'ab')
  })

  it('rejects a Content-Length of one byte more of a server', async () => {
    const headers = { 'Content-Length': '3' }
    const request = new ServerRequest('http://localhost/', { method: 'PUT', headers, body: 'abc' })
    expect(await limitBody(request, 2)).toBe('too-large')
  })

  it('returns only the bytes of a chunk that is a part of a larger buffer', async () => {
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

  it('rejects a body that cannot be read', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const init = { method: 'PUT', body, duplex: 'half' } as const
    expect(await limitBody(new Request('http://localhost/', init), MEBIBYTE)).toBe('unreadable')
  })

  it('rejects a stream of text, which a program can make', async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue('text')
        controller.close()
      },
    })
    const init = { method: 'PUT', body, duplex: 'half' } as const
    expect(await limitBody(new Request('http://localhost/', init), MEBIBYTE)).toBe('unreadable')
  })

  it('keeps a body without bytes, which is not an absent body', async () => {
    const body = new ReadableStream({ start: (controller) => controller.close() })
    const init = { method: 'PUT', body, duplex: 'half' } as const
    expect(textOf(await limitBody(new Request('http://localhost/', init), MEBIBYTE))).toBe('')
  })

  it('returns null for a request without a body', async () => {
    const request = new Request('http://localhost/', { method: 'DELETE' })
    expect(await limitBody(request, MEBIBYTE)).toBeNull()
  })
})
