import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { readBody } from './read-body.ts'

/** A request with exactly this Content-Type. */
function request(body: string | Uint8Array<ArrayBuffer> | ReadableStream, type?: string): Request {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const headers: HeadersInit = type === undefined ? {} : { 'Content-Type': type }
  return new Request('http://localhost/Users', {
    method: 'POST',
    headers,
    body: bytes,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
}

const read = (text: string) => readBody(request(text))

/** An object of this many members. */
const named = (count: number, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]))

function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> & { cancelled: boolean } {
  const left = [...chunks]
  const chunked = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel() {
      marked.cancelled = true
    },
  })
  const marked = Object.assign(chunked, { cancelled: false })
  return marked
}

describe('the media type (RFC 7644 §3.1)', () => {
  it.each([
    'application/scim+json',
    'application/json',
    'application/scim+json; charset=utf-8',
    'Application/SCIM+JSON;charset=UTF-8',
    ' application/json ; odd="a;b"',
  ])('a body with the media type %s is read', async (type) => {
    expect(unwrap(await readBody(request('{"a":1}', type)))).toStrictEqual({ a: 1 })
  })

  it('the media type may be omitted', async () => {
    const untyped = request('{"a":1}')
    expect(untyped.headers.get('Content-Type')).toBeNull()
    expect(unwrap(await readBody(untyped))).toStrictEqual({ a: 1 })
  })

  it.each([
    'text/plain;charset=UTF-8',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/scim+json2',
    'application/scim',
    'application/json, text/plain',
    '*/*',
    '',
  ])('the media type %j is 415', async (type) => {
    const result = await readBody(request('{"a":1}', type))
    expect(isFailure(result) && result.error).toMatchObject({ status: 415, scimType: null })
    expect(isFailure(result) && result.error.message).toContain('application/scim+json')
  })

  it.each(['gzip', 'br', ' GZIP , br'])(
    'a Content-Encoding of %j is 415 (RFC 9110 §8.4)',
    async (coding) => {
      const headers = { 'Content-Encoding': coding, 'Content-Type': 'application/json' }
      const request = new Request('http://localhost/', { method: 'POST', body: '{}', headers })
      const result = await readBody(request)
      expect(isFailure(result) && result.error).toMatchObject({
        status: 415,
        message: expect.stringContaining(coding.trim().toLowerCase()),
      })
    },
  )

  it('the Content-Encoding identity is accepted', async () => {
    const headers = { 'Content-Encoding': 'Identity', 'Content-Type': 'application/json' }
    const request = new Request('http://localhost/', { method: 'POST', body: '{}', headers })
    expect(await readBody(request)).toMatchObject({ data: {} })
  })

  it('a long media type is cut off in the message', async () => {
    const result = await readBody(request('{}', `text/${'x'.repeat(10_000)}`))
    expect(isFailure(result) && result.error.message.length).toBeLessThan(200)
  })
})

describe('the text (RFC 8259)', () => {
  it.each<[string, unknown]>([
    ['{"userName":"b"}', { userName: 'b' }],
    [' \n[1]\t', [1]],
    ['"text"', 'text'],
    ['null', null],
    ['"\u00e9😀"', 'é😀'],
    ['\ufeff{"a":1}', { a: 1 }],
  ])('the text %j is read', async (text, value) => {
    expect(unwrap(await readBody(request(text)))).toStrictEqual(value)
  })

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['an open object', '{"a":1'],
    ['a trailing comma', '{"a":1,}'],
    ['two values', '{} {}'],
    ['single quotes', "{'a':1}"],
    ['a value that JSON does not define', 'undefined'],
    ['XML', '<user/>'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['UTF-8 that is cut off', new Uint8Array([0x22, 0xc3])],
    ['an overlong slash', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ])('a body with %s is invalidSyntax', async (_, body) => {
    const result = await readBody(request(body, 'application/json'))
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType: 'invalidSyntax' })
    expect(result.error.message).toBe('the body is not valid JSON')
    expect(result.error.cause).toBeInstanceOf(Error)
  })

  it.each([
    ['a value', String.raw`{"userName":"a\ud800"}`],
    ['a value, in upper case', String.raw`{"userName":"\uDFFFa"}`],
    ['a member name', String.raw`{"a\udc00":1}`],
    ['an element of a list, deep inside', String.raw`{"a":[{"b":["c","\udbff\u0041"]}]}`],
    ['the whole body', String.raw`"\ud83d\ud83d"`],
  ])('a body with a lone surrogate in %s is invalidSyntax (RFC 8259 §8.2)', async (_, text) => {
    const result = await readBody(request(text, 'application/json'))
    expect(isFailure(result) && result.error).toMatchObject({
      status: 400,
      scimType: 'invalidSyntax',
      message: 'the body contains a string with a lone surrogate, which is not valid Unicode',
    })
  })

  it.each([
    ['a surrogate pair', String.raw`"\ud83d\ude00"`, '😀'],
    ["an escape's text", String.raw`"\\ud800"`, String.raw`\ud800`],
  ])('a body with %s is accepted (RFC 8259 §7)', async (_, text, value) => {
    expect(unwrap(await readBody(request(text, 'application/json')))).toBe(value)
  })

  it('a lone surrogate is rejected at any depth', async () => {
    const text = `${'['.repeat(100_000)}${String.raw`"\ud800"`}${']'.repeat(100_000)}`
    const result = await readBody(request(text, 'application/json'))
    expect(isFailure(result) && result.error.scimType).toBe('invalidSyntax')
  })

  it.each<[string, (count: number) => string]>([
    ['unknown names', (count) => JSON.stringify(named(count))],
    ['an object in a list', (count) => JSON.stringify({ Operations: [{ value: named(count) }] })],
    ['names with quotes and colons', (count) => JSON.stringify(named(count, '":\\{'))],
    ['the same name', (count) => `{${Array(count).fill('"a" : 1').join(',')}}`],
  ])('an object has at most 5,000 members: %s (RFC 7644 Table 9, tooMany)', async (_, textOf) => {
    expect((await read(textOf(5_000))).status).toBe('success')
    const rejected = { status: 'failure', error: { status: 400, scimType: 'tooMany' } }
    expect(await read(textOf(5_001))).toMatchObject(rejected)
  })

  it('several objects may have more members, and strings may have colons', async () => {
    const text = JSON.stringify([named(5_000), named(5_000), { a: ':'.repeat(6_000) }])
    expect((await read(text)).status).toBe('success')
  })

  it('an absent body is invalidSyntax', async () => {
    for (const empty of [request(''), new Request('http://localhost/', { method: 'POST' })]) {
      const result = await readBody(empty)
      expect(isFailure(result) && result.error).toMatchObject({
        status: 400,
        scimType: 'invalidSyntax',
        message: 'the body is empty',
      })
    }
  })

  it('an incomplete body is invalidSyntax, and does not throw', async () => {
    const cause = new Error('aborted')
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
      pull: (controller) => controller.error(cause),
    })
    const result = await readBody(request(broken))
    expect(isFailure(result) && result.error).toMatchObject({
      status: 400,
      scimType: 'invalidSyntax',
      message: 'the body could not be read',
      cause,
    })
  })

  it('a member called __proto__ stays an own member', async () => {
    const body = unwrap(await readBody(request('{"__proto__":{"admin":true}}'))) as object
    expect(Object.hasOwn(body, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
  })

  it('chunks may divide a character', async () => {
    const bytes = new TextEncoder().encode('{"a":"é😀"}')
    const pieces = [...bytes].map((byte) => new Uint8Array([byte]))
    expect(unwrap(await readBody(request(stream(...pieces))))).toStrictEqual({ a: 'é😀' })
  })
})

describe('options.limit', () => {
  it.each([
    ['a body as large as the limit is read', '{"a":1}', 7, 'success'],
    ['a body one byte larger is not', '{"a":1}', 6, 'failure'],
    ['bytes count, not characters', '"é"', 3, 'failure'],
    ['no limit is the default', `"${'x'.repeat(1_000_000)}"`, undefined, 'success'],
  ])('for options.limit, %s', async (_, text, limit, status) => {
    const result = await readBody(request(text), limit === undefined ? {} : { limit })
    expect(result.status).toBe(status)
    if (isFailure(result)) {
      expect(result.error).toMatchObject({ status: 413, scimType: null })
      expect(result.error.message).toBe(`the body is larger than ${limit} bytes`)
    }
  })

  it('reading a body without a length stops at the limit', async () => {
    const endless = stream(...Array.from({ length: 1000 }, () => new Uint8Array(100)))
    const result = await readBody(request(endless), { limit: 150 })
    expect(isFailure(result) && result.error.status).toBe(413)
    expect(endless.cancelled).toBe(true)
  })

  it('a Content-Length beyond the limit is rejected before reading', async () => {
    const body = stream(new TextEncoder().encode('{}'))
    const long = request(body)
    long.headers.set('Content-Length', '1000')
    const result = await readBody(long, { limit: 150 })
    expect(isFailure(result) && result.error.status).toBe(413)
    expect(long.bodyUsed).toBe(false)
  })

  it('a Content-Length equal to the limit is accepted', async () => {
    const body = request('{"a":1}')
    body.headers.set('Content-Length', '7')
    expect((await readBody(body, { limit: 7 })).status).toBe('success')
  })

  it('the Content-Length is not trusted', async () => {
    const long = request(stream(new Uint8Array(200)))
    long.headers.set('Content-Length', '2')
    const result = await readBody(long, { limit: 150 })
    expect(isFailure(result) && result.error.status).toBe(413)
  })

  it.each([
    ['with a Content-Length', { 'Content-Length': '7' }, false],
    ['without a Content-Length', {}, true],
    ['with another text as Content-Length', { 'Content-Length': '+7' }, true],
    ['with another end (RFC 9112 §6.1)', { 'Content-Length': '7', 'Transfer-Encoding': 'x' }, true],
  ])('a body is read as a stream unless HTTP ends it: %s', async (_, headers, isStream) => {
    const init = { method: 'POST', headers, body: '{"a":1}' }
    const sent = new ServerRequest('http://localhost/Users', init)
    sent.headers.set('Content-Type', 'application/json')
    expect(unwrap(await readBody(sent, { limit: 7 }))).toEqual({ a: 1 })
    expect(sent.isStreamed).toBe(isStream)
  })
})

/** As @hono/node-server makes requests: another object with the members of `Request`, and a stream if it is asked for. */
class ServerRequest extends Request {
  isStreamed = false

  override get body() {
    this.isStreamed = true
    return super.body
  }
}

describe('a body that the program has read is a TypeError with advice', () => {
  const message = /^the body was read by another middleware: mount the endpoint before express/

  it('a body that another reader read, or still reads, is a TypeError', async () => {
    const read = request('{}')
    await read.text()
    await expect(readBody(read)).rejects.toThrow(message)
    const locked = request('{}')
    locked.body?.getReader()
    await expect(readBody(locked)).rejects.toThrow(message)
  })

  // As @hono/node-server rejects it, and as a proxy of other adapters ends it.
  it.each([
    ['is unusable', () => Promise.reject(new TypeError('Body is unusable'))],
    ['is empty, and has a length', async () => new ArrayBuffer(0)],
  ])('a body that %s is a TypeError', async (_, arrayBuffer) => {
    const sent = new ServerRequest('http://localhost/Users', { method: 'POST', body: '{}' })
    sent.headers.set('Content-Type', 'application/json')
    sent.headers.set('Content-Length', '2')
    await expect(readBody(Object.assign(sent, { arrayBuffer }))).rejects.toThrow(message)
  })

  it('a body is not a TypeError if the client has closed the connection', async () => {
    const closed = AbortSignal.abort()
    const init = { method: 'POST', body: '{}', signal: closed }
    const sent = new ServerRequest('http://localhost/Users', init)
    sent.headers.set('Content-Type', 'application/json')
    sent.headers.set('Content-Length', '2')
    const arrayBuffer = () => Promise.reject(new TypeError('Body is unusable'))
    expect((await readBody(Object.assign(sent, { arrayBuffer }))).status).toBe('failure')
  })
})
