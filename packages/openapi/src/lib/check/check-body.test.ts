import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { BodySpec } from '../spec/operation-spec.ts'
import { Book, book, violationsOf } from './check.cases.ts'
import type { Violation } from './violation.ts'

async function found(body: BodySpec | null, response: Response): Promise<readonly string[]> {
  const responses = { 200: { description: 'The book', ...(body && { body }) } }
  return (await violationsOf({ responses }, response)).map(inShort)
}

function inShort({ kind, pointer }: Violation): string {
  return pointer === undefined ? kind : `${kind} at ${JSON.stringify(pointer)}`
}

function answer(type: string | null, body: BodyInit = JSON.stringify(book)): Response {
  const response = new Response(body)
  response.headers.delete('Content-Type')
  if (type !== null) response.headers.set('Content-Type', type)
  return response
}

it('inherited members do not count as body members', async () => {
  const body = z.object({ constructor: z.string().optional() })
  expect(await found(body, answer('application/json', '{}'))).toEqual([])
})

it('an issue whose message getter throws is reported at its place', async () => {
  const words = type('Record<string, "a" | "b">')
  const found = await violationsOf(
    { responses: { 200: { description: 'The words', body: words } } },
    answer('application/json', '{"constructor":"c"}'),
  )
  expect(found).toMatchObject([
    { kind: 'body-mismatch', pointer: '/constructor', message: 'is not valid' },
  ])
})

describe('the media type', () => {
  it.each<[declared: string, sent: string]>([
    ['application/json', 'application/json'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json', 'application/json;charset="UTF-8"'],
    ['application/json', 'Application/JSON'],
    ['application/json; charset=utf-8', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/vnd.book+json', 'application/vnd.book+json'],
    ['application/vnd.book+json', 'application/VND.book+json;v=2'],
    ['application/*', 'application/json'],
    ['*/*', 'application/json'],
    ['*/*', 'application/vnd.book+json'],
  ])('a body declared as %s may be sent as %s, and is checked', async (declared, sent) => {
    expect(await found({ [declared]: Book }, answer(sent))).toEqual([])
    const wrong = answer(sent, '{"authors":[]}')
    expect(await found({ [declared]: Book }, wrong)).toEqual(['body-mismatch at "/title"'])
  })

  it.each<[declared: string, sent: string | null]>([
    ['application/json', 'text/html'],
    ['application/json', 'application/jsonp'],
    ['application/json', 'application/problem+json'],
    ['application/json', 'application/*'],
    ['application/json', ''],
    ['application/json', null],
    ['application/*', 'applications/json'],
    ['text/*', 'application/json'],
    ['*/*', null],
  ])('a body declared as %s and sent as %s is a violation', async (declared, sent) => {
    expect(await found({ [declared]: Book }, answer(sent))).toEqual(['undocumented-media-type'])
  })

  it('the most specific media type matches first, in any letter case', async () => {
    const by = (name: string) => z.object({ by: z.literal(name) })
    const body = {
      '*/*': by('any'),
      'application/*': by('application'),
      'application/json': by('json'),
    }
    const ask = (type: string, name: string) =>
      found(body, answer(type, JSON.stringify({ by: name })))
    expect(await ask('application/json', 'json')).toEqual([])
    expect(await ask('application/vnd.book+json', 'application')).toEqual([])
    expect(await ask('model/gltf+json', 'any')).toEqual([])
    expect(await ask('application/json', 'any')).toEqual(['body-mismatch at "/by"'])
  })

  it('a single schema means application/json or +json', async () => {
    expect(await found(Book, answer('application/json'))).toEqual([])
    expect(await found(Book, answer('application/vnd.book+json'))).toEqual([])
    expect(await found(Book, answer('application/vnd.book+json', '{}'))).not.toEqual([])
    expect(await found(Book, answer('text/json'))).toEqual(['undocumented-media-type'])
  })
})

describe('the body', () => {
  it.each<[body: unknown, pointers: readonly string[]]>([
    [book, []],
    [{ ...book, more: 1 }, []],
    [{ ...book, title: 7 }, ['/title']],
    [{ title: 'A', authors: [{ name: 'B' }, { name: null }] }, ['/authors/1/name']],
    // RFC 6901 §3: `~` and `/` are written ~0 and ~1.
    [{ title: 'A', authors: [{ name: 'B', 'born/died ~': 1870 }] }, ['/authors/0/born~1died ~0']],
    [{ title: null, authors: [{}] }, ['/title', '/authors/0/name']],
    [[], ['']],
    [null, ['']],
  ])('%j is a violation at %j', async (body, pointers) => {
    const violations = pointers.map((pointer) => `body-mismatch at ${JSON.stringify(pointer)}`)
    expect(await found(Book, Response.json(body))).toEqual(violations)
  })

  it("any library's schema can check the body", async () => {
    const schema = type({ title: 'string', authors: type({ name: 'string' }).array() })
    expect(await found(schema, Response.json(book))).toEqual([])
    const wrong = { title: 7, authors: [{}] }
    expect(await found(schema, Response.json(wrong))).toEqual([
      'body-mismatch at "/authors/0/name"',
      'body-mismatch at "/title"',
    ])
  })

  it('an asynchronous schema can check the body', async () => {
    const schema = z.object({ title: z.string().refine(async (title) => title !== 'B') })
    expect(await found(schema, Response.json({ title: 'A' }))).toEqual([])
    expect(await found(schema, Response.json({ title: 'B' }))).toEqual([
      'body-mismatch at "/title"',
    ])
  })

  it('the body is validated as sent, before the schema transforms it', async () => {
    const schema = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) })
    expect(await found(schema, Response.json({ at: '2026-01-01T00:00:00Z' }))).toEqual([])
  })

  it.each(['', '{', '{"title":', 'undefined', "{'a':1}"])(
    "%j, which is not JSON, is a violation at the body's root",
    async (text) => {
      expect(await found(Book, answer('application/json', text))).toEqual(['body-mismatch at ""'])
    },
  )

  it('a text body is checked as a string, and a form as an object', async () => {
    const short = { 'text/plain': z.string().max(3) }
    expect(await found(short, answer('text/plain', 'abc'))).toEqual([])
    expect(await found(short, answer('text/plain', 'abcd'))).toEqual(['body-mismatch at ""'])

    const FORM = 'application/x-www-form-urlencoded'
    const form = { [FORM]: z.object({ title: z.string(), tag: z.array(z.string()).optional() }) }
    expect(await found(form, answer(FORM, 'title=A'))).toEqual([])
    expect(await found(form, answer(FORM, 'name=A'))).toEqual(['body-mismatch at "/title"'])
    expect(await found(form, answer(FORM, 'title=A&tag=b&tag=c'))).toEqual([])
    expect(await found(form, answer(FORM, 'title=A&tag=b'))).toEqual([])
  })

  it('a form with objects is read as in a request (OpenAPI 3.1.1 §4.8.15)', async () => {
    const FORM = 'application/x-www-form-urlencoded'
    const meta = z.object({ a: z.string() })
    const form = { [FORM]: z.object({ meta, list: z.array(meta).optional() }) }
    const sent = (fields: Record<string, string>) =>
      found(form, answer(FORM, new URLSearchParams(fields).toString()))
    expect(await sent({ meta: '{"a":"x"}', list: '[{"a":"y"}]' })).toEqual([])
    expect(await sent({ meta: '{"a":7}' })).toEqual(['body-mismatch at "/meta/a"'])
    expect(await sent({ meta: '{"a":' })).toEqual(['body-mismatch at "/meta"'])
    const odd = { meta: '{', list: 'x' }
    expect(await sent(odd)).toEqual(['body-mismatch at "/meta"', 'body-mismatch at "/list"'])
  })

  it("a body with the wrong type is a violation at the body's root", async () => {
    const whole = ['body-mismatch at ""']
    for (const schema of [Book, type({ title: 'string' })]) {
      expect(await found(schema, Response.json(5))).toEqual(whole)
    }
  })

  it('a text body is read as in a request', async () => {
    expect(await found({ 'text/plain': z.int() }, answer('text/plain', '5'))).toEqual([])
    const five = await found({ 'text/plain': z.int() }, answer('text/plain', 'five'))
    expect(five).toEqual(['body-mismatch at ""'])
  })

  it('a file is not read, whatever the media type', async () => {
    for (const file of [z.file(), type('File')]) {
      for (const sent of ['text/csv', 'application/json', 'image/png']) {
        expect(await found({ '*/*': file }, answer(sent, '{'))).toEqual([])
      }
    }
  })

  it.each([
    'application/xml',
    'application/yaml',
    'application/x-ndjson',
    'application/soap+xml',
    'application/javascript',
    'image/svg+xml',
    'text/csv',
  ])('a %s body is checked if its schema accepts a string', async (type) => {
    const body = { [type]: z.string().startsWith('<') }
    expect(await found(body, answer(type, '<svg/>'))).toEqual([])
    expect(await found(body, answer(type, 'svg'))).toEqual(['body-mismatch at ""'])
  })

  it.each([
    'image/png',
    'audio/mpeg',
    'video/mp4',
    'font/woff2',
    'multipart/mixed',
    'application/octet-stream',
    'application/pdf',
    'application/zip',
    'application/epub+zip',
    'application/x-gzip',
    'text/event-stream',
  ])('a %s body is not read', async (type) => {
    const body = { [type]: z.string().startsWith('<') }
    expect(await found(body, answer(type, 'x'))).toEqual([])
  })

  it('XML is not checked if the schema accepts anything or only objects', async () => {
    for (const schema of [z.unknown(), Book]) {
      expect(await found({ 'application/xml': schema }, answer('application/xml', '<'))).toEqual([])
    }
  })

  it('bytes are not read', async () => {
    const bytes = { 'image/png': z.never(), 'application/octet-stream': z.never() }
    expect(await found(bytes, answer('image/png', new Uint8Array([1])))).toEqual([])
    expect(await found(bytes, answer('application/octet-stream', 'x'))).toEqual([])
  })

  it('an undeclared body is a violation unless it is empty', async () => {
    expect(await found(null, new Response())).toEqual([])
    expect(await found(null, new Response(''))).toEqual([])
    expect(await found(null, answer('application/json', ''))).toEqual([])
    expect(await found(null, answer(null, 'x'))).toEqual(['undocumented-media-type'])
    expect(await found(null, Response.json(book))).toEqual(['undocumented-media-type'])
  })

  it('the client can still read the body, with or without violations', async () => {
    const text = JSON.stringify(book)
    for (const body of [Book, { 'text/html': Book }, { '*/*': z.never() }, null]) {
      const response = answer('application/json')
      await found(body, response)
      expect(response.bodyUsed).toBe(false)
      expect(await response.text()).toBe(text)
    }
  })
})
