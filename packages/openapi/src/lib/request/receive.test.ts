import { BodyReadError } from '@plumbline/base'
import { isFailure, unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { BodySpec, OperationSpec } from '../spec/operation-spec.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const person = z.object({ name: z.string(), age: z.int().optional() })

function operation(body: BodySpec) {
  const spec: OperationSpec = { summary: 'Send', body }
  return defineOperation('send', { method: 'POST', pattern: '/x' }, spec)
}

/** A request with exactly this Content-Type; fetch adds a missing one, so it is removed. */
function send(body: BodyInit | null, type?: string): Request {
  const request = new Request('http://h/x', { method: 'POST', body })
  if (type !== undefined) request.headers.set('Content-Type', type)
  else request.headers.delete('Content-Type')
  return request
}

async function read(body: BodySpec, request: Request): Promise<unknown> {
  return unwrap(await operation(body).parse(request)).body
}

async function rejection(body: BodySpec, request: Request): Promise<unknown> {
  const result = await operation(body).parse(request)
  if (!isFailure(result)) throw new Error('parsed')
  const { location, code, issues } = result.error
  expect(location).toBe('body')
  return { code, paths: issues.map(({ path }) => path) }
}

const invalid = (...path: string[]) => ({ code: 'invalid', paths: [path] })
const malformed = { code: 'malformed', paths: [[]] }
const unsupported = { code: 'unsupported-media-type', paths: [[]] }

describe('a JSON body', () => {
  it.each([
    ['by its name', JSON_TYPE],
    ['with a charset', 'application/json; charset=utf-8'],
    ['with a charset in quotes', 'application/json;charset="UTF-8"'],
    ['in another letter case', 'APPLICATION/Json'],
    ['by the suffix +json (RFC 6839 §3.1)', 'application/vnd.api+json'],
    ['by the suffix in another letter case', 'application/problem+JSON; a=b'],
  ])('JSON is parsed: %s', async (_, type) => {
    expect(await read(person, send('{"name":"a","age":5}', type))).toEqual({ name: 'a', age: 5 })
  })

  it.each([
    ['cut short', '{"name":'],
    ['with a trailing comma', '{"name":"a",}'],
    ['with two values', '{} {}'],
    ['in single quotes', "{'name':'a'}"],
    ['of spaces', '  '],
    ['of a number that JSON does not have', 'NaN'],
  ])('JSON is malformed: %s (RFC 8259 §2)', async (_, text) => {
    expect(await rejection(person, send(text, JSON_TYPE))).toEqual(malformed)
    const result = await operation(person).parse(send(text, JSON_TYPE))
    expect(isFailure(result) && result.error.message).toMatch(/^body: not valid JSON: ./)
  })

  it('JSON types are kept, so a string is never coerced to a number', async () => {
    expect(await rejection(person, send('{"name":"a","age":"5"}', JSON_TYPE))).toEqual(
      invalid('age'),
    )
  })

  it('JSON may be any value the schema accepts', async () => {
    expect(await read(z.null(), send('null', JSON_TYPE))).toBe(null)
    expect(await read(z.array(z.int()), send('[1]', JSON_TYPE))).toEqual([1])
  })

  it('JSON may start with a byte order mark (RFC 8259 §8.1)', async () => {
    expect(await read(z.literal(1), send('\uFEFF1', JSON_TYPE))).toBe(1)
  })

  it('__proto__ keys in JSON do not change a prototype', async () => {
    const text = '{"name":"a","__proto__":{"age":5},"constructor":{"prototype":{"age":5}}}'
    const body = (await read(person, send(text, JSON_TYPE))) as z.infer<typeof person>
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(body.age).toBe(undefined)
    expect('age' in {}).toBe(false)
  })
})

it('JSON does not inherit optional members at any depth', async () => {
  const inner = z.object({ valueOf: z.string().optional() })
  const body = z.object({ list: z.array(inner).optional(), inner: inner.optional() })
  const text = '{"list":[{},{"valueOf":"a"}],"inner":{}}'
  expect(JSON.stringify(await read(body, send(text, JSON_TYPE)))).toBe(text)
  expect(await read(inner, send('{"other":{}}', JSON_TYPE))).toEqual({})
})

describe('no body', () => {
  it.each([
    ['without a Content-Type', null, undefined],
    ['with the Content-Type of JSON', null, JSON_TYPE],
    ['of no bytes', '', undefined],
    ['of no bytes, with the Content-Type of JSON', '', JSON_TYPE],
    ['of no bytes, with another Content-Type', '', 'text/plain'],
  ])('the schema receives undefined for no body: %s', async (_, body, type) => {
    expect(await rejection(person, send(body, type))).toEqual(invalid())
    expect(await rejection({ [JSON_TYPE]: person }, send(body, type))).toEqual(invalid())
    expect(await read(person.optional(), send(body, type))).toBe(undefined)
    expect(await read({ [FORM]: person, [JSON_TYPE]: person.optional() }, send(body, type))).toBe(
      undefined,
    )
    expect(await read(person.default({ name: 'x' }), send(body, type))).toEqual({ name: 'x' })
  })

  it('an empty body becomes an empty form or string if the media type is declared and undefined is rejected', async () => {
    const fields = z.object({ tag: z.string().optional() })
    expect(await read({ [FORM]: fields }, send('', FORM))).toEqual({})
    expect(await read({ 'text/plain': z.string() }, send('', 'text/plain'))).toBe('')
    expect(await read({ [FORM]: fields.optional() }, send('', FORM))).toBe(undefined)
    expect(await rejection({ [FORM]: person }, send('', FORM))).toEqual(invalid('name'))
    expect(await rejection({ [FORM]: fields }, send(null, FORM))).toEqual(invalid())
  })
})

it('an absent multipart/form-data body is undefined', async () => {
  const MULTIPART = 'multipart/form-data'
  expect(await rejection({ [MULTIPART]: person }, send(null, MULTIPART))).toEqual(invalid())
  expect(await read({ [MULTIPART]: person.optional() }, send(null, MULTIPART))).toBe(undefined)
})

it('an absent body is undefined if no media type is declared', async () => {
  expect(await read({}, send(null))).toBe(undefined)
  expect(await rejection({}, send('x', 'text/plain'))).toEqual(unsupported)
})

it('an empty application/json body is never an empty string', async () => {
  for (const body of [z.string(), { [JSON_TYPE]: z.string() }]) {
    expect(await rejection(body, send('', JSON_TYPE))).toEqual(invalid())
  }
})

it('an empty body is read without inherited object members', async () => {
  const body = z.object({ constructor: z.string().optional(), tag: z.string().optional() })
  const fields = await read({ [FORM]: body }, send('', FORM))
  expect(Object.entries(fields ?? {})).toEqual([])
})

describe('a body without a Content-Type is rejected (RFC 9110 §15.5.16)', () => {
  it.each<[what: string, body: BodySpec]>([
    ['one schema of an object', person],
    ['one schema of a string', z.string()],
    ['JSON', { [JSON_TYPE]: person }],
    ['any media type', { '*/*': z.string() }],
  ])('the body is rejected if the operation declares %s', async (_, body) => {
    expect(await rejection(body, send('{"name":"a"}'))).toEqual(unsupported)
  })
})

describe('a single schema', () => {
  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=X',
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/json+xml',
    'json',
  ])('a single schema accepts only JSON and rejects %s (RFC 9110 §15.5.16)', async (type) => {
    expect(await rejection(person, send('{"name":"a"}', type))).toEqual(unsupported)
    expect(await rejection(z.unknown(), send('name=a', type))).toEqual(unsupported)
  })

  it.each([
    [FORM, FORM],
    [undefined, 'a body without a Content-Type'],
    [`a/${'b'.repeat(200)}`, `a/${'b'.repeat(98)}`],
  ])('the error names the accepted media types, and the sent one: %s', async (type, sent) => {
    const result = await operation(person).parse(send('name=a', type))
    expect(isFailure(result) && result.error.message).toBe(
      `body: ${sent} is not one of application/json, *+json`,
    )
  })

  it.each([FORM, 'text/plain', 'image/png', undefined])(
    'a single schema reads an empty body like a media type record, sent as %s',
    async (type) => {
      const fields = z.object({ tag: z.string().optional() })
      for (const body of [fields, { [JSON_TYPE]: fields }]) {
        expect(await rejection(body, send('', type))).toEqual(invalid())
      }
      for (const body of [fields.optional(), { [JSON_TYPE]: fields.optional() }]) {
        expect(await read(body, send('', type))).toBe(undefined)
      }
    },
  )
})

describe('a form', () => {
  const form = z.object({
    name: z.string(),
    age: z.int().optional(),
    isNew: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
  })

  it.each([
    [
      'strings, numbers and booleans',
      'name=5&age=5&isNew=true',
      { name: '5', age: 5, isNew: true },
    ],
    ['an array with one value', 'name=a&tags=x', { name: 'a', tags: ['x'] }],
    ['an array with two values', 'name=a&tags=x&tags=y', { name: 'a', tags: ['x', 'y'] }],
    ['percent-encoding and plus', 'name=%C3%A4+b', { name: 'ä b' }],
    ['a percent sign without two digits', 'name=%zz%', { name: '%zz%' }],
    ['a key of a prototype', '__proto__=x&name=a', { name: 'a' }],
  ])('a form is an object: %s', async (_, text, fields) => {
    expect(await read({ [FORM]: form }, send(text, FORM))).toEqual(fields)
    expect(await read({ [FORM]: form }, send(text, `${FORM}; charset=utf-8`))).toEqual(fields)
    const multipart = new FormData()
    for (const [name, value] of new URLSearchParams(text)) multipart.append(name, value)
    const request = new Request('http://h/x', { method: 'POST', body: multipart })
    expect(await read({ 'multipart/form-data': form }, request)).toEqual(fields)
  })

  it('a form and JSON each have their own schema, selected with Content-Type', async () => {
    const either = { [JSON_TYPE]: person, [FORM]: form }
    expect(await read(either, send('{"name":"a"}', JSON_TYPE))).toEqual({ name: 'a' })
    expect(await read(either, send('name=a&tags=x', FORM))).toEqual({ name: 'a', tags: ['x'] })
    expect(await rejection(either, send('name=a&age=x', FORM))).toEqual(invalid('age'))
    expect(await rejection(either, send('name=a', JSON_TYPE))).toEqual(malformed)
  })
})

describe('multipart/form-data (RFC 7578)', () => {
  const upload = z.object({
    title: z.string(),
    files: z.array(z.file()),
    cover: z.file().optional(),
  })
  const file = (name: string, text: string) => new File([text], name, { type: 'text/plain' })

  function request(...entries: readonly (readonly [string, string | File])[]): Request {
    const body = new FormData()
    for (const [name, value] of entries) body.append(name, value)
    return new Request('http://h/x', { method: 'POST', body })
  }

  it.each([
    ['one file for a file array', ['a.txt']],
    ['two files for a file array', ['a.txt', 'b.txt']],
  ])('the form keeps files: %s', async (_, names) => {
    const entries = names.map((name) => ['files', file(name, name)] as const)
    const sent = request(['title', '7'], ['cover', file('c.txt', 'c')], ...entries)
    const body = (await read({ 'multipart/form-data': upload }, sent)) as z.infer<typeof upload>
    expect(body.title).toBe('7')
    expect(body.files.map(({ name }) => name)).toEqual(names)
    expect(await Promise.all(body.files.map((one) => one.text()))).toEqual(names)
    expect(body.cover?.name).toBe('c.txt')
  })

  it('the form rejects text for a file, and a file for text', async () => {
    const multipart = { 'multipart/form-data': upload }
    expect(await rejection(multipart, request(['title', 'a'], ['files', 'x']))).toEqual({
      code: 'invalid',
      paths: [['files', 0]],
    })
    const swapped = request(['title', file('a', 'a')], ['files', file('b', 'b')])
    expect(await rejection(multipart, swapped)).toEqual(invalid('title'))
  })

  it('the form is read whatever the letter case in Content-Type', async () => {
    const text = '--X\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--X--\r\n'
    const sent = send(text, 'Multipart/FORM-data; boundary=X')
    expect(await read({ 'multipart/form-data': person }, sent)).toEqual({ name: 'a' })
  })

  it.each([
    ['without a boundary', 'x', 'multipart/form-data'],
    [
      'cut short',
      '--X\r\nContent-Disposition: form-data; name="a"',
      'multipart/form-data; boundary=X',
    ],
  ])('the form is malformed: %s', async (_, text, type) => {
    const multipart = { 'multipart/form-data': person }
    expect(await rejection(multipart, send(text, type))).toEqual(malformed)
    const result = await operation(multipart).parse(send(text, type))
    expect(isFailure(result) && result.error.message).toMatch(
      /^body: not valid multipart\/form-data: ./,
    )
  })
})

describe('a text body', () => {
  const either = z.union([z.literal('auto'), z.int()])

  it.each<[what: string, schema: z.ZodType, sent: string, value: unknown]>([
    ['a number', z.int(), '5', 5],
    ['a number that has a name', z.number().meta({ id: 'Number' }), '-1.5', -1.5],
    ['a boolean', z.boolean(), 'true', true],
    ['a word or a number', either, '5', 5],
    ['the word', either, 'auto', 'auto'],
    ['a string that looks like a number', z.string(), '5', '5'],
    ['anything', z.unknown(), '5', '5'],
    ['a transform of its input', z.preprocess((sent) => typeof sent, z.string()), '5', 'string'],
    [
      'a number that a transform creates from the string',
      z.preprocess((sent) => (sent === '5' ? 50 : sent), z.int()),
      '5',
      50,
    ],
  ])('text is coerced like a parameter: %s', async (_, schema, sent, value) => {
    expect(await read({ 'text/plain': schema }, send(sent, 'text/plain'))).toBe(value)
  })

  it('text is rejected if the schema does not accept it', async () => {
    for (const sent of ['five', ' 5', '5.5', '[5]']) {
      expect(await rejection({ 'text/plain': z.int() }, send(sent, 'text/plain'))).toEqual(
        invalid(),
      )
    }
    expect(await rejection({ 'text/*': z.object({}) }, send('{}', 'text/plain'))).toEqual(invalid())
  })
})

describe('a body with a file schema', () => {
  const bytes = new Uint8Array([0x89, 0x50, 0xff, 0x00])
  const files: readonly Schema[] = [
    z.file(),
    z.file().optional(),
    type('File'),
    type('Blob'),
    ...[v.file(), v.blob()].map((schema) => toStandardJsonSchema(schema)),
  ]

  it.each([
    ['image/*', 'image/png', 'image/png'],
    ['image/png', 'IMAGE/PNG; a=b', 'image/png'],
    ['*/*', 'text/plain; charset=utf-8', 'text/plain'],
    ['*/*', JSON_TYPE, JSON_TYPE],
    [JSON_TYPE, JSON_TYPE, JSON_TYPE],
    ['*/*', FORM, FORM],
    ['*/*', 'multipart/form-data', 'multipart/form-data'],
  ])('the file has every byte: %s, sent as %s', async (range, type, expected) => {
    for (const schema of files) {
      const file = await read({ [range]: schema }, send(bytes, type))
      if (!(file instanceof File)) throw new Error('no file')
      expect(file).toMatchObject({ name: '', type: expected })
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
    }
  })

  it('a single file schema reads a file with any Content-Type', async () => {
    for (const type of ['image/png', JSON_TYPE, undefined]) {
      const file = await read(z.file(), send(bytes, type))
      expect(file).toMatchObject({ size: bytes.length, type: type ?? '' })
    }
  })

  it("the file has the document's type and size", async () => {
    const picture = { 'image/*': z.file().mime(['image/png', 'image/webp']).max(4) }
    expect(await read(picture, send(bytes, 'image/png; a=b'))).toBeInstanceOf(File)
    expect(await rejection(picture, send(bytes, 'image/gif'))).toEqual(invalid())
    expect(await rejection(picture, send('12345', 'image/png'))).toEqual(invalid())
    expect(await rejection(picture, send(bytes, 'text/plain'))).toEqual(unsupported)
  })

  it('an empty body is absent if the schema accepts this, and an empty file if a media type is declared', async () => {
    const empty = { 'image/png': z.file() }
    const file = { name: '', size: 0, type: 'image/png' }
    expect(await read(empty, send('', 'image/png'))).toMatchObject(file)
    expect(await read({ 'image/png': z.file().optional() }, send('', 'image/png'))).toBe(undefined)
    expect(await read(z.file().optional(), send(null))).toBe(undefined)
    expect(await rejection(empty, send(null, 'image/png'))).toEqual(invalid())
    expect(await read(z.file(), send('', 'image/png'))).toMatchObject(file)
    expect(await read(z.file().optional(), send('', 'image/png'))).toBe(undefined)
    expect(await rejection(z.file(), send(''))).toEqual(invalid())
    expect(await rejection(z.file(), send(null, 'image/png'))).toEqual(invalid())
  })

  it('the body is read as usual if the schema also accepts strings or objects', async () => {
    const either = { '*/*': z.union([z.file(), z.string(), z.object({ a: z.int() })]) }
    expect(await read(either, send('x', 'text/plain'))).toBe('x')
    expect(await read(either, send('{"a":1}', JSON_TYPE))).toEqual({ a: 1 })
    expect(await read({ '*/*': z.unknown() }, send('x', 'image/png'))).toBe('x')
  })
})

describe('several media types', () => {
  const tell = (what: string) => z.string().transform(() => what)
  const types = {
    '*/*': tell('any'),
    'image/*': tell('image'),
    'Image/PNG; q=1': tell('png'),
    'application/json': z.unknown().transform(() => 'json'),
  }

  it.each([
    ['image/png', 'png'],
    ['IMAGE/png; a=b', 'png'],
    ['image/jpeg', 'image'],
    ['imagex/png', 'any'],
    ['text/plain', 'any'],
    ['application/json', 'json'],
  ])('media types are matched most specific first: %s', async (type, what) => {
    expect(await read(types, send('1', type))).toBe(what)
  })

  it.each(['text/plain', 'application/jsonx', 'json', 'application/vnd.api+json', 'a/b/c'])(
    'another media type is rejected: %s (RFC 9110 §15.5.16)',
    async (type) => {
      expect(await rejection({ [JSON_TYPE]: person }, send('{"name":"a"}', type))).toEqual(
        unsupported,
      )
    },
  )

  it('the error names the sent and the declared media types', async () => {
    const body = { [JSON_TYPE]: person, 'image/*': z.string() }
    const result = await operation(body).parse(send('x', 'text/plain'))
    expect(isFailure(result) && result.error.message).toBe(
      'body: text/plain is not one of application/json, image/*',
    )
  })
})

/** A request whose program makes the chunks of its body. */
function sendChunks(...chunks: readonly unknown[]): Request {
  const body = new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const headers = { 'Content-Type': JSON_TYPE }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return new Request('http://h/x', init)
}

describe('reading a body', () => {
  it.each([
    ['a string', person],
    ['a file', z.file()],
  ])('a body is malformed when the client hangs up: %s', async (_, schema) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const init = { method: 'POST', body, duplex: 'half' }
    const request = new Request('http://h/x', init)
    request.headers.set('Content-Type', JSON_TYPE)
    const result = await operation(schema).parse(request)
    if (!isFailure(result)) throw new Error('the body was accepted')
    expect(result.error).toMatchObject({ code: 'malformed', location: 'body' })
    expect(result.error.message).toBe('body: the body could not be read')
  })

  it('a body is read as text without creating a stream, which can be slow on a server', async () => {
    let streams = 0
    class ServerRequest extends Request {
      override get body() {
        streams += 1
        return super.body
      }
    }
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    const init = { method: 'POST', headers, body: '{"name":"a"}' }
    const result = await operation(person).parse(new ServerRequest('http://h/x', init))
    expect([result.status, streams]).toEqual(['success', 0])
  })

  it('a body is malformed if the stream has something other than bytes', async () => {
    const result = await operation(person).parse(sendChunks('{"name":"a"}'))
    expect(isFailure(result) && result.error.code).toBe('malformed')
  })

  it('a body is read from chunks ending anywhere, also within a character', async () => {
    const bytes = [...new TextEncoder().encode('{"name":"é😀"}')]
    const chunks = bytes.map((byte) => Uint8Array.of(byte))
    const result = await operation(person).parse(sendChunks(...chunks))
    expect(unwrap(result).body).toEqual({ name: 'é😀' })
  })

  it.each(['GET', 'HEAD'])(
    'a body is absent with %s, whatever length a client announces (Fetch §5.4)',
    async (method) => {
      const spec: OperationSpec = { summary: 'Send', body: person.optional() }
      const headers = { 'Content-Length': '5', 'Content-Type': JSON_TYPE }
      const request = new Request('http://h/x', { method, headers })
      const parsed = await defineOperation('send', { method, pattern: '/x' }, spec).parse(request)
      expect(unwrap(parsed).body).toBeUndefined()
    },
  )

  it('a body read before throws a program error', async () => {
    const request = send('{"name":"a"}', JSON_TYPE)
    await request.text()
    await expect(operation(person).parse(request)).rejects.toThrow(BodyReadError)
  })

  it.each([
    ['text', JSON_TYPE, person],
    ['a file', JSON_TYPE, z.file()],
    ['a file of a media type', 'image/png', { 'image/png': z.file() }],
    ['a form', 'multipart/form-data; boundary=b', { 'multipart/form-data': person }],
    ['another media type', 'text/plain', person],
  ] as const)(
    'a program error is thrown while another reader reads %s',
    async (_, type, schema) => {
      const request = send('{"name":"a"}', type)
      request.body?.getReader()
      await expect(operation(schema).parse(request)).rejects.toThrow(BodyReadError)
    },
  )
})

describe('form fields', () => {
  const schema = z.object({}).catchall(z.any())
  const urlencoded = (count: number) =>
    send(Array.from({ length: count }, (_, at) => `k${at}`).join('&&'), FORM)
  const multipart = (count: number) => {
    const form = new FormData()
    for (let at = 0; at < count; at += 1) form.append('k', `${at}`)
    return new Request('http://h/x', { method: 'POST', body: form })
  }

  it.each([
    ['an urlencoded form', FORM, urlencoded],
    ['a multipart form', 'multipart/form-data', multipart],
  ])(
    "a form has at most 1,000 fields by default, or the operation's limit: %s",
    async (_, type, form) => {
      const body = { [type]: schema }
      expect(await rejection(body, form(1_001))).toEqual(malformed)
      expect(await read(body, form(1_000))).toBeDefined()
      const spec = { summary: 'Send', body, formFields: 2 }
      const few = defineOperation('send', { method: 'POST', pattern: '/x' }, spec)
      expect((await few.parse(form(2))).status).toBe('success')
      const result = await few.parse(form(3))
      expect(isFailure(result) && result.error.message).toBe(
        'body: the form has more than 2 fields',
      )
    },
  )
})
