import { FORM } from '@plumbline/base'
import { describe, expect, it } from 'vitest'
import type { OperationFacts } from './manifest.ts'
import { writeBody, writeHeaders, writeUrl } from './write-request.ts'

const facts = (body: readonly string[] = []): OperationFacts => ({
  method: 'POST',
  pattern: '/books',
  body,
  responses: {},
  problems: [],
})

describe('a request URL', () => {
  it.each(['https://example.com', 'https://example.com/', 'https://example.com//'])(
    'the URL extends the base URL %s',
    (baseUrl) => {
      expect(writeUrl(facts(), baseUrl, {})).toBe('https://example.com/books')
    },
  )

  it('dates and objects are written as JSON does', () => {
    const query = { since: new Date(0), where: { a: 1 }, none: null }
    const { searchParams } = new URL(writeUrl(facts(), 'https://example.com', { query }))
    expect(Object.fromEntries(searchParams)).toEqual({
      since: '1970-01-01T00:00:00.000Z',
      where: '{"a":1}',
      none: 'null',
    })
  })
})

it('cookies are separated with a semicolon and a space (RFC 6265 §4.2.1)', () => {
  const headers = new Headers()
  writeHeaders({ cookies: { a: 1, b: undefined, c: 2 } }, headers)
  expect(headers.get('Cookie')).toBe('a=1; c=2')
})

describe('a value without members', () => {
  it.each<[what: string, values: object]>([
    ['Headers', new Headers({ Authorization: 'Bearer b1' })],
    ['Map', new Map([['a', 'b']])],
    ['Array', [['a', 'b']]],
    ['URLSearchParams', new URLSearchParams('a=b')],
  ])('a value without members is not dropped: %s', (what, values) => {
    const reason = new TypeError(`an object with a member for each value is needed, not ${what}`)
    expect(() => writeHeaders({ headers: values }, new Headers())).toThrow(reason)
    expect(() => writeHeaders({ cookies: values }, new Headers())).toThrow(reason)
    expect(() => writeUrl(facts(), 'https://h', { query: values })).toThrow(reason)
  })

  it('text sent as a form is not dropped', () => {
    const write = () => writeBody(facts([FORM]), { body: 'a=b' }, new Headers())
    expect(write).toThrow('an object with a member for each value is needed, not String')
  })
})

describe("the body's media type", () => {
  const png = new Blob(['x'], { type: 'image/png' })
  it.each<[string, readonly string[], unknown, string]>([
    ['JSON by default', [], { a: 1 }, 'application/json'],
    ['the first declared', ['text/csv', 'text/plain'], 'a', 'text/csv'],
    ["the file's type for a range", ['image/*'], png, 'image/png'],
    ['bytes for a file without a type', ['image/*'], new Blob(['x']), 'application/octet-stream'],
    ['bytes for a buffer', ['image/*'], new Uint8Array(1), 'application/octet-stream'],
    [
      'bytes for a value with a member called type',
      ['*/*'],
      { type: 'image/png' },
      'application/octet-stream',
    ],
  ])('the media type is %s', (_, ranges, body, type) => {
    const headers = new Headers()
    writeBody(facts(ranges), { body }, headers)
    expect(headers.get('Content-Type')).toBe(type)
  })
})
