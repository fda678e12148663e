import { createMultiMatcher } from '@remix-run/route-pattern/match'
import { describe, expect, it } from 'vitest'
import { fillPattern } from './path.ts'

describe('fillPattern', () => {
  it.each<[string, object, string]>([
    ['/', {}, '/'],
    ['books', {}, '/books'],
    ['/books/:bookId', { bookId: 'b1' }, '/books/b1'],
    ['/books/:bookId', { bookId: 7 }, '/books/7'],
    ['/books/:bookId', { bookId: 'a/b?c#d%e é' }, '/books/a%2Fb%3Fc%23d%25e%20%C3%A9'],
    ['/books/:bookId.:format', { bookId: 'b1', format: 'json' }, '/books/b1.json'],
    ['/files/*path', { path: 'a/b c' }, '/files/a/b%20c'],
    ['/files/*path', { path: '' }, '/files/'],
    ['/files/*path', { path: 'a//b/' }, '/files/a//b/'],
    ['/files/*path', { path: '/a' }, '/files//a'],
    ['/books/:bookId', { bookId: '😀' }, '/books/%F0%9F%98%80'],
    ['/times/12\\:30', {}, '/times/12:30'],
    ['/a\\(b\\)', {}, '/a(b)'],
    ['/caf\u00e9/100%', {}, '/caf%C3%A9/100%25'],
    // The base URL of the client replaces the origin of a pattern.
    ['https://example.com/books/:bookId', { bookId: 'b1' }, '/books/b1'],
    ['://example.com/books', {}, '/books'],
    ['/proxy/http\\://host/a', {}, '/proxy/http://host/a'],
  ])('%s with %j becomes %s', (pattern, params, path) => {
    expect(fillPattern(pattern, { ...params })).toBe(path)
    const matcher = createMultiMatcher<true>()
    matcher.add(pattern, true)
    expect(matcher.match(`https://example.com${path}`)?.data).toBe(true)
  })

  it.each([
    ['/books/:bookId', ''],
    ['/books/:bookId', '.'],
    ['/books/:bookId', '..'],
    ['/books/:bookId', 'a\ud800'],
    ['/files/*bookId', '\udfff/a'],
    ['/books/:bookId', undefined],
    ['/books/:bookId', null],
    ['/files/*bookId', 'a/../b'],
    ['/files/*bookId', 'a/.'],
    ['/files/*bookId', undefined],
    ['/books/:bookId', '\ud800'],
    ['/files/*bookId', 'a/\udc00b'],
  ])(
    'a value is rejected if a URL parser would remove or change it: %s with %j',
    (pattern, bookId) => {
      expect(() => fillPattern(pattern, { bookId })).toThrow(
        /^the path parameter bookId cannot be /,
      )
    },
  )

  it('a path never starts with two slashes, which would name another host', () => {
    expect(() => fillPattern('/*path', { path: '/evil.example/a' })).toThrow(
      'the path cannot start with two slashes',
    )
  })

  it('only own parameters are read', () => {
    expect(() => fillPattern('/:constructor', {})).toThrow(TypeError)
  })
})
