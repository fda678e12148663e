import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseTarget } from './addresses.ts'

it('a target has the origin, path and query that URL finds (RFC 3986 §3)', () => {
  const urls = fc.webUrl({ withQueryParameters: true, withFragments: true })
  fc.assert(
    fc.property(urls, (text) => {
      const { origin, pathname, search, href } = new URL(text)
      const query = search.slice(1)
      expect(parseTarget(href)).toEqual({ origin, path: pathname, query })
    }),
  )
})

it.each([
  ['https://example.com', '', ''],
  ['https://example.com?a=/b', '', 'a=/b'],
  ['https://example.com/a#b?c', '/a', ''],
  ['https://example.com/a?b#c?d', '/a', 'b'],
  ['https://example.com/a?b?c/d', '/a', 'b?c/d'],
])('a target is read from %s', (url, path, query) => {
  expect(parseTarget(url)).toEqual({ origin: 'https://example.com', path, query })
})
