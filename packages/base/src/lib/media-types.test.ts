import { describe, expect, it } from 'vitest'
import {
  byMediaRange,
  isBinaryType,
  isJson,
  matchesRange,
  parseMediaRange,
  TOKEN,
} from './media-types.ts'

describe('a media type or range is parsed (RFC 9110 §8.3.1, §12.5.1)', () => {
  it.each([
    ['text/html', 'text/html', 1],
    ['Text/HTML', 'text/html', 1],
    [' text/html ', 'text/html', 1],
    ['text/html; charset=utf-8', 'text/html', 1],
    ['text/html;charset="utf-8"', 'text/html', 1],
    ['text/*;q=0.3', 'text/*', 0.3],
    ['text/html; level=1; q=0.7', 'text/html', 0.7],
    ['*/*; Q=0', '*/*', 0],
    ['*/* ; q = 0.5 ', '*/*', 0.5],
    ['text/html;q=1', 'text/html', 1],
    ['text/html;q=2', 'text/html', 0],
    ['text/html;q=-1', 'text/html', 0],
    ['text/html;q=-0', 'text/html', 0],
    ['text/html;q=high', 'text/html', 0],
    ['text/html;q', 'text/html', 0],
    ['', '', 1],
    [';', '', 1],
  ])('%j is %j, with the weight %d', (text, range, weight) => {
    expect(parseMediaRange(text)).toEqual({ range, weight })
  })
})

describe('a range matches a type (RFC 9110 §12.5.1)', () => {
  it.each([
    ['text/html', 'text/html', true],
    ['text/html', 'text/plain', false],
    ['text/*', 'text/html', true],
    ['text/*', 'textual/html', false],
    ['*/*', 'image/png', true],
    ['image/*', 'image', false],
    ['text/html', 'text/*', false],
    ['application/json', 'application/problem+json', false],
    ['application/jsonx', 'application/json', false],
    // RFC 6839 §3.1: the range of a suffix.
    ['*+json', 'application/problem+json', true],
    ['*+json', 'application/json', false],
    ['*+json', '+json/text', false],
  ])('%s matches %s: %s', (range, type, matches) => {
    expect(matchesRange(range, type)).toBe(matches)
  })
})

it('entries match by type, then by range, then by */*', () => {
  const record = { '*/*': 1, 'Text/*; a=b': 2, 'text/html': 3, 'image/*': 4, 'text/plain': 5 }
  expect(byMediaRange(record)).toEqual([
    ['text/html', 3],
    ['text/plain', 5],
    ['text/*', 2],
    ['image/*', 4],
    ['*/*', 1],
  ])
})

describe('a type is JSON by its name or its suffix (RFC 6839 §3.1)', () => {
  it.each([
    ['application/json', true],
    ['application/problem+json', true],
    ['image/svg+xml', false],
    ['application/jsonl', false],
    ['application/json-seq', false],
    ['text/plain', false],
  ])('%s is JSON: %s', (type, json) => {
    expect(isJson(type)).toBe(json)
  })
})

describe('a type is binary unless its bytes are text (RFC 6838 §4.2, §4.2.8)', () => {
  it.each([
    ['image/png', true],
    ['model/gltf-binary', true],
    ['application/pdf', true],
    ['application/wasm', true],
    ['application/cbor', true],
    ['application/epub+zip', true],
    ['application/x-gzip', true],
    ['image/svg+xml', false],
    ['model/x3d+xml', false],
    ['image/xml+zip', true],
    ['image/x+xml-dib', true],
    ['ximage/png', false],
    ['application/pdfs', false],
    ['my-application/pdf', false],
    ['application/zipper', false],
    ['text/plain', false],
  ])('%s is binary: %s', (type, binary) => {
    expect(isBinaryType(type)).toBe(binary)
  })
})

describe('a header name is a token (RFC 9110 §5.6.2)', () => {
  it.each(['X-Key', 'x', "!#$%&'*+-.^_`|~09azAZ"])('%s is a token', (name) => {
    expect(TOKEN.test(name)).toBe(true)
  })

  it.each(['', ' ', ' a', 'a ', 'a b', 'a:', ':a', 'é', 'aé', 'a\n', '"a"', '(a)', 'a/b', '\0'])(
    '%j is not a token',
    (name) => {
      expect(TOKEN.test(name)).toBe(false)
    },
  )
})
