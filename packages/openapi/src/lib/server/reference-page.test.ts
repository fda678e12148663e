import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { implement } from './implement.ts'
import type { ServerOptions } from './types.ts'

const info = { title: 'Books & <b>more</b>', version: '1' }
const builder = createDocument({
  info,
  servers: [{ url: 'https://example.com/api' }],
  defaults: {},
}).add(
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    responses: { 200: { description: 'The book', body: z.object({ id: z.string() }) } },
  }),
)
const docs = { path: '/docs', script: 'show()', style: new TextEncoder().encode('p{}') }

function serve(options: ServerOptions = { docs }) {
  const { fetch } = implement(builder, {
    ...options,
    handlers: { readBook: ({ params, reply }) => reply(200, params) },
  })
  return async (path: string, init?: RequestInit) =>
    await fetch(new Request(`https://example.com${path}`, init))
}

describe('the reference page', () => {
  it('the page allows only scripts and styles from the same origin, and none inline', async () => {
    const response = await serve()('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const html = await response.text()
    expect(html).not.toMatch(/<style|style=|<script>|https?:/)
    expect(html).toContain('<title>Books &amp; &lt;b>more&lt;/b> 1</title>')
  })

  it.each(['/docs', '/api/docs'])(
    'the page links to files that are served, from %s',
    async (page) => {
      const fetch = serve()
      const html = await (await fetch(page)).text()
      const links = [...html.matchAll(/(?:src|href)="(docs[^"]*)"/g)].map(([, link = '']) => link)
      const paths = links.map((link) => new URL(link, `https://example.com${page}`).pathname)
      const files = await Promise.all(paths.map((path) => fetch(path)))
      expect(files.map(({ headers }) => headers.get('Content-Type'))).toEqual([
        'text/css; charset=utf-8',
        'text/javascript; charset=utf-8',
        'text/javascript; charset=utf-8',
      ])
      expect(await files[0]?.text()).toBe('p{}')
      expect(await files[1]?.text()).toBe('show()')
      expect(await files[2]?.text()).toContain(
        "new URL('openapi.json', document.currentScript.src)",
      )
      expect(await (await fetch(`${page}/openapi.json`)).json()).toMatchObject({ info })
    },
  )

  it('the page is served only below the base path, if one is set', async () => {
    const fetch = serve({ docs, basePath: '/v1' })
    expect((await fetch('/v1/docs')).status).toBe(200)
    expect((await fetch('/docs')).status).toBe(404)
  })

  it("the page may have a path starting like a server's", async () => {
    const fetch = serve({ docs: { ...docs, path: '/api/docs' } })
    expect((await fetch('/api/docs')).status).toBe(200)
  })

  it('a client with the file gets a 304 (RFC 9110 §13.1.2)', async () => {
    const fetch = serve()
    const tag = (await fetch('/docs/swagger-ui.js')).headers.get('ETag') ?? ''
    const again = await fetch('/docs/swagger-ui.js', { headers: { 'If-None-Match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('Cache-Control')).toBe('no-cache')
  })

  it('HEAD and OPTIONS are answered, and other methods get a 405', async () => {
    const fetch = serve()
    const head = await fetch('/docs', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await fetch('/docs', { method: 'OPTIONS' })
    expect([options.status, options.headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect((await fetch('/docs', { method: 'POST' })).status).toBe(405)
  })

  it('without the option the page is not served, and neither are unknown files', async () => {
    expect((await serve({})('/docs')).status).toBe(404)
    expect((await serve()('/docs/unknown.js')).status).toBe(404)
    expect((await serve()('/docs/')).status).toBe(404)
  })

  it.each(['', 'docs', '/', '/docs/', '/docs?x', '/a"b', '/a/../b'])(
    'the path %j is rejected',
    (path) => {
      expect(() => serve({ docs: { ...docs, path } })).toThrow(
        new TypeError(`the path of docs is ${JSON.stringify(path)}, expected one such as /docs`),
      )
    },
  )

  it('a path is rejected if it belongs to an operation', () => {
    expect(() => serve({ docs: { ...docs, path: '/books/docs' } })).toThrow(
      new TypeError('the path /books/docs of docs belongs to an operation'),
    )
  })
})
