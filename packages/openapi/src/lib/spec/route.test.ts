import { isFailure, unwrap } from '@plumbline/result'
import { createRouter } from '@remix-run/fetch-router'
import { post, resources, route as routes } from '@remix-run/fetch-router/routes'
import { RoutePattern } from '@remix-run/route-pattern'
import { createMatcher } from '@remix-run/route-pattern/match'
import { describe, expect, it } from 'vitest'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { prepareRoute, routeOf } from './route.ts'

describe("a pattern's path (OpenAPI 3.1.1 §4.8.8.2)", () => {
  it.each([
    ['/', '/', []],
    ['', '/', []],
    ['books', '/books', []],
    ['/books/:bookId', '/books/{bookId}', ['bookId']],
    ['books/:bookId', '/books/{bookId}', ['bookId']],
    ['/books/:bookId/', '/books/{bookId}/', ['bookId']],
    ['/books/:bookId/pages/:page', '/books/{bookId}/pages/{page}', ['bookId', 'page']],
    ['/:from-:to.:format', '/{from}-{to}.{format}', ['from', 'to', 'format']],
    ['/:id/x/:id', '/{id}/x/{id}', ['id']],
    ['/files/*path', '/files/{path}', ['path']],
    ['/files/*path/raw', '/files/{path}/raw', ['path']],
    ['/:$x_1', '/{$x_1}', ['$x_1']],
    ['/:__proto__', '/{__proto__}', ['__proto__']],
    ['/a\\:b', '/a:b', []],
    ['/a\\(b\\)', '/a(b)', []],
    ['/a\\\\:b', '/a%5C{b}', ['b']],
    ['/\\{a\\}/:b', '/%7Ba%7D/{b}', ['b']],
    ['/a b/ä/😀', '/a%20b/%C3%A4/%F0%9F%98%80', []],
    ['/100%', '/100%25', []],
    ['/\uD800', '/\uD800', []],
    ["/~a-b_c.d!$&'+,;=@", "/~a-b_c.d!$&'+,;=@", []],
  ])('the pattern %s has the path %s', (pattern, template, variables) => {
    expect(prepareRoute({ method: 'GET', pattern })).toMatchObject({
      value: { template, variables },
    })
  })

  it.each([
    '/',
    '/books',
    '/books/',
    '/a b/ä',
    '/\\{a\\}',
    '/100%',
    '/a\\:b',
    '/a%20b',
    '/x\\(y\\)',
  ])('the router matches the documented path: %s', (pattern) => {
    const template = prepareRoute({ method: 'GET', pattern }).value?.template ?? ''
    expect(createMatcher(pattern).match(`http://h${template}`)).not.toBe(null)
  })

  it('the path keeps a trailing slash, as the matcher does', () => {
    const { value, fault } = prepareRoute({ method: 'GET', pattern: '/books/:id/' })
    if (fault) throw new Error(fault.code)
    const matcher = createMatcher(value.pattern)
    expect(matcher.match('http://h/books/1/')?.params).toEqual({ id: '1' })
    expect(matcher.match('http://h/books/1')).toBe(null)
  })
})

describe("a pattern's origin", () => {
  it.each([
    ['/x', null],
    ['https://example.com/x', 'https://example.com'],
    ['http://example.com/x', 'http://example.com'],
    ['http(s)://example.com/x', 'https://example.com'],
    ['://example.com/x', 'https://example.com'],
    ['https://example.com:8080/x', 'https://example.com:8080'],
  ])('the origin in %s is %s', (pattern, origin) => {
    expect(prepareRoute({ method: 'GET', pattern })).toMatchObject({
      value: { origin, template: '/x' },
    })
  })
})

describe('a route that OpenAPI cannot express', () => {
  it.each([
    ['an optional segment', 'GET', '/a(/:b)', 'optional-segment'],
    ['an optional extension', 'GET', '/a(.:b)', 'optional-segment'],
    ['an unnamed wildcard', 'GET', '/files/*', 'unnamed-wildcard'],
    ['a variable in the hostname', 'GET', 'https://:tenant.example.com/x', 'hostname-variable'],
    ['a wildcard in the hostname', 'GET', 'https://*.example.com/x', 'hostname-variable'],
    ['query parameters', 'GET', '/x?q', 'query-in-pattern'],
    ['query parameters with values', 'GET', '/x?q=1', 'query-in-pattern'],
    ['query parameters in braces', 'GET', '/x?page={page}&size={size}', 'query-in-pattern'],
    ['any method', 'ANY', '/x', 'any-method'],
    ['an unsupported method', 'CONNECT', '/x', 'unsupported-method'],
    ['a method that only a prototype has', 'constructor', '/x', 'unsupported-method'],
    ['no method', '', '/x', 'missing-method'],
    ['white space at the start', 'GET', ' /x', 'invalid-pattern'],
    ['white space at the end', 'GET', '/x\n', 'invalid-pattern'],
    ['an optional variable', 'GET', '/a/:b?', 'optional-segment'],
    ['an optional variable in the middle', 'GET', '/a/:b?/c', 'optional-segment'],
    ['an empty query', 'GET', '/x?', 'query-in-pattern'],
    ['a pattern that cannot be read', 'GET', '/a(/b', 'invalid-pattern'],
    ['a variable without a name', 'GET', '/:', 'invalid-pattern'],
  ])('build rejects the route: %s', (_, method, pattern, code) => {
    const route = { method, pattern }
    expect(prepareRoute(route)).toMatchObject({ fault: { code } })
    const responses = { 204: { description: 'Done' } }
    const operation = defineOperation('it', route, { summary: 'It', responses })
    const result = createDocument({ info: { title: 'A', version: '1' } })
      .add(operation)
      .build()
    if (!isFailure(result)) throw new Error('built')
    expect(result.error).toMatchObject({ code, operationId: 'it', pointer: '/paths' })
  })
})

describe("another router's pattern", () => {
  it.each([
    ['/books/{id}', '{id}', 'write :id'],
    ['/books/{bookId}/pages/{page}', '{bookId}', 'write :bookId'],
    ['/books/{id:int}', '{id:int}', 'write :id'],
    ['/books/{id:[0-9]{3}}', '{id:[0-9]{3}}', 'write :id'],
    ['/files/{*path}', '{*path}', 'write *path'],
    ['/files/{path...}', '{path...}', 'write *path'],
    ['/books/{}', '{}', 'write :name'],
    ['/books/<id>', '<id>', 'write :id'],
    ['/books/<int:id>', '<int:id>', 'write :id'],
    ['/books/[id]', '[id]', 'write :id'],
    ['/files/[...path]', '[...path]', 'write *path'],
    ['/files/[[...path]]', '[[...path]]', 'write *path'],
    ['/files/:path*', ':path*', 'write *path'],
    ['/files/:path+', ':path+', 'write *path'],
    ['/books/:id{[0-9]+}', ':id{[0-9]+}', 'write :id, and declare its schema in params'],
    ['/books/:id(\\d+)', ':id(\\d+)', 'write :id, and declare its schema in params'],
    ['/books/:id(a|b)', ':id(a|b)', 'write :id, and declare its schema in params'],
    ['/(.*)', '(.*)', 'write :name, and declare its schema in params'],
    ['/(?<id>x)', '(?<id>x)', 'write :name, and declare its schema in params'],
    ['https://example.com/books/{id}', '{id}', 'write :id'],
  ])('the message says what to write: %s', (pattern, part, remedy) => {
    const fault = { code: 'foreign-pattern', part, remedy }
    expect(prepareRoute({ method: 'GET', pattern })).toEqual({ fault })
  })

  it('the message says what to write in a route map, whose patterns are parsed', () => {
    const map = routes({ book: { method: 'GET', pattern: '/books/{id}' } })
    expect(prepareRoute(map.book)).toMatchObject({ fault: { code: 'foreign-pattern' } })
  })

  it.each(['http(s)://example.com/x', '/a(.*ext)', '/a(-:b)', '/:a+:b', '/$id', '/a\\[b\\]'])(
    'the message does not appear for a valid pattern: %s',
    (pattern) => {
      const { fault } = prepareRoute({ method: 'GET', pattern })
      expect(fault?.code ?? 'optional-segment').toBe('optional-segment')
    },
  )
})

it('text without a method is a fault with a remedy', () => {
  const messageOf = (route: string): string | undefined => {
    const operation = defineOperation('it', route as `GET ${string}`, { summary: 'It' })
    const builder = createDocument({ info: { title: 'A', version: '1' } }).add(operation)
    const result = builder.build()
    return isFailure(result) ? result.error.errors[0]?.message : undefined
  }
  const message = (path: string) =>
    `the route ${JSON.stringify(path)} must be a method, a space and a pattern, such as GET /books/:id`
  expect(messageOf('/books/:id')).toBe(message('/books/:id'))
  expect(messageOf('/books/a b')).toBe(message('/books/a b'))
  expect(messageOf(' /books')).toBe(message(' /books'))
  expect(messageOf(' GET /books')).toBe(message(' GET /books'))
  expect(messageOf('GET\t/books')).toBe(message('GET\t/books'))
})

describe('methods', () => {
  it.each(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'get', 'Patch'])(
    '%s has a field (OpenAPI 3.1.1 §4.8.9.1)',
    (method) => {
      expect(prepareRoute({ method, pattern: '/' })).toMatchObject({
        value: { method: method.toLowerCase() },
      })
    },
  )
})

describe('a route source', () => {
  const info = { title: 'Books', version: '1' }
  const spec = { summary: 'It', responses: { 204: { description: 'Done' } } }

  it('the source may be a fetch-router route map', async () => {
    const map = routes('api', {
      books: resources('books', { only: ['index', 'show'], param: 'bookId' }),
      send: post('books/:bookId/send'),
    })
    const show = defineOperation('showBook', map.books.show, spec)
    const document = createDocument({ info }).add(
      defineOperation('listBooks', map.books.index, spec),
      show,
      defineOperation('sendBook', map.send, spec),
    )
    const { paths = {} } = unwrap(document.build())
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/api/books', ['get']],
      ['/api/books/{bookId}', ['get']],
      ['/api/books/{bookId}/send', ['post']],
    ])
    const router = createRouter()
    router.get(map.books.show, async ({ request, params }) =>
      Response.json(unwrap(await show.parse(request, params)).params),
    )
    const response = await router.fetch('http://h/api/books/a%2Fb')
    expect(await response.json()).toEqual({ bookId: 'a/b' })
  })

  it('the source may be a plain object, whose pattern is a string or parsed', () => {
    const text = prepareRoute({ method: 'GET', pattern: '/books/:id' })
    const parsed = prepareRoute({ method: 'GET', pattern: RoutePattern.parse('/books/:id') })
    expect(parsed).toEqual(text)
  })

  it('a method-agnostic route in a route map is rejected', () => {
    const map = routes({ home: '/' })
    expect(prepareRoute(map.home)).toMatchObject({ fault: { code: 'any-method' } })
  })
})

it('the same path with another variable name is rejected (OpenAPI 3.1.1 §4.8.8.1)', () => {
  const spec = { summary: 'It', responses: { 204: { description: 'Done' } } }
  const result = createDocument({ info: { title: 'A', version: '1' } })
    .add(
      defineOperation('read', { method: 'GET', pattern: '/books/:id' }, spec),
      defineOperation('remove', { method: 'DELETE', pattern: '/books/:bookId' }, spec),
    )
    .build()
  expect(result).toMatchObject({ error: { code: 'conflicting-path', operationId: 'remove' } })
})

it('a route may be text: the method, a space and the pattern', () => {
  const route = { method: 'GET', pattern: '/books/:id' } as const
  expect(routeOf('GET /books/:id')).toStrictEqual(route)
  expect(routeOf(route)).toBe(route)
  expect(routeOf(' GET /books')).toStrictEqual({ method: '', pattern: ' GET /books' })
})
