import { own } from '@plumbline/base'
import { issuesFrom } from '@plumbline/problem'
import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { BodySpec, OperationSpec } from '../spec/operation-spec.ts'
import { type FormCase, lists, objects, others } from './form.cases.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

async function parse(body: BodySpec, sent: BodyInit, type?: string) {
  const spec: OperationSpec = { summary: 'Send', body }
  const operation = defineOperation('send', { method: 'POST', pattern: '/x' }, spec)
  const request = new Request('http://h/x', { method: 'POST', body: sent })
  if (type !== undefined) request.headers.set('Content-Type', type)
  return await operation.parse(request)
}

/** The body schema of a row. */
function bodyOf([, schema]: FormCase) {
  return schema instanceof z.ZodType ? z.object({ key: schema }) : schema
}

function pointersOf(result: Awaited<ReturnType<typeof parse>>): readonly string[] {
  if (!isFailure(result)) throw new Error('parsed')
  expect(result.error).toMatchObject({ location: 'body', code: 'invalid' })
  return issuesFrom(result.error).map(({ pointer }) => pointer)
}

async function expectRow(row: FormCase, sent: FormData | URLSearchParams): Promise<void> {
  const [, , , read] = row
  const result = await parse({ [FORM]: bodyOf(row), [MULTIPART]: bodyOf(row) }, sent)
  if ('rejected' in read) return expect(pointersOf(result)).toEqual(read.rejected)
  const expected = read.value === undefined ? {} : { key: read.value }
  expect(filesByName(unwrap(result).body)).toEqual(filesByName(expected))
}

/** Replaces each file with its name, because two files are never equal. */
function filesByName(value: unknown): unknown {
  if (value instanceof File) return `the file ${value.name}`
  if (Array.isArray(value)) return value.map(filesByName)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filesByName(member)]),
  )
}

describe.each([
  ['an object', objects],
  ['a list', lists],
  ['other values', others],
] as const)('a form with %s', (_, rows) => {
  it.each(rows.map((row) => [row[0], row] as const))(
    'the value is read or rejected: %s',
    async (_, row) => {
      const form = new FormData()
      for (const part of row[2])
        typeof part === 'string' ? form.append('key', part) : form.append('key', part)
      await expectRow(row, form)
    },
  )

  // OpenAPI 3.1.1 §4.8.15.2
  const texts = rows.filter(([, , parts]) => parts.every((part) => typeof part === 'string'))
  it.each(texts.map((row) => [row[0], row] as const))(
    'the value is read or rejected: %s, urlencoded',
    async (_, row) => {
      const pairs = row[2].map((text) => ['key', String(text)])
      await expectRow(row, new URLSearchParams(pairs))
    },
  )
})

describe('a file input without a file is absent (HTML §4.10.21.8)', () => {
  const FILE = 'Content-Type: application/octet-stream'

  /** The body that a browser sends for the inputs called "key", each with its file name and content. */
  function form(...inputs: readonly (readonly [filename: string, content: string])[]): string {
    const parts = inputs.map(
      ([filename, content]) =>
        `--X\r\nContent-Disposition: form-data; name="key"; filename="${filename}"\r\n${FILE}\r\n\r\n${content}\r\n`,
    )
    return `${parts.join('')}--X--\r\n`
  }

  const read = (key: z.ZodType, sent: string) =>
    parse({ [MULTIPART]: z.object({ key }) }, sent, `${MULTIPART}; boundary=X`)

  it.each<[what: string, key: z.ZodType, sent: string, names: unknown]>([
    ['an optional file', z.file().optional(), form(['', '']), undefined],
    ['a list of files', z.array(z.file()).optional(), form(['', '']), undefined],
    ['a list with one file', z.array(z.file()), form(['', ''], ['a', 'x']), ['the file a']],
    ['an optional string', z.string().optional(), form(['', '']), undefined],
    ['an empty file with a name', z.file(), form(['a', '']), 'the file a'],
    ['a file without a name', z.file(), form(['', 'x']), 'the file '],
  ])('the file input is read: %s', async (_, key, sent, names) => {
    expect(filesByName(own(unwrap(await read(key, sent)).body, 'key'))).toEqual(names)
  })

  it('a missing file is rejected if the file is required', async () => {
    expect(pointersOf(await read(z.file(), form(['', ''])))).toEqual(['/key'])
  })

  it.each<[what: string, key: z.ZodType, read: unknown]>([
    ['an optional file', z.file().optional(), {}],
    ['a list of files', z.array(z.file()).optional(), {}],
    ['an optional file or string', z.union([z.file(), z.string()]).optional(), { key: '' }],
    [
      'a list of files or an empty string',
      z.union([z.array(z.file()), z.literal('')]),
      { key: '' },
    ],
    [
      'a list of files or empty strings',
      z.array(z.union([z.file(), z.literal('')])),
      { key: [''] },
    ],
  ])('a file sent as an empty string, as scripts do, is absent: %s', async (_, key, read) => {
    const sent = new FormData()
    sent.append('key', '')
    expect(unwrap(await parse({ [MULTIPART]: z.object({ key }) }, sent)).body).toEqual(read)
  })
})

it('an empty string for a number is not absent', async () => {
  const sent = new FormData()
  sent.append('key', '')
  const result = await parse({ [MULTIPART]: z.object({ key: z.int().optional() }) }, sent)
  expect(pointersOf(result)).toEqual(['/key'])
})

it('a JSON file may start with a byte order mark, and one without a media type is not JSON', async () => {
  const part = (type: string, text: string) =>
    `--X\r\nContent-Disposition: form-data; name="key"; filename="x"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n--X--`
  const key = z.object({ a: z.string() })
  const read = (sent: string) =>
    parse({ [MULTIPART]: z.object({ key }) }, sent, `${MULTIPART}; boundary=X`)
  const marked = await read(part('application/json', '\uFEFF{"a":"x"}'))
  expect(unwrap(marked).body).toEqual({ key: { a: 'x' } })
  const unknown = await read(part('', '{"a":"x"}'))
  expect(isFailure(unknown) && issuesFrom(unknown.error)).toEqual([
    {
      location: 'body',
      pointer: '/key',
      detail: 'expected application/json, found no media type',
    },
  ])
})

describe('a form', () => {
  const meta = z.object({ a: z.string() })

  it('a part may have a Content-Type and no file name, as curl sends it (RFC 7578 §4.4)', async () => {
    const lines = ['--X', 'Content-Disposition: form-data; name="key"']
    const text = [...lines, 'Content-Type: application/json', '', '{"a":"x"}', '--X--', ''].join(
      '\r\n',
    )
    const result = await parse(
      { [MULTIPART]: z.object({ key: meta }) },
      text,
      `${MULTIPART}; boundary=X`,
    )
    expect(unwrap(result).body).toEqual({ key: { a: 'x' } })
  })

  it('a form may have an empty field and a file the schema does not name', async () => {
    const form = new FormData()
    form.append('a', 'x')
    form.append('other', '')
    form.append('file', new File(['{}'], 'x.json', { type: 'application/json' }))
    const named = await parse({ [MULTIPART]: z.object({ a: z.string() }) }, form)
    expect(unwrap(named).body).toEqual({ a: 'x' })
    const loose = await parse({ [MULTIPART]: z.looseObject({ a: z.string() }) }, form)
    expect(filesByName(unwrap(loose).body)).toEqual({ a: 'x', other: '', file: 'the file x.json' })
  })

  it('each unreadable field is an issue', async () => {
    const form = new FormData()
    form.append('a', '{')
    form.append('b', new File(['x'], 'x.png', { type: 'image/png' }))
    form.append('c', '{}')
    form.append('c', '{}')
    form.append('d', '5')
    form.append('e', new File(['{'], 'e.json', { type: 'application/json' }))
    form.append('f', new File(['x'], 'x'))
    form.append('g', new File(['x'], 'x', { type: `a/${'b'.repeat(200)}` }))
    form.append('h', '{"a":"x"}')
    form.append('h', '{')
    const e = z.union([z.string(), meta])
    const h = z.array(meta)
    const body = z.object({ a: meta, b: meta, c: meta, d: z.int(), e, f: meta, g: meta, h })
    const result = await parse({ [MULTIPART]: body }, form)
    expect(isFailure(result) && issuesFrom(result.error)).toEqual([
      { location: 'body', pointer: '/a', detail: expect.stringMatching(/^not valid JSON: ./) },
      { location: 'body', pointer: '/b', detail: 'expected application/json, found image/png' },
      { location: 'body', pointer: '/c', detail: 'sent more than once' },
      { location: 'body', pointer: '/e', detail: expect.stringMatching(/^not valid JSON: ./) },
      {
        location: 'body',
        pointer: '/f',
        detail: 'expected application/json, found application/octet-stream',
      },
      {
        location: 'body',
        pointer: '/g',
        detail: `expected application/json, found a/${'b'.repeat(98)}`,
      },
      { location: 'body', pointer: '/h/1', detail: expect.stringMatching(/^not valid JSON: ./) },
    ])
  })

  it('text is passed to a schema that accepts other strings, even if it is not JSON', async () => {
    const word = z.union([z.literal('none'), meta])
    for (const body of [z.object({ word }), z.object({ word: z.array(word) })]) {
      const result = await parse({ [FORM]: body }, new URLSearchParams('word=other'))
      expect(isFailure(result) && result.error.message).not.toContain('not valid JSON')
    }
  })

  it('both values of a number sent twice are passed to the schema', async () => {
    const sent = new URLSearchParams('n=5&n=6')
    const result = await parse({ [FORM]: z.object({ n: z.int() }) }, sent)
    expect(isFailure(result) && result.error.message).toMatch(/received array$/)
  })

  it('a form includes the fields of its alternatives and combined schemas', async () => {
    const one = z.object({ kind: z.literal('a'), meta, n: z.int() })
    const other = z.object({ kind: z.literal('b'), list: z.array(meta), n: z.int() }).nullable()
    const body = z.union([one, other]).and(z.object({ flag: z.boolean() }))
    const sent = new URLSearchParams('kind=b&list={"a":"x"}&n=5&flag=true')
    const fields = { kind: 'b', list: [{ a: 'x' }], n: 5, flag: true }
    expect(unwrap(await parse({ [FORM]: body }, sent)).body).toEqual(fields)
  })

  it('unnamed fields have the types in additionalProperties', async () => {
    const sent = new URLSearchParams('x={"a":"x"}&y={"a":"y"}')
    const fields = { x: { a: 'x' }, y: { a: 'y' } }
    for (const body of [z.record(z.string(), meta), z.object({ x: meta }).catchall(meta)]) {
      expect(unwrap(await parse({ [FORM]: body }, sent)).body).toEqual(fields)
    }
    const numbers = z.record(z.string(), z.int())
    expect(unwrap(await parse({ [FORM]: numbers }, new URLSearchParams('x=1'))).body).toEqual({
      x: 1,
    })
  })

  it('keys with characters that a form encodes are read', async () => {
    const fields = { 'a&b': '1', 'a=b': '2', 'a%20b': '3', 'a+b': '4', 'a b': '5', a: '6' }
    const body = z.object(Object.fromEntries(Object.keys(fields).map((name) => [name, z.string()])))
    const forward = Object.entries(fields)
    for (const sent of [forward, forward.toReversed()]) {
      const form = new URLSearchParams(sent)
      expect(unwrap(await parse({ [FORM]: body }, form)).body).toEqual(fields)
    }
  })

  it('a form does not change a prototype', async () => {
    const names = '{"__proto__":{"a":"x"},"constructor":{"prototype":{"a":"x"}}}'
    const form = new URLSearchParams([
      ['key', names],
      ['__proto__', '{"a":"x"}'],
    ])
    const open = z.looseObject({ a: z.string().optional() })
    const { body } = unwrap(await parse({ [FORM]: z.object({ key: open }) }, form))
    const key = own(body, 'key')
    expect(Object.getPrototypeOf(key)).toBe(Object.prototype)
    expect(Object(key).a).toBe(undefined)
    expect('a' in {}).toBe(false)
  })

  it('optional members are not inherited at any depth', async () => {
    const body = z.object({ key: z.object({ valueOf: z.string().optional() }) })
    const result = await parse({ [FORM]: body }, new URLSearchParams('key={}'))
    expect(JSON.stringify(unwrap(result).body)).toBe('{"key":{}}')
  })

  it('the last of two members with one name is used, as in a JSON body (RFC 8259 §4)', async () => {
    const sent = new URLSearchParams('key={"a":"x","a":"y"}')
    const body = z.object({ key: meta })
    expect(unwrap(await parse({ [FORM]: body }, sent)).body).toEqual({ key: { a: 'y' } })
    const json = await parse(meta, '{"a":"x","a":"y"}', 'application/json')
    expect(unwrap(json).body).toEqual({ a: 'y' })
  })

  it('a field with more than 1,000 levels is rejected (RFC 8259 §9)', async () => {
    const chain = z.object({
      get child() {
        return chain.nullable()
      },
    }) as z.ZodType
    const text = `${'{"child":'.repeat(100_000)}null${'}'.repeat(100_000)}`
    const result = await parse(
      { [FORM]: z.object({ key: chain }) },
      new URLSearchParams({ key: text }),
    )
    expect(result).toMatchObject({
      error: { issues: [{ message: 'nested too deeply', path: ['key'] }] },
    })
  })
})
