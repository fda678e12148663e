import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupByName, type Values } from '../schema/coerce.ts'
import { ContentError } from './content-error.ts'
import type { FormPart } from './form.ts'
import { readMultipart } from './multipart.ts'

const TYPE = 'multipart/form-data; boundary=X'

/** Reads a form by a schema that does not restrict its fields. */
function readAny(bytes: Uint8Array<ArrayBuffer>, type = TYPE): Values<FormPart> {
  return readMultipart(bytes, type, { shapes: new Map(), others: null })
}

function read(text: string, type = TYPE): unknown {
  try {
    return [...readAny(new TextEncoder().encode(text), type)].map(([name, value]) =>
      value instanceof File ? [name, value.name ?? '', value.type, value.size] : [name, value],
    )
  } catch (error) {
    if (error instanceof ContentError) return error.code
    throw error
  }
}

/** A part with these header lines and this content. */
function part(content: string, ...lines: string[]): string {
  return ['--X', ...lines, '', content, ''].join('\r\n')
}

const named = (parameters: string) => `Content-Disposition: form-data; ${parameters}`
const a = part('1', named('name="a"'))

describe('a multipart form has the parts between its delimiters (RFC 2046 §5.1.1)', () => {
  it.each<[what: string, text: string, parts: unknown]>([
    ['no part', '--X--', []],
    ['one part', `${a}--X--\r\n`, [['a', '1']]],
    ['two parts of one name', `${a}${a}--X--`, [['a', ['1', '1']]]],
    ['an empty part', `${part('', named('name="a"'))}--X--`, [['a', '']]],
    ['a part of line breaks', `${part('\r\n\r\n', named('name="a"'))}--X--`, [['a', '\r\n\r\n']]],
    [
      'dashes in a part',
      `${part('x\r\n--Y\r\n-X', named('name="a"'))}--X--`,
      [['a', 'x\r\n--Y\r\n-X']],
    ],
    ['text after the last delimiter', `${a}--X--\r\nbye`, [['a', '1']]],
    ['a line break before the first delimiter', `\r\n${a}--X--`, [['a', '1']]],
    ['spaces after a delimiter', `${a.replace('--X', '--X \t')}--X--`, [['a', '1']]],
    [
      'header fields in any letter case',
      `${part('1', 'content-DISPOSITION:form-data;Name=a')}--X--`,
      [['a', '1']],
    ],
    [
      'other header fields',
      `${part('1', 'X-A: b', named('name="a"'), 'no colon')}--X--`,
      [['a', '1']],
    ],
  ])('the form has %s', (_, text, parts) => {
    expect(read(text)).toEqual(parts)
  })

  it.each([
    ['no bytes', ''],
    ['no last delimiter', a],
    ['a last delimiter that is cut short', `${a}--X-`],
    ['text before the first delimiter', `hello\r\n${a}--X--`],
    ['a space before the first delimiter', ` ${a}--X--`],
    ['text after a delimiter', `${a.replace('--X', '--Xy')}--X--`],
    ['a part without an empty line', `--X\r\n${named('name="a"')}\r\n--X--`],
    ['a part without a name', `${part('1', named('filename="a"'))}--X--`],
    [
      'a part of another disposition',
      `${part('1', 'Content-Disposition: attachment; name="a"')}--X--`,
    ],
    ['a part without a disposition', `${part('1', 'Content-Type: text/plain')}--X--`],
  ])('a form is malformed: %s', (_, text) => {
    expect(read(text)).toBe('malformed')
  })

  it.each([
    ['in quotes', 'multipart/form-data; boundary="X"', [['a', '1']]],
    ['in another letter case', 'multipart/form-data; charset=utf-8; BOUNDARY=X', [['a', '1']]],
    ['absent', 'multipart/form-data', 'malformed'],
    ['empty', 'multipart/form-data; boundary=', 'malformed'],
    ['another one', 'multipart/form-data; boundary=x', 'malformed'],
  ])('the boundary may be: %s', (_, type, parts) => {
    expect(read(`${a}--X--`, type)).toEqual(parts)
  })
})

describe('a part has a name, and is a file if it has a file name (RFC 7578 §4.2)', () => {
  it.each([
    ['escapes of browsers (HTML §4.10.21.8)', 'name="a%22b%0D%0Ac%41"', 'a"b\r\nc%41'],
    ['a quote that other clients escape', 'name="a\\"b;c"', 'a"b;c'],
    ['a backslash', 'name="a\\b"', 'a\\b'],
    ['a backslash at its end', 'name="a\\"', 'a\\'],
    ['a backslash at its end, before another parameter', 'name="a\\"; x="y"', 'a\\'],
    ['other characters', 'name="ä 😀"', 'ä 😀'],
    ['no characters', 'name=""', ''],
    ['a name like a parameter', 'name="filename=x"', 'filename=x'],
  ])('the name may have: %s', (_, parameters, name) => {
    expect(read(`${part('1', named(parameters))}--X--`)).toEqual([[name, '1']])
  })

  it('a file has its file name, its media type and its bytes', async () => {
    const lines = [named('name="a"; filename="b.png"'), 'Content-Type: image/png']
    const bytes = new Uint8Array([0, 0xff, 0x0d, 0x0a, 0x2d, 0x2d, 0x58, 0x0d])
    const head = new TextEncoder().encode(`--X\r\n${lines.join('\r\n')}\r\n\r\n`)
    const end = new TextEncoder().encode('\r\n--X--')
    // The content may hold the delimiter's characters, but not after a line break.
    bytes.set([0x20], 3)
    const sent = new Uint8Array(await new Blob([head, bytes, end]).arrayBuffer())
    const [[name, file] = []] = readAny(sent)
    if (!(file instanceof File)) throw new Error('no file')
    expect([name, file.name, file.type]).toEqual(['a', 'b.png', 'image/png'])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
  })

  it('a file without a media type is text (RFC 7578 §4.4)', () => {
    const text = `${part('1', named('name="a"; filename="b"'))}--X--`
    expect(read(text)).toEqual([['a', 'b', expect.stringMatching(/^text\/plain/), 1]])
  })
})

it('a form written by the runtime is read with names and values', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 8 })
  // HTML §4.10.21.8: a form writes every line break as CRLF.
  const values = texts.map((text) => text.replaceAll(/[\r\n]/g, ' '))
  const entries = fc.array(
    fc.tuple(
      // Browsers and Node write a backslash of a name as it is. workerd doubles it, and rejects it at the end.
      values.filter((one) => !/[%\\]/.test(one)),
      values,
    ),
  )
  await fc.assert(
    fc.asyncProperty(entries, async (pairs) => {
      const form = new FormData()
      for (const [name, value] of pairs) form.append(name, value)
      const sent = new Request('http://h/', { method: 'POST', body: form })
      const type = sent.headers.get('Content-Type') ?? ''
      expect(readAny(new Uint8Array(await sent.arrayBuffer()), type)).toEqual(groupByName(pairs))
    }),
  )
})

it('any bytes are read or rejected in linear time', { timeout: 60_000 }, () => {
  const pieces = fc.constantFrom(
    '--X',
    '--X--',
    '\r\n',
    '\r',
    '\n',
    '-',
    ' ',
    'Content-Disposition: form-data; name="a"',
    '; filename="',
    '"',
    '\\',
    ';',
    'Content-Type: text/plain; charset=',
    'utf-16',
    ':',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      read(parts.join(''))
    }),
    { numRuns: 500 },
  )
  for (const piece of ['\r', '\r\n--', '\r\n--Xy', '; name="', '\\"', a, 'a:b\r\n', ';']) {
    const many = piece.repeat(Math.ceil(1_000_000 / piece.length))
    read(many)
    read(`--X\r\n${named('name="a"')}${many}\r\n\r\n1\r\n--X--`)
    read(`--X\r\n${named('name="a"')}\r\n\r\n${many}\r\n--X--`)
  }
})
