import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { addressOfCode } from '../address.ts'
import type { Document } from '../openapi.ts'
import { OpenAPIStringifyError, type StringifyErrorCode } from './errors.ts'
import { parse } from './parse.ts'
import { type StringifyOptions, stringify } from './stringify.ts'

function documentWith(value: unknown): Document {
  return { openapi: '3.1.1', info: { title: 'Books', version: '1.0' }, 'x-a': value }
}

function rejection(document: Document, options?: StringifyOptions) {
  const result = stringify(document, options)
  return isFailure(result) ? result.error : undefined
}

const formats = ['json', 'yaml'] as const

describe('a stringified document', () => {
  it('the document is JSON with two spaces per level and a final line break by default', () => {
    const document = documentWith([{ b: 1, c: true, d: null }])
    expect(unwrap(stringify(document))).toBe(`${JSON.stringify(document, null, 2)}\n`)
    expect(unwrap(stringify(document, {}))).toBe(unwrap(stringify(document, { format: 'json' })))
  })

  it('the document has `indent` spaces per level, in each format', () => {
    const document = documentWith([{ b: 1 }])
    for (const indent of [0, 1, 4, 10]) {
      const text = JSON.stringify(document, null, indent)
      expect(unwrap(stringify(document, { indent }))).toBe(`${text}\n`)
    }
    expect(unwrap(stringify(document, { format: 'yaml', indent: 1 }))).toContain('\n title: Books')
    expect(unwrap(stringify(document, { format: 'yaml', indent: 4 }))).toContain(
      '\n    title: Books',
    )
  })

  it('an indent is rejected if the format does not allow it', () => {
    for (const indent of [-1, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(rejection(documentWith(1), { indent })).toMatchObject({
        code: 'invalid-indent',
        message: `indent must be 0 to 10, not ${indent}\n${addressOfCode('openapi-text', 'invalid-indent')}`,
      })
    }
    expect(rejection(documentWith(1), { format: 'yaml', indent: 0 })?.message).toBe(
      `indent must be 1 to 10, not 0\n${addressOfCode('openapi-text', 'invalid-indent')}`,
    )
  })

  it('YAML is readable: no folding, no anchors, and quotes only if required', () => {
    const shared = { description: `${'word '.repeat(100)}end`, list: [1, [], {}] }
    const lines = ['openapi: 3.1.1', 'info:', '  title: Books', "  version: '1.0'"]
    const item = [
      `  - description: ${shared.description}`,
      '    list:',
      '      - 1',
      '      - []',
      '      - {}',
    ]
    const text = unwrap(stringify(documentWith([shared, shared]), { format: 'yaml' }))
    expect(text).toBe([...lines, 'x-a:', ...item, ...item, ''].join('\n'))
  })

  it('a string with several lines is written as a block', () => {
    const text = unwrap(stringify(documentWith('# Books\n\nAll: of them.\n'), { format: 'yaml' }))
    expect(text).toContain('x-a: |\n  # Books\n\n  All: of them.\n')
  })

  it.each([
    'yes',
    'No',
    'on',
    'y',
    '12:30:45',
    '2020-01-01',
    '0b1',
    '1_000',
    '<<',
    '0o17',
    '~',
    '1e3',
  ])('the string %s is quoted, because YAML 1.1 or 1.2 would parse it as another type', (word) => {
    const text = unwrap(stringify(documentWith({ [word]: word }), { format: 'yaml' }))
    expect(text).toContain(`\n  '${word}': '${word}'\n`)
  })

  it.each(formats)('undefined members are omitted, like in JSON (%s)', (format) => {
    const document = documentWith({ b: undefined, c: [{ d: undefined }] })
    expect(unwrap(parse(unwrap(stringify(document, { format }))))).toStrictEqual(
      documentWith({ c: [{}] }),
    )
  })

  it.each(formats)('objects without a prototype are accepted (%s)', (format) => {
    const bare = Object.assign(Object.create(null), { b: 1 })
    const text = unwrap(stringify(documentWith(bare), { format }))
    expect(unwrap(parse(text))['x-a']).toStrictEqual({ b: 1 })
  })

  it.each(['yml', 'xml', 'YAML', '', null, {}])('the unknown format %j is rejected', (format) => {
    const options = { format } as StringifyOptions
    expect(rejection(documentWith(1), options)).toMatchObject({
      name: 'OpenAPIStringifyError',
      pointer: '',
      code: 'invalid-format',
      message: `format must be json or yaml\n${addressOfCode('openapi-text', 'invalid-format')}`,
    })
  })

  it('the document is unchanged', () => {
    const document = documentWith({ b: undefined, c: [1] })
    const before = structuredClone(document)
    for (const format of formats) unwrap(stringify(document, { format }))
    expect(document).toStrictEqual(before)
  })
})

describe('a value JSON cannot represent', () => {
  const circle: Record<string, unknown> = {}
  circle['c/d'] = [circle]
  const rejected: readonly (readonly [
    string,
    unknown,
    pointer: string,
    code: StringifyErrorCode,
  ])[] = [
    ['a circle', circle, '/x-a/c~1d/0', 'circular-value'],
    ['NaN', { b: [Number.NaN] }, '/x-a/b/0', 'unsupported-value'],
    ['infinity', Number.NEGATIVE_INFINITY, '/x-a', 'unsupported-value'],
    ['a bigint', [1n], '/x-a/0', 'unsupported-value'],
    ['a function', { b: () => 1 }, '/x-a/b', 'unsupported-value'],
    ['a symbol', [Symbol('b')], '/x-a/0', 'unsupported-value'],
    ['undefined in a list', [1, undefined], '/x-a/1', 'unsupported-value'],
    ...[new Date(0), new Map(), /b/, new URL('https://example.com')].map(
      (value) =>
        [`a ${value.constructor.name}`, { b: value }, '/x-a/b', 'unsupported-value'] as const,
    ),
  ]

  it.each(rejected)(
    'stringify rejects the value and names the pointer: %s',
    (_, value, pointer, code) => {
      for (const format of formats) {
        const error = rejection(documentWith(value), { format })
        expect(error).toBeInstanceOf(OpenAPIStringifyError)
        expect(error).toMatchObject({
          name: 'OpenAPIStringifyError',
          code,
          pointer,
          message: expect.stringContaining(`${pointer}: `),
        })
      }
    },
  )

  it('stringify rejects an undefined document', () => {
    const { data: document } = JSON.parse('{}')
    expect(rejection(document)).toMatchObject({
      code: 'unsupported-value',
      pointer: '',
      message: `JSON cannot represent undefined\n${addressOfCode('openapi-text', 'unsupported-value')}`,
    })
  })

  it.each(formats)('stringify rejects more than 500 levels (%s)', (format) => {
    const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
      let value: unknown = 1
      for (let level = 1; level < levels; level += 1) value = wrap(value)
      return value
    }
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ b: inner })]) {
      const document = documentWith(nested(500, wrap))
      expect(unwrap(parse(unwrap(stringify(document, { format }))))).toStrictEqual(document)
      for (const levels of [501, 100_000]) {
        const error = rejection(documentWith(nested(levels, wrap)), { format })
        expect(error?.message).toContain('the value is nested deeper than 500 levels')
        expect(error?.code).toBe('nesting-too-deep')
        expect(error?.pointer.split('/')).toHaveLength(501)
      }
    }
  })
})
