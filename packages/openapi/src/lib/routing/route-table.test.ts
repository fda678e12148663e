import { describe, expect, it } from 'vitest'
import { prepareRoute, type RouteText, routeOf } from '../spec/route.ts'
import { createRouteTable } from './route-table.ts'

function tableOf(routes: readonly RouteText[], servers: readonly string[] = []) {
  const prepared = routes.map((text) => {
    const { value, fault } = prepareRoute(routeOf(text))
    if (fault) throw new Error(fault.code)
    return [value, text] as const
  })
  return createRouteTable(
    prepared,
    servers.map((url) => ({ url })),
  )
}

const routes: readonly RouteText[] = ['GET /books', 'POST /books', 'GET /books/:id', 'HEAD /covers']
// Some runtimes reject or replace a method that they do not know.
const requestOf = (path: string, method = 'GET') =>
  Object.defineProperty(new Request(`http://localhost${path}`), 'method', { value: method })

describe('a route table', () => {
  it.each([
    ['GET', '/books', 'GET /books', {}],
    ['GET', '/books?x=1#y', 'GET /books', {}],
    ['POST', '/books', 'POST /books', {}],
    ['GET', '/books/a%2Fb', 'GET /books/:id', { id: 'a/b' }],
    ['GET', '/books/__proto__', 'GET /books/:id', { id: '__proto__' }],
    ['HEAD', '/books/1', 'GET /books/:id', { id: '1' }],
    ['HEAD', '/covers', 'HEAD /covers', {}],
  ])('the table finds %s %s', (method, path, value, params) => {
    expect(tableOf(routes).find(requestOf(path, method))).toEqual({ value, params })
  })

  it.each([
    ['GET', '/'],
    ['GET', '/books/'],
    ['GET', '//books'],
    ['GET', '/covers'],
    ['PUT', '/books'],
    ['constructor', '/books'],
    // RFC 3986 §2.5: bytes that are not UTF-8, and a percent sign without digits.
    ['GET', '/books/%FF'],
    ['GET', '/books/%E0%A4'],
    ['GET', '/books/%zz'],
  ])('the table does not find %s %s', (method, path) => {
    expect(tableOf(routes).find(requestOf(path, method))).toBeNull()
  })

  it("the table lists a path's methods", () => {
    const table = tableOf(routes)
    const methods = ['/books', '/books/1', '/covers', '/other', '/books/%FF'].map((path) =>
      table.methodsOf(requestOf(path, 'PUT')),
    )
    expect(methods).toEqual([['get', 'post'], ['get'], ['head'], [], []])
  })

  it("paths match below each server's path and at the root, or only below a base path", () => {
    const table = tableOf(routes, ['https://example.com/v1'])
    const found = (path: string, basePath?: string) =>
      table.find(requestOf(path), basePath) !== null
    expect(['/v1/books', '/books', '/v2/books'].map((path) => found(path))).toEqual([
      true,
      true,
      false,
    ])
    expect(['/v1/books', '/books', '/v2/books'].map((path) => found(path, '/v2'))).toEqual([
      false,
      false,
      true,
    ])
  })

  it("a path matches at the root even if it starts like a server's path", () => {
    const table = tableOf(['GET /v1/:id'], ['https://example.com/v1'])
    expect(table.find(requestOf('/v1/books'))?.params).toEqual({ id: 'books' })
  })
})
