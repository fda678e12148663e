import { isFailure } from '@plumbline/result'
import { createRouter } from '@remix-run/fetch-router'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { checkResponse } from './check-response.ts'
import type { RecorderOptions } from './record.ts'
import { createConformanceRecorder } from './recorder.ts'

const responses = { 200: { description: 'The book', body: z.object({ title: z.string() }) } }
const route = { method: 'GET', pattern: '/books/:bookId' } as const
const readBook = defineOperation('readBook', route, { summary: 'Read a book', responses })

function builderFor(...servers: readonly string[]) {
  const info = { title: 'Books', version: '1' }
  const options = { info, servers: servers.map((url) => ({ url })) }
  return createDocument(options).add(readBook)
}

const API = 'https://example.com/api'

// OpenAPI 3.1.1 §4.8.8: a path is appended to the url of the server.
describe('finding an operation', () => {
  it.each<[url: string, servers: readonly string[], basePath: string | undefined, found: boolean]>([
    ['/books/b1', [], undefined, true],
    ['/api/books/b1', [], undefined, false],
    ['/api/books/b1', [API], undefined, true],
    ['/api/books/b1', [`${API}/`], undefined, true],
    ['/api/books/b1', ['https://example.com', API], undefined, true],
    ['/a/http://x/books/b1', ['/a/http://x'], undefined, true],
    // A test that calls the router directly does not use a base path.
    ['/books/b1', [API], undefined, true],
    ['/apis/books/b1', [API], undefined, false],
    ['/api', [API], undefined, false],
    ['/api/api/books/b1', [API], undefined, false],
    ['/a.i/books/b1', [API], undefined, false],
    ['/axi/books/b1', ['https://example.com/a.i'], undefined, false],
    ['/a.i/books/b1', ['https://example.com/a.i'], undefined, true],
    ['/api/books/b1', [`${API}//`], undefined, true],
    // The build reports an invalid url; a check does not throw for it.
    ['/books/b1', ['https://example.com//['], undefined, true],
    ['/v1/eu/books/b1', ['{scheme}://{host}:{port}/v1/{region}'], undefined, true],
    ['/v1/books/b1', ['https://example.com/v1/{region}'], undefined, false],
    ['/caf%C3%A9/books/b1', ['https://example.com/café'], undefined, true],
    ['/api/books/b1?page=2', ['https://example.com/api?x#y'], undefined, true],
    ['/api/books/b1', [], '/api', true],
    ['/api/books/b1', [], 'api/', true],
    ['/books/b1', [], '/api', false],
    ['/books/b1', [], '/', true],
    ['/api/books/b1', [API], '/v2', false],
    ['/v2/books/b1', [API], '/v2', true],
    ['/v2/books/b1', [], '/{version}', true],
  ])(
    'at %s with the servers %j and the base path %s, an operation is found: %s',
    async (path, servers, basePath, found) => {
      const request = new Request(`http://localhost${path}`)
      const response = () => Response.json({ title: 'Emma' })
      const builder = builderFor(...servers)
      const checked = await checkResponse(builder, request, response(), { basePath })
      const kinds = isFailure(checked) ? checked.error.violations.map(({ kind }) => kind) : []
      expect(kinds).toEqual(found ? [] : ['undocumented-operation'])
      const recorder = createConformanceRecorder(builder, { basePath })
      await recorder.middleware({ request }, async () => response())
      expect(recorder.violations().map(({ kind }) => kind)).toEqual(kinds)
      expect(recorder.uncovered()).toHaveLength(found ? 0 : 1)
    },
  )

  it('the longest base path is tried first', async () => {
    const shelf = { method: 'GET', pattern: '/:shelf/:name/:id' } as const
    const builder = builderFor('https://example.com', API).add(
      defineOperation('readShelf', shelf, { summary: 'Read', responses: {} }),
    )
    const recorder = createConformanceRecorder(builder)
    const request = new Request('http://localhost/api/books/b1')
    await recorder.middleware({ request }, async () => Response.json({ title: 'Emma' }))
    expect(recorder.violations()).toEqual([])
  })

  it('HEAD finds an operation too', async () => {
    const request = new Request('http://localhost/api/books/b1', { method: 'HEAD' })
    const checked = await checkResponse(builderFor(API), request, new Response())
    expect(isFailure(checked)).toBe(false)
  })
})

describe("a recorder's ignored paths", () => {
  const kindsOf = async (path: string, options: RecorderOptions) => {
    const recorder = createConformanceRecorder(builderFor(), options)
    const router = createRouter({ middleware: [recorder.middleware] })
    await router.fetch(`http://localhost${path}`)
    return recorder.violations().map(({ kind }) => kind)
  }
  const undocumented = ['undocumented-operation']
  const ignore = ['/openapi.json', '/docs(/*)']

  it.each<[path: string, options: RecorderOptions, kinds: readonly string[]]>([
    ['/openapi.json', {}, undocumented],
    ['/openapi.json', { ignore }, []],
    ['/openapi.json?format=yaml', { ignore }, []],
    ['/openapi.yaml', { ignore }, undocumented],
    ['/docs', { ignore }, []],
    ['/docs/assets/a.css', { ignore }, []],
    ['/docsets', { ignore }, undocumented],
    ['/api/docs', { ignore, basePath: '/api' }, []],
    ['/docs', { ignore, basePath: '/api' }, []],
    ['/api/docs', { ignore }, undocumented],
    ['/books/b1', { ignore: ['/books/:id'] }, []],
  ])('%s is recorded or ignored with %j', async (path, options, kinds) => {
    expect(await kindsOf(path, options)).toEqual(kinds)
  })
})
