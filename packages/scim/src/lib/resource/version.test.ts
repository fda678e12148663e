import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RawJson } from '../message/raw-json.ts'
import { includesTag, matchesVersion, version } from './version.ts'

describe("a resource's entity tag (RFC 7644 §3.14)", () => {
  it('the tag is weak, with 32 hexadecimal digits', async () => {
    expect(await version({ userName: 'b' })).toMatch(/^W\/"[0-9a-f]{32}"$/)
  })

  it('the tag stays the same from release to release, because a client may keep it for years', async () => {
    // The first half of sha256sum of {"active":true,"userName":"b"}.
    expect(await version({ userName: 'b', active: true })).toBe(
      'W/"ecbc01d33d7a32f934a08832bcce5560"',
    )
  })

  it.each<[string, object, object]>([
    ['member order', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
    ['member order inside lists', { a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] }],
    ['meta', { a: 1 }, { a: 1, meta: { version: 'W/"x"', lastModified: '2026-01-01T00:00:00Z' } }],
    ['RFC 7643 §2.5: null', { a: 1 }, { a: 1, b: null }],
    ['RFC 7643 §2.5: an empty list', { a: 1 }, { a: 1, b: [] }],
    ['null in a complex value', { a: { b: 1 } }, { a: { b: 1, c: null, d: [] } }],
    ['undefined', { a: 1 }, { a: 1, b: undefined }],
  ])('the tag does not depend on %s', async (_, a, b) => {
    expect(await version(a)).toBe(await version(b))
  })

  it('the tag is the same for a resource and its JSON', async () => {
    const resource = { meta: { version: 'W/"x"' }, userName: 'b', emails: [{ value: 'c' }] }
    const raw = new RawJson(JSON.stringify(resource))
    expect(await version(raw)).toBe(await version(resource))
  })

  it.each<[string, object, object]>([
    ['a value', { a: 1 }, { a: 2 }],
    ["a value's type", { a: 1 }, { a: '1' }],
    ['false', {}, { a: false }],
    ['the empty string', {}, { a: '' }],
    ["a member's name", { a: 1 }, { b: 1 }],
    ['value order', { a: [1, 2] }, { a: [2, 1] }],
    ["a member's position", { a: { b: 1 } }, { a: {}, b: 1 }],
    ['an extension member called meta', { x: { meta: 1 } }, { x: { meta: 2 } }],
    ['a member called __proto__', {}, JSON.parse('{"__proto__":{"a":1}}')],
  ])('the tag depends on %s', async (_, a, b) => {
    expect(await version(a)).not.toBe(await version(b))
  })

  it('another digest function gets the same string', async () => {
    const seen: string[] = []
    const digest = (text: string): string => {
      seen.push(text)
      return 'd1'
    }
    expect(await version({ b: 1, a: null, meta: {} }, { digest })).toBe('W/"d1"')
    expect(await version({ b: 1 }, { digest: async () => 'd2' })).toBe('W/"d2"')
    expect(seen).toEqual(['{"b":1}'])
  })

  it('computing the tag does not change the resource', async () => {
    const resource = Object.freeze({ b: 1, a: null, meta: Object.freeze({ version: 'x' }) })
    await version(resource)
    expect(Object.keys(resource)).toEqual(['b', 'a', 'meta'])
  })

  it('the tag is the same whatever the key order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (resource) => {
        const reversed = Object.fromEntries(Object.entries(resource).reverse())
        const { meta: _, ...content } = resource
        expect(await version(reversed)).toBe(await version(resource))
        expect(await version({ ...content, meta: 'x' })).toBe(await version(resource))
      }),
    )
  })
})

const A = 'W/"a"'

/** The title of a row, the headers, the current tag, and whether the conditions hold. */
const rows: readonly (readonly [string, Record<string, string>, string, boolean])[] = [
  ['without a condition', {}, A, true],
  ['If-Match names the tag', { 'If-Match': A }, A, true],
  ['If-Match names another tag', { 'If-Match': 'W/"b"' }, A, false],
  ['If-Match *', { 'If-Match': '*' }, A, true],
  ['If-Match * with spaces', { 'If-Match': ' * ' }, A, true],
  ['If-Match in a list', { 'If-Match': 'W/"x", W/"a" ,W/"y"' }, A, true],
  ['If-Match in a list without spaces', { 'If-Match': '"x","a"' }, A, true],
  ['If-Match does not list the tag', { 'If-Match': 'W/"x", W/"y"' }, A, false],
  ['weakly: a strong tag matches a weak one', { 'If-Match': '"a"' }, A, true],
  ['weakly: a weak tag matches a strong one', { 'If-Match': A }, '"a"', true],
  ['letter case matters', { 'If-Match': 'W/"A"' }, A, false],
  ['a tag with a comma', { 'If-Match': '"x,y"' }, 'W/"x,y"', true],
  ['a part of a tag is not a tag', { 'If-Match': '"x,a,y"' }, A, false],
  ['a tag with a star', { 'If-Match': '"*"' }, A, false],
  ['an empty If-Match does not match any tag', { 'If-Match': '' }, A, false],
  ['a tag that is not closed', { 'If-Match': '"a' }, A, false],
  ['a tag without quotes is another tag', { 'If-Match': 'a' }, A, false],
  ['a tag without quotes, as it was sent', { 'If-Match': 'ab' }, 'ab', true],
  ['a part of a tag without quotes is not a tag', { 'If-Match': 'ab' }, 'a', false],
  ['If-None-Match names the tag', { 'If-None-Match': A }, A, false],
  ['If-None-Match names another tag', { 'If-None-Match': 'W/"b"' }, A, true],
  ['If-None-Match *', { 'If-None-Match': '*' }, A, false],
  ['If-None-Match in a list', { 'If-None-Match': '"x", "a"' }, A, false],
  ['If-None-Match does not list the tag', { 'If-None-Match': '"x", "y"' }, A, true],
  ['an empty If-None-Match does not match any tag', { 'If-None-Match': '' }, A, true],
  ['both hold', { 'If-Match': A, 'If-None-Match': '"b"' }, A, true],
  ['only If-Match holds', { 'If-Match': A, 'If-None-Match': A }, A, false],
  ['only If-None-Match holds', { 'If-Match': '"b"', 'If-None-Match': '"b"' }, A, false],
]

describe('request conditions (RFC 7644 §3.14, RFC 9110 §13.1)', () => {
  it.each(rows)(
    'request conditions are compared with the tag: %s',
    (_, headers, current, expected) => {
      const request = new Request('http://localhost/Users/1', { headers })
      expect(matchesVersion(request, current)).toBe(expected)
    },
  )

  it('a condition may come from outside a header, such as a bulk operation, with spaces', () => {
    expect(includesTag(' * ', A)).toBe(true)
    expect(includesTag(` ${A} `, A)).toBe(true)
  })

  it('a one-megabyte header is read quickly', () => {
    for (const header of ['"', 'W/', 'W/"', '",', ' ', 'a,'].map((part) => part.repeat(300_000))) {
      const request = new Request('http://localhost/', { headers: { 'If-Match': header } })
      expect(matchesVersion(request, A)).toBe(false)
    }
  })
})
