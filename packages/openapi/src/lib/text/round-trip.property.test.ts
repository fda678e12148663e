import { deepStrictEqual } from 'node:assert/strict'
import { isFailure, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { character } from '../../../test/characters.ts'
import { OpenAPIParseError } from './errors.ts'
import { parse } from './parse.ts'
import { stringify } from './stringify.ts'

/** Strings that YAML readers may read as another type, and characters that text files may lose. */
const tricky = fc.constantFrom(
  'yes',
  'No',
  'on',
  'y',
  'null',
  'Null',
  '~',
  'true',
  '.inf',
  '.NaN',
  '<<',
  '=',
  '-',
  '?',
  ':',
  '12:30:45',
  '2020-01-01',
  '1e3',
  '1.',
  '0x1F',
  '0o17',
  '017',
  '1_000',
  '+1',
  '-0',
  '.5',
  '3.1',
  '',
  ' ',
  ' a',
  'a ',
  '\t',
  'a\tb',
  '\n',
  'a\n',
  'a\n\n',
  '\na',
  ' a\n  b',
  'a\r\nb',
  'a\rb',
  '# a',
  'a #b',
  'a: b',
  'a:',
  ': a',
  '- a',
  '? a',
  '!a',
  '&a',
  '*a',
  '%a',
  '@a',
  '`a',
  '|',
  '>',
  '---',
  '...',
  '--- a',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '\\',
  "a'b",
  '{a: b}',
  '[a]',
  "''",
  '\0',
  '\u0007',
  '\u001B',
  '\u007F',
  '\u0085',
  '\u00A0',
  '\u2028',
  '\u2029',
  '\uFEFF',
  '\uFFFE',
  '\uD800',
  'a\uDC00b',
  '\u{1F600}',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(1_100),
)

const text = fc.oneof(
  tricky,
  fc.string({ unit: character }),
  fc.tuple(tricky, tricky).map((two) => two.join('')),
)

// JSON has one zero.
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => value + 0)

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('json')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}))

const document = fc
  .record({
    openapi: fc.constantFrom('3.1.0', '3.1.1'),
    info: fc.record({ title: text, version: text, description: text }),
    paths: fc.dictionary(
      text.map((path) => `/${path}`),
      fc.dictionary(text, json),
    ),
    tags: fc.array(fc.record({ name: text, description: text })),
    'x-any': json,
  })
  // The value without prototypes, and with its members in order: only a program can create other values.
  .map((made): Parameters<typeof stringify>[0] => JSON.parse(JSON.stringify(made)))

describe('a stringified document', () => {
  it.each(['json', 'yaml'] as const)('the document parses to an equal document (%s)', (format) => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 10 }), (made, indent) => {
        const written = unwrap(stringify(made, { format, indent }))
        expect(written.endsWith('\n')).toBe(true)
        // Not toStrictEqual, which reads the type of an object from a member called `constructor`.
        deepStrictEqual(unwrap(parse(written)), made)
      }),
      { numRuns: 300 },
    )
  })

  it('the document keeps the member order', () => {
    fc.assert(
      fc.property(document, (made) => {
        const back = unwrap(parse(unwrap(stringify(made, { format: 'yaml' }))))
        expect(JSON.stringify(back)).toBe(JSON.stringify(made))
      }),
    )
  })
})

describe('any text', () => {
  const line = fc.tuple(
    fc.constantFrom('', '  ', '- ', '  - ', '? ', 'a: ', '&a ', '*a', '!!'),
    text,
  )
  const lines = fc.array(line.map((two) => two.join(''))).map((all) => all.join('\n'))

  it('any text is parsed as a document or fails with a position in the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          lines,
          lines.map((rest) => `{${rest}`),
          fc.json(),
        ),
        (source) => {
          const result = parse(source)
          if (!isFailure(result)) return
          const { error } = result
          expect(error).toBeInstanceOf(OpenAPIParseError)
          if (error.line === null) return
          const all = source.split(/\r\n?|\n/)
          expect(error.line).toBeGreaterThan(0)
          expect(error.line).toBeLessThanOrEqual(all.length)
          expect(error.column).toBeGreaterThan(0)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
