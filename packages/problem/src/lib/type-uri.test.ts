import { describe, expect, it } from 'vitest'
import { defineProblems } from './catalog.ts'
import { BASES, SLUGS } from './type-uri.cases.ts'

// RFC 9457 §3.1.1: the type is the slug, resolved against the base (RFC 3986 §5.2).
const same = { slug: 'not-found', status: 404, title: 'Not found' } as const

/** Each `satisfies` is a literal type, and each value is the URI of the URL parser. */
const LITERAL = [
  [
    defineProblems('https://example.com/problems', { same }).same.type satisfies Example,
    'https://example.com/problems/not-found',
  ],
  [
    defineProblems('https://example.com/problems/', { same }).same.type satisfies Example,
    'https://example.com/problems/not-found',
  ],
  [
    defineProblems('http://example.com', { same }).same
      .type satisfies 'http://example.com/not-found',
    'http://example.com/not-found',
  ],
  [
    defineProblems('https://a-1.example/', { one: { ...same, slug: 'V1/Not_Found-2' } }).one
      .type satisfies 'https://a-1.example/V1/Not_Found-2',
    'https://a-1.example/V1/Not_Found-2',
  ],
  [
    defineProblems('https://example.com/a//', { one: { ...same, slug: 'b//c/' } }).one
      .type satisfies 'https://example.com/a//b//c/',
    'https://example.com/a//b//c/',
  ],
] as const
type Example = 'https://example.com/problems/not-found'

it.each(LITERAL)('the literal type is the URI: %s', (type, uri) => {
  expect(type).toBe(uri)
})

describe('a URI that is not a literal type', () => {
  it.each(BASES)('the URI with the base %s is that of the URL parser', (base) => {
    const { one } = defineProblems(base, { one: { ...same, slug: 'a' } })
    expect(one.type).toBe(new URL('a', base).href)
  })

  it.each(SLUGS)('the URI with the slug %s is that of the URL parser', (slug) => {
    const { one } = defineProblems('https://example.com/problems/', { one: { ...same, slug } })
    expect(one.type).toBe(new URL(slug, 'https://example.com/problems/').href)
  })

  it('a base may be a URL or a string', () => {
    const [url, text]: [URL, string] = [new URL('https://example.com'), 'https://example.com']
    for (const base of [url, text]) {
      const { one } = defineProblems(base, { one: same })
      expect(one.type).toBe('https://example.com/not-found')
    }
  })
})
