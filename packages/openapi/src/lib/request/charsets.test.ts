import { isFailure, isSuccess } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { BodySpec, OperationSpec } from '../spec/operation-spec.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=X'

/** The value that was read from a request, or the code of its rejection. */
async function outcomeOf(spec: Omit<OperationSpec, 'summary'>, request: Request): Promise<unknown> {
  const full: OperationSpec = { summary: 'Send', ...spec }
  const result = await defineOperation('send', { method: 'POST', pattern: '/x' }, full).parse(
    request,
  )
  if (isFailure(result)) return result.error.code
  return spec.query ? result.data.query : result.data.body
}

function send(type: string, ...pieces: readonly (string | readonly number[])[]): Request {
  const body = new Blob(
    pieces.map((piece) => (typeof piece === 'string' ? piece : new Uint8Array(piece))),
  )
  const request = new Request('http://h/x', { method: 'POST', body })
  request.headers.set('Content-Type', type)
  return request
}

/** A form with one part, which has these header lines after its name. */
function multipart(lines: readonly string[], ...content: readonly (string | readonly number[])[]) {
  const head = ['--X', 'Content-Disposition: form-data; name="key"', ...lines, '', ''].join('\r\n')
  return send(MULTIPART, head, ...content, '\r\n--X--\r\n')
}

const text = z.string()
const key = z.object({ key: z.string() })
const MALFORMED = 'malformed'
const UNSUPPORTED = 'unsupported-media-type'

describe('a body with bytes invalid in its charset', () => {
  it.each<[what: string, body: BodySpec, request: Request, outcome: unknown]>([
    ['JSON, a byte of Latin-1', text, send(JSON_TYPE, '"', [0xe9], '"'), MALFORMED],
    ['JSON, a sequence cut short', text, send(JSON_TYPE, '"', [0xe2, 0x82], '"'), MALFORMED],
    ['JSON, an overlong slash', text, send(JSON_TYPE, '"', [0xc0, 0xaf], '"'), MALFORMED],
    ['JSON, a surrogate', text, send(JSON_TYPE, '"', [0xed, 0xa0, 0x80], '"'), MALFORMED],
    ['JSON, U+FFFD itself', text, send(JSON_TYPE, '"\ufffd"'), '\ufffd'],
    [
      'JSON, with a charset that it ignores (RFC 8259 §11)',
      text,
      send(`${JSON_TYPE}; charset=iso-8859-1`, '"é"'),
      'é',
    ],
    ['+json', text, send('application/x+json', '"', [0xff], '"'), MALFORMED],
    ['text', { 'text/plain': text }, send('text/plain', [0xe9]), MALFORMED],
    ['text, U+FFFD itself', { 'text/plain': text }, send('text/plain', '\ufffd'), '\ufffd'],
    [
      'text, with a byte order mark',
      { 'text/plain': text },
      send('text/plain', [0xef, 0xbb, 0xbf], 'a'),
      'a',
    ],
    ['any media type', { '*/*': z.unknown() }, send('image/png', [0x89]), MALFORMED],
    ['an urlencoded form', { [FORM]: key }, send(FORM, 'key=', [0xe9]), MALFORMED],
    ['its percent-encoded bytes', { [FORM]: key }, send(FORM, 'key=%E9'), MALFORMED],
    ['those of a name', { [FORM]: key }, send(FORM, 'key=a&%E9=b'), MALFORMED],
    ['after a percent sign alone', { [FORM]: key }, send(FORM, 'key=%+%E9'), MALFORMED],
    [
      'a percent sign alone is itself',
      { [FORM]: key },
      send(FORM, 'key=%C3%A9%zz'),
      {
        key: 'é%zz',
      },
    ],
    [
      'a percent-encoded U+FFFD',
      { [FORM]: key },
      send(FORM, 'key=%EF%BF%BD'),
      {
        key: '\ufffd',
      },
    ],
    ['a part of a form', { 'multipart/form-data': key }, multipart([], [0xe9]), MALFORMED],
    [
      'the name of a part',
      { 'multipart/form-data': key },
      send(
        MULTIPART,
        '--X\r\nContent-Disposition: form-data; name="',
        [0xe9],
        '"\r\n\r\na\r\n--X--\r\n',
      ),
      MALFORMED,
    ],
    [
      'a JSON file in a form',
      { 'multipart/form-data': z.object({ key: z.object({ a: z.string() }) }) },
      multipart(['Content-Type: application/json'], '{"a":"', [0xe9], '"}'),
      MALFORMED,
    ],
    [
      'a JSON file with a file name',
      { 'multipart/form-data': z.object({ key: z.object({ a: z.string() }) }) },
      send(
        MULTIPART,
        '--X\r\nContent-Disposition: form-data; name="key"; filename="a"\r\nContent-Type: application/json\r\n\r\n{"a":"',
        [0xe9],
        '"}\r\n--X--\r\n',
      ),
      MALFORMED,
    ],
  ])('a body is rejected rather than changed: %s', async (_, body, request, outcome) => {
    expect(await outcomeOf({ body }, request)).toEqual(outcome)
  })
})

describe('an unknown charset (RFC 9110 §15.5.16)', () => {
  it.each<[what: string, body: BodySpec, request: Request]>([
    ['text', { 'text/plain': text }, send('text/plain; charset=klingon', 'a')],
    ['an urlencoded form', { [FORM]: key }, send(`${FORM}; charset=klingon`, 'key=a')],
    ['an urlencoded form of UTF-16', { [FORM]: key }, send(`${FORM}; charset=utf-16`, 'key=a')],
    [
      'a part of a form (RFC 7578 §4.5)',
      { 'multipart/form-data': key },
      multipart(['Content-Type: text/plain; charset=klingon'], 'a'),
    ],
    [
      'a form that names it (RFC 7578 §4.6)',
      { 'multipart/form-data': key },
      send(
        MULTIPART,
        ...['_charset_', 'key'].map(
          (name) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nklingon\r\n`,
        ),
        '--X--\r\n',
      ),
    ],
    [
      'a part that is encoded (RFC 7578 §4.7)',
      { 'multipart/form-data': key },
      multipart(['Content-Transfer-Encoding: base64'], 'YQ=='),
    ],
  ])('the charset is not supported: %s', async (_, body, request) => {
    expect(await outcomeOf({ body }, request)).toBe(UNSUPPORTED)
  })

  it('an empty body is absent, whatever the charset', async () => {
    const body = { 'text/plain': text.optional() }
    expect(await outcomeOf({ body }, send('text/plain; charset=klingon'))).toBe(undefined)
  })
})

describe('text in another charset (RFC 9110 §8.3.2)', () => {
  it.each<[what: string, body: BodySpec, request: Request, outcome: unknown]>([
    ['text', { 'text/plain': text }, send('text/plain; charset=iso-8859-1', [0xe9]), 'é'],
    ['in quotes', { 'text/plain': text }, send('text/plain; Charset="ISO-8859-1"', [0xe9]), 'é'],
    [
      'after another parameter',
      { 'text/plain': text },
      send('text/plain;a=b;charset=latin1', [0xe9]),
      'é',
    ],
    [
      'in utf-16le',
      { 'text/plain': text },
      send('text/plain; charset=utf-16le', [0xac, 0x20]),
      '€',
    ],
    [
      'half a character of utf-16le',
      { 'text/plain': text },
      send('text/plain; charset=utf-16le', [0xac]),
      MALFORMED,
    ],
    [
      'an urlencoded form',
      { [FORM]: key },
      send(`${FORM}; charset=iso-8859-1`, 'key=a+%E9'),
      {
        key: 'a é',
      },
    ],
    [
      'an urlencoded form of shift_jis, whose second byte is a letter',
      { [FORM]: key },
      send(`${FORM}; charset=shift_jis`, 'key=%83A'),
      { key: 'ア' },
    ],
    [
      'an urlencoded form with a byte that is not percent-encoded',
      { [FORM]: key },
      send(`${FORM}; charset=iso-8859-1`, 'key=é'),
      MALFORMED,
    ],
    [
      'a part of a form (RFC 7578 §4.5)',
      { 'multipart/form-data': key },
      multipart(['content-type: text/plain; charset=ISO-8859-1'], [0xe9]),
      { key: 'é' },
    ],
    [
      'a form that names it (RFC 7578 §4.6)',
      { 'multipart/form-data': key },
      send(
        MULTIPART,
        '--X\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\niso-8859-1\r\n',
        '--X\r\nContent-Disposition: form-data; name="key"\r\n\r\n',
        [0xe9],
        '\r\n--X--\r\n',
      ),
      { key: 'é' },
    ],
  ])(
    'text is decoded, or rejected if the runtime does not know the charset: %s',
    async (what, body, request, outcome) => {
      const charset = ['utf-16le', 'shift_jis'].find((one) => what.includes(one)) ?? 'iso-8859-1'
      expect(await outcomeOf({ body }, request)).toEqual(knows(charset) ? outcome : UNSUPPORTED)
    },
  )
})

/** Workers know few charsets. */
function knows(charset: string): boolean {
  try {
    return new TextDecoder(charset, { fatal: true }) !== null
  } catch {
    return false
  }
}

describe('a query whose percent-encoded bytes are not UTF-8', () => {
  it.each([
    ['a value', 'key=%E9', ['key']],
    ['a value that the schema does not name', 'key=a&other=%E9', ['other']],
    ['a name', 'key=a&%E9=b', []],
  ])('the query is invalid: %s', async (_, search, path) => {
    const spec: OperationSpec = { summary: 'Send', query: key }
    const operation = defineOperation('send', { method: 'GET', pattern: '/x' }, spec)
    const result = await operation.parse(new Request(`http://h/x?${search}`))
    if (isSuccess(result)) throw new Error('parsed')
    expect(result.error).toMatchObject({
      location: 'query',
      code: 'invalid',
      issues: [{ message: '%E9 is not UTF-8', path }],
    })
  })
})
