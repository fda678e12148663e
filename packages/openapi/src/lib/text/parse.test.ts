import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it, vi } from 'vitest'
import { addressOfCode } from '../address.ts'
import { OpenAPIParseError, type ParseErrorCode } from './errors.ts'
import { HEAD, rejectedHeads, rejectedJson, rejectedShapes, rejectedYaml } from './parse.cases.ts'
import { parse } from './parse.ts'

const head = { openapi: '3.1.1', info: { title: 'Books', version: '1' } }

function rejection(text: string): OpenAPIParseError | undefined {
  const result = parse(text)
  return isFailure(result) ? result.error : undefined
}

/** The error of a row. The first line of its message names the pointer and the position. */
function expected(
  pointer: string,
  position: readonly [line: number, column: number] | null,
  code: ParseErrorCode,
) {
  const start = pointer ? `${pointer}: ` : ''
  const end = position ? ` (line ${position[0]}, column ${position[1]})` : ''
  return {
    name: 'OpenAPIParseError',
    code,
    pointer,
    line: position?.[0] ?? null,
    column: position?.[1] ?? null,
    message: firstLine(start, end),
  }
}

function firstLine(start: string, end: string) {
  return expect.toSatisfy((message: string) => {
    const [line = ''] = message.split('\n')
    return line.startsWith(start) && line.endsWith(end)
  }, `${start}…${end}`)
}

describe('a document', () => {
  it.each(['3.1.0', '3.1.1', '3.1.2', '3.1.10', '3.1.0-rc0'])(
    'a document may declare OpenAPI %s',
    (openapi) => {
      expect(unwrap(parse(JSON.stringify({ ...head, openapi })))).toStrictEqual({
        ...head,
        openapi,
      })
    },
  )

  it('a document is JSON if it starts with a brace, after spaces or a byte order mark', () => {
    const text = JSON.stringify(head)
    for (const before of ['', ' \n\t', '\uFEFF', '\uFEFF\r\n ']) {
      expect(unwrap(parse(before + text))).toStrictEqual(head)
    }
    expect(rejection('{openapi: 3.1.1}')?.code).toBe('invalid-json')
  })

  it('a JSON document may have a duplicate member after spaces (RFC 8259 §4)', () => {
    for (const before of ['', ' ', '\n  ']) {
      const text = JSON.stringify(head).replace('{', '{"x-a":1,"x-a":2,')
      expect(unwrap(parse(before + text))).toStrictEqual({ ...head, 'x-a': 2 })
    }
  })

  it('a document is YAML if white space precedes a brace and it is not JSON (YAML 1.2.2 §7.4)', () => {
    const flow = '{openapi: 3.1.1, info: {title: Books, version: "1"}} # a comment\n'
    for (const before of [' ', '\n', '\n\n  ', '\uFEFF ']) {
      expect(unwrap(parse(before + flow))).toStrictEqual(head)
    }
    expect(rejection(' {openapi: 3.1.1, openapi: 3.1.2}')).toMatchObject({
      code: 'invalid-yaml',
      message: expect.stringContaining('not valid YAML: duplicated mapping key'),
      line: 1,
      column: 19,
    })
  })

  it('a JSON list is read as YAML, so a key may not be duplicated', () => {
    expect(rejection('[{"a": 1, "a": 2}]')?.code).toBe('invalid-yaml')
  })

  it('any other document is YAML, with any line end and a byte order mark', () => {
    const text = 'openapi: 3.1.1\ninfo:\n  title: Books\n  version: "1"\n'
    for (const end of ['\n', '\r\n', '\r']) {
      expect(unwrap(parse(text.replaceAll('\n', end)))).toStrictEqual(head)
    }
    for (const before of ['\uFEFF', '# a comment\n', '---\n', '%YAML 1.2\n---\n']) {
      expect(unwrap(parse(before + text))).toStrictEqual(head)
    }
    expect(unwrap(parse(`${text}...\n`))).toStrictEqual(head)
  })

  it('a document may lack paths, components and webhooks', () => {
    expect(unwrap(parse(`${HEAD}tags: []`))).toStrictEqual({ ...head, tags: [] })
  })

  it('a document keeps extensions and unchecked fields', () => {
    const rest = {
      'x-a': [null, { b: 1 }],
      paths: { 'x-c': 1, '/d': { get: 5 } },
      externalDocs: {},
    }
    expect(unwrap(parse(JSON.stringify({ ...head, ...rest })))).toStrictEqual({ ...head, ...rest })
  })

  it('schemas may be true and false (OpenAPI 3.1.1 §4.8.24)', () => {
    const components = { schemas: { Any: true, None: false }, 'x-a': 1 }
    const text = JSON.stringify({ ...head, components })
    expect(unwrap(parse(text)).components).toStrictEqual(components)
  })

  it('a document may have servers, tags and security, with and without scopes (OpenAPI 3.1.1 §4.8.1)', () => {
    const fields = {
      servers: [{ url: '/v1' }, { url: 'https://example.com' }],
      tags: [{ name: 'a' }, { name: 'b', description: 'B' }],
      security: [{}, { key: [] }, { token: ['read', 'write'], key: [] }],
    }
    expect(unwrap(parse(JSON.stringify({ ...head, ...fields })))).toMatchObject(fields)
  })

  it.each(rejectedHeads)('a head is rejected: %s', (_, text, ...rest) => {
    expect(rejection(text)).toMatchObject(expected(...rest))
  })

  it('a document without info is rejected, and the message names info', () => {
    expect(rejection('openapi: 3.1.0')?.message).toContain('info')
  })

  it.each(rejectedShapes)('a document is rejected: %s', (_, text, ...rest) => {
    expect(rejection(HEAD + text)).toMatchObject(expected(...rest))
    for (const end of ['\r\n', '\r']) {
      expect(rejection((HEAD + text).replaceAll('\n', end))).toMatchObject(expected(...rest))
    }
  })

  it.each(['', ' \n', '# nothing\n'])('an empty document is rejected: %j', (text) => {
    expect(rejection(text)).toMatchObject(expected('', null, 'invalid-yaml'))
  })

  it.each([
    ['info.title is missing', 'openapi: 3.1.1\ninfo: { version: "1" }'],
    [
      'the document is OpenAPI 3.0.3, not OpenAPI 3.1.x; convert it to OpenAPI 3.1',
      'openapi: 3.0.3',
    ],
    [
      "the document is OpenAPI 3.2.0, not OpenAPI 3.1.x; give parse the option versions: ['3.1', '3.2']",
      'openapi: 3.2.0',
    ],
    ['the document is Swagger 2.0, not OpenAPI 3.1.x; convert it to OpenAPI 3.1', 'swagger: "2.0"'],
    ['the document is Swagger 2.0, not OpenAPI 3.1.x; convert it to OpenAPI 3.1', 'swagger: 2.0'],
    [
      'the document is OpenAPI 3.1, not OpenAPI 3.1.x; write a version such as 3.1.1',
      'openapi: "3.1"',
    ],
    [
      `the document is OpenAPI ${'3'.repeat(40)}, not OpenAPI 3.1.x; write a version such as 3.1.1`,
      `openapi: ${'3'.repeat(100)}x`,
    ],
    ['the document must be an object', '- a'],
    ['openapi is missing', 'info: {}'],
    ['openapi must be a string, such as "3.1.1" in quotes', 'openapi: 3.1'],
    ['info is missing', 'openapi: 3.1.1'],
    ['info must be an object', 'openapi: 3.1.1\ninfo: a'],
    [
      'info.title must be a string, such as "Books" in quotes',
      'openapi: 3.1.1\ninfo: { title: 1 }',
    ],
    [
      'info.version must be a string, such as "1.0.0" in quotes',
      'openapi: 3.1.1\ninfo: { title: a, version: 1.0 }',
    ],
    ['info.version is missing', 'openapi: 3.1.1\ninfo: { title: a }'],
    ['paths must be an object', `${HEAD}paths: []`],
    ['the value must be an object', `${HEAD}webhooks: { a: 1 }`],
    ['components must be an object', `${HEAD}components: []`],
    ['schemas must be an object', `${HEAD}components: { schemas: [] }`],
    ['the value must be an object', `${HEAD}components: { schemas: { A: 1 } }`],
    ['servers must be a list', `${HEAD}servers: {}`],
    ['the value must be an object with a string name', `${HEAD}tags: [{}]`],
    ['security must be a list', `${HEAD}security: {}`],
    ['the value must be an object whose values are lists of scopes', `${HEAD}security: [a]`],
    ['the value contains itself', `${HEAD}x-a: &a [*a]`],
    ['the value must be an object with a string url', `${HEAD}servers: [{}]`],
    ['a path must start with /', `${HEAD}paths: { books: {} }`],
    ['a key must be a scalar, not a list or a map', `${HEAD}? [a]\n: b`],
    ['JSON cannot represent NaN', `${HEAD}x-a: .nan`],
  ])('the message says what was expected: %s', (sentence, text) => {
    expect(rejection(text)?.message.split('\n')[0]).toContain(`${sentence} (line `)
  })

  it('a rejection is an Error instance', () => {
    expect(rejection('[]')).toBeInstanceOf(OpenAPIParseError)
    expect(rejection('[]')).toBeInstanceOf(Error)
  })
})

describe("an error message's place", () => {
  const excerpt = (text: string) => rejection(text)?.message.split('\n').slice(1, -1)

  it.each<[what: string, text: string, shown: readonly string[]]>([
    ['a value', `${HEAD}servers: {}`, ['servers: {}', '         ^']],
    ['a key', `${HEAD}paths:\r\n  books: {}\r\n`, ['  books: {}', '  ^']],
    ['tabs', '{\n\t"info":\t}', ['\t"info":\t}', '\t       \t^']],
    ['a value after a byte order mark', '\uFEFF{"a" 1}', ['{"a" 1}', '     ^']],
    ['the end of the text', '{"a": 1', ['{"a": 1', '       ^']],
    ['control characters', '{"a":"\u001B[31m"}', ['{"a":"\uFFFD[31m"}', '      ^']],
  ])('the message shows %s', (_, text, shown) => {
    expect(excerpt(text)).toStrictEqual(shown)
  })

  it('the message shows at most 80 characters from a long line', () => {
    const long = `{"a": "${'b'.repeat(200)}", x: "${'c'.repeat(1_000_000)}"}`
    const shown = `…${long.slice(170, 250)}…`
    expect(excerpt(long)).toStrictEqual([shown, `${' '.repeat(41)}^`])
    expect(shown[41]).toBe('x')
  })

  it('the message shows only known facts', () => {
    const error = new OpenAPIParseError({ code: 'invalid-path' })
    const address = addressOfCode('openapi-text', 'invalid-path')
    expect(error).toMatchObject({ message: `a path must start with /\n${address}`, pointer: '' })
    const position = { line: 1, column: 2 }
    const placed = new OpenAPIParseError({ code: 'invalid-path' }, '/a', position)
    expect(placed.message).toBe(`/a: a path must start with / (line 1, column 2)\n${address}`)
  })

  it('the message ends with the URL explaining the code', () => {
    expect(rejection('{"a" 1}')?.message.split('\n').at(-1)).toBe(
      addressOfCode('openapi-text', 'invalid-json'),
    )
  })

  it('the message does not show a line if the error does not have a position', () => {
    expect(excerpt('')).toStrictEqual([])
    expect(rejection('')?.message).toMatch(/^the text is not valid YAML: .* empty$/m)
  })
})

describe('YAML', () => {
  it('YAML is YAML 1.2: yes, dates and times are strings (YAML 1.2.2 §10.3)', () => {
    const list = 'yes, NO, on, y, 12:30:45, 2020-01-01, 1_000, 0b1, <<'
    const document = unwrap(parse(`${HEAD}x-a: [${list}]`))
    expect(document['x-a']).toStrictEqual(list.split(', '))
    const core = unwrap(parse(`${HEAD}x-a: [~, null, true, 0o17, 0x1F, 1e3, -2.5, !!str 12]`))
    expect(core['x-a']).toStrictEqual([null, null, true, 15, 31, 1000, -2.5, '12'])
  })

  it('YAML integers beyond 2^53 are rounded to a double, as in JSON (RFC 8259 §6)', () => {
    const text = '[9007199254740993, 18446744073709551615]'
    expect(unwrap(parse(`${HEAD}x-a: ${text}`))['x-a']).toStrictEqual(JSON.parse(text))
  })

  it('YAML keys are strings', () => {
    const document = unwrap(parse(`${HEAD}x-a: {200: a, true: b, null: c, 2.50: d}`))
    expect(document['x-a']).toStrictEqual({ 200: 'a', true: 'b', null: 'c', 2.5: 'd' })
  })

  it('a YAML alias repeats the value', () => {
    const document = unwrap(parse(`${HEAD}x-a: &a {b: [1]}\nx-b: [*a, *a]`))
    expect(document['x-b']).toStrictEqual([{ b: [1] }, { b: [1] }])
  })

  it('YAML keeps `__proto__` and `<<` as keys, and does not change a prototype', () => {
    const document = unwrap(parse(`${HEAD}x-a: {__proto__: {b: 1}}\nx-b: {<<: {c: 1}}`))
    expect(document['x-a']).toStrictEqual(JSON.parse('{"__proto__":{"b":1}}'))
    expect(document['x-b']).toStrictEqual({ '<<': { c: 1 } })
    const root = '__proto__: {openapi: 3.1.1, info: {title: Books, version: "1"}}'
    expect(rejection(root)?.code).toBe('missing-field')
  })

  it.each(rejectedYaml)('YAML is rejected: %s', (_, text, ...rest) => {
    expect(rejection(HEAD + text)).toMatchObject(expected(...rest))
  })

  it('YAML is read to 500 levels', () => {
    const nested = (levels: number) =>
      `${HEAD}x-a: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`
    expect(isFailure(parse(nested(500)))).toBe(false)
    const pointer = `/x-a${'/0'.repeat(499)}`
    expect(rejection(nested(501))).toMatchObject(expected(pointer, [3, 505], 'nesting-too-deep'))
  })

  it('YAML is rejected quickly if aliases expand to more than ten times the text', () => {
    const lists = ['x-0: &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]']
    for (let level = 1; level < 30; level += 1) {
      lists.push(
        `x-${level}: &l${level} [${Array(10)
          .fill(`*l${level - 1}`)
          .join(', ')}]`,
      )
    }
    const started = performance.now()
    const error = rejection(HEAD + lists.join('\n'))
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(error).toMatchObject({ code: 'too-many-aliases' })
    expect(error).toMatchObject({ line: expect.any(Number), column: expect.any(Number) })
  })

  it('YAML aliases may expand to more than 10,000 values, if the text is long', () => {
    const list = `x-a: &a [${'1,'.repeat(99)}1]\nx-b: [${'*a ,'.repeat(149)}*a ]\n`
    expect(rejection(HEAD + list)?.code).toBe('too-many-aliases')
    const comment = `#${' '.repeat(5_000)}`
    expect(unwrap(parse(HEAD + list + comment))['x-b']).toHaveLength(150)
  })

  it('YAML may be large if it does not use aliases', () => {
    const list = `x-a: [${'1, '.repeat(20_000)}1] # &`
    expect(unwrap(parse(HEAD + list))['x-a']).toHaveLength(20_001)
  })
})

describe('JSON', () => {
  it.each<[what: string, number: string, found: string]>([
    ['an exponent', '1e400', 'Infinity'],
    ['an exponent with a sign', '-1.5E+400', '-Infinity'],
    ['an exponent with zeros', '1e00400', 'Infinity'],
    ['309 digits', '9'.repeat(309), 'Infinity'],
    ['digits and an exponent', `${'9'.repeat(250)}e99`, 'Infinity'],
  ])('JSON is rejected with a number beyond a double, by %s (RFC 8259 §6)', (_, number, found) => {
    const head = '{"openapi":"3.1.1","info":{"title":"a","version":"1"},"x-a":['
    const error = rejection(`${head}null,${number}]}`)
    expect(error).toMatchObject(expected('/x-a/1', [1, 67], 'unsupported-value'))
    expect(error?.message).toContain(`JSON cannot represent ${found} (line `)
  })

  it('JSON is accepted 100,000 levels deep if it contains a string like a large number', () => {
    const deep = `${'['.repeat(100_000)}"1e400"${']'.repeat(100_000)}`
    const text = `{"openapi":"3.1.1","info":{"title":"a","version":"1"},"x-a":${deep}}`
    expect(unwrap(parse(text)).info.title).toBe('a')
  })

  it.each(['1e308', '1e-400', '9'.repeat(308), `0.${'9'.repeat(400)}`, '"1e400"', '"Infinity"'])(
    'JSON is accepted with %.20s (RFC 8259 §6)',
    (value) => {
      const text = `{"openapi":"3.1.1","info":{"title":"a","version":"1"},"x-a":${value}}`
      expect(unwrap(parse(text))).toEqual(JSON.parse(text))
    },
  )

  it.each(rejectedJson)('invalid JSON is rejected: %.40j', (text, place, what) => {
    const error = rejection(text)
    expect(error).toMatchObject(expected('', place, 'invalid-json'))
    expect(error?.message).toContain(`the text is not valid JSON: expected ${what} (line `)
  })

  it('the last of two JSON members with one name is used, and its position', () => {
    const text = '{"openapi": "3.1.1", "info": {"title": "a", "version": "1"}, "openapi": 5}'
    expect(rejection(text)).toMatchObject({ pointer: '/openapi', line: 1, column: 73 })
  })

  it('JSON may be 100,000 levels deep, and a fault then does not have a position', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const text = `{"openapi":"3.1.1","info":{"title":"a","version":"1"},"x-a":${deep}}`
    expect(unwrap(parse(text)).info.title).toBe('a')
    const place = { line: null, column: null }
    expect(rejection(`{"openapi":"3.1.1","x-a":${deep}}`)).toMatchObject(place)
    const paths = `${text.slice(0, -1)},"paths":{"books":{}}}`
    expect(rejection(paths)).toMatchObject({ ...place, code: 'invalid-path' })
  })

  it('an error that is not about the text is rethrown', () => {
    const parseJson = vi.spyOn(JSON, 'parse').mockImplementation(() => {
      throw new TypeError('a bug')
    })
    try {
      expect(() => parse('{}')).toThrow(TypeError)
    } finally {
      parseJson.mockRestore()
    }
  })

  it('JSON keeps `__proto__` as a key', () => {
    expect(rejection('{"__proto__":{"openapi":"3.1.1"}}')?.code).toBe('missing-field')
  })
})
