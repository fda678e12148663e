import { expect, it } from 'vitest'
import { createFindTarget } from './request-target.ts'

type Row = readonly [target: string, host: string | null, url: string | null]

it.each<Row>([
  // RFC 9112 §3.2.1: the origin form.
  ['/books/b1', 'a.example', 'http://a.example/books/b1'],
  ['/books?x=%2F&y=.', 'a.example:8080', 'http://a.example:8080/books?x=%2F&y=.'],
  ['/', 'A.Example:80', 'http://a.example/'],
  ['/', '[::1]:8080', 'http://[::1]:8080/'],
  ['//b.example/x', 'a.example', 'http://a.example//b.example/x'],
  // RFC 3986 §5.2.4: dot segments, which `URL` resolves, and backslashes, which it replaces.
  ['/a/../b', 'a.example', null],
  ['/a/%2e%2E/b', 'a.example', null],
  ['/a/.%2e?b', 'a.example', null],
  ['/a/./b', 'a.example', null],
  ['/..', 'a.example', null],
  ['/.#a', 'a.example', null],
  ['/a\\..\\b', 'a.example', null],
  ['/a\\b', 'a.example', null],
  ['http://b.example/a/../b', 'a.example', null],
  ['/a/.b', 'a.example', 'http://a.example/a/.b'],
  ['/a/...', 'a.example', 'http://a.example/a/...'],
  ['/a/..b/c..', 'a.example', 'http://a.example/a/..b/c..'],
  ['/a%2F..%2Fb', 'a.example', 'http://a.example/a%2F..%2Fb'],
  ['/a?b=/../c\\d', 'a.example', 'http://a.example/a?b=/../c\\d'],
  ["/a?b='c'", 'a.example', 'http://a.example/a?b=%27c%27'],
  ['/ä', 'a.example', 'http://a.example/%C3%A4'],
  ['/a#b', 'a.example', 'http://a.example/a#b'],
  // RFC 9112 §3.2.2: the absolute form is used instead of the Host header.
  ['http://b.example/x', 'a.example', 'http://b.example/x'],
  ['HTTPS://b.example', 'a.example', 'https://b.example/'],
  ['http://ann:pass@b.example/', 'a.example', null],
  ['http://', 'a.example', null],
  ['ftp://b.example/', 'a.example', null],
  // RFC 9112 §3.2.4: the asterisk form.
  ['*', 'a.example', 'http://a.example/'],
  ['**', 'a.example', null],
  ['books', 'a.example', null],
  ['', 'a.example', null],
  // HTTP/1.0 does not require the header.
  ['/', null, 'http://localhost/'],
  // RFC 9112 §3.2: a header that is not valid, or two of them.
  ['/', '', null],
  ['/', 'a.example, b.example', null],
  ['/', 'ann@a.example', null],
  ['/', 'a.example/x', null],
  ['/', 'a.example?x', null],
  ['/', 'a.example#x', null],
  ['/', 'a b', null],
  ['/', 'a.example:99999', null],
])('the target %j with the host %j has the URL %j', (target, host, url) => {
  const found = createFindTarget()(target, host, 'http')
  expect(found && found.origin + found.path).toBe(url)
})

it('a host or scheme is not confused with the previous one', () => {
  const find = createFindTarget()
  const hosts = ['a.example', 'b.example', '?', 'a.example']
  expect(hosts.map((host) => find('/', host, 'http')?.origin)).toEqual([
    'http://a.example',
    'http://b.example',
    undefined,
    'http://a.example',
  ])
  expect(find('/', 'a.example', 'https')?.origin).toBe('https://a.example')
})

it.each(['/a/b', '/a?b=c.d%20', '/:a/@b', '/a.b', '/a%20b', "/a?'"])(
  'only a path that needs no decoding is plain: %s',
  (target) => {
    const found = createFindTarget()(target, 'a.example', 'http')
    expect(found?.isPlain).toBe(!/[.%]/.test(target.split('?')[0] ?? '') && !target.includes("'"))
    expect(found?.path).toBe(
      new URL(`http://a.example${target}`).href.slice('http://a.example'.length),
    )
  },
)
