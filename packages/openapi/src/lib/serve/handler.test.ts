import { failure, type Result, success, unwrap } from '@plumbline/result'
import { describe, expect, it, vi } from 'vitest'
import { createDocument } from '../document/build.ts'
import type { Document } from '../openapi.ts'
import { type AnyOperation, defineOperation } from '../operation.ts'
import { parse } from '../text/parse.ts'
import { stringify } from '../text/stringify.ts'
import { openapiHandler } from './handler.ts'

const URL_OF_DOCUMENT = 'http://localhost/openapi.json'

const document = unwrap(createDocument({ info: { title: 'Books', version: '1.0.0' } }).build())

function ask(headers: Record<string, string> = {}, query = '', method = 'GET'): Request {
  return new Request(`${URL_OF_DOCUMENT}${query}`, { method, headers })
}

describe('the document over HTTP', () => {
  const handler = openapiHandler(() => success(document))

  it('the document is JSON by default, with the headers caches need', async () => {
    const response = await handler(ask())
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      vary: 'Accept',
      'cache-control': 'public, max-age=300',
    })
    expect(await response.text()).toBe(unwrap(stringify(document)))
  })

  it('the document is YAML for ?format=yaml, with any Accept', async () => {
    const response = await handler(ask({ Accept: 'application/json' }, '?format=yaml'))
    expect(response.headers.get('Content-Type')).toBe('application/yaml')
    expect(response.headers.get('Vary')).toBe('Accept')
    const text = await response.text()
    expect(text).toBe(unwrap(stringify(document, { format: 'yaml' })))
    expect(unwrap(parse(text))).toEqual(document)
  })

  it('the document is YAML if Accept prefers it', async () => {
    const response = await handler(ask({ Accept: 'application/yaml, application/json;q=0.9' }))
    expect(response.headers.get('Content-Type')).toBe('application/yaml')
  })

  it('HEAD is answered like GET, without content (RFC 9110 §9.3.2)', async () => {
    for (const query of ['', '?format=yaml']) {
      const get = await handler(ask({}, query))
      const head = await handler(ask({}, query, 'HEAD'))
      expect(head.status).toBe(200)
      expect([...head.headers]).toEqual([...get.headers])
      expect(head.body).toBeNull()
    }
  })

  it('each representation has one strong tag (RFC 9110 §8.8.3)', async () => {
    const tagOf = async (query: string) => (await handler(ask({}, query))).headers.get('ETag')
    expect(await tagOf('')).not.toBe(await tagOf('?format=yaml'))
    expect(await tagOf('')).toBe(await tagOf('?format=json'))
  })

  it("the tag is the content's SHA-256, so it is equal in every process", async () => {
    const response = await handler(ask())
    const digest = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer())
    expect(response.headers.get('ETag')).toBe(`"${Buffer.from(digest).toString('hex')}"`)
  })

  it('the document has the Cache-Control from the options', async () => {
    const cacheControl = 'private, no-cache'
    const own = openapiHandler(() => success(document), { cacheControl })
    const response = await own(ask())
    expect(response.headers.get('Cache-Control')).toBe(cacheControl)
    const again = await own(ask({ 'If-None-Match': '*' }))
    expect(again.status).toBe(304)
    expect(again.headers.get('Cache-Control')).toBe(cacheControl)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is rejected with 405 and Allow (RFC 9110 §15.5.6)',
    async (method) => {
      const response = await handler(ask({}, '', method))
      expect(response.status).toBe(405)
      expect(response.headers.get('Allow')).toBe('GET, HEAD')
      expect(response.headers.get('Content-Type')).toBe('application/problem+json')
      expect(await response.json()).toEqual({
        type: 'about:blank',
        title: 'Only GET and HEAD are served here',
        status: 405,
      })
    },
  )
})

describe('If-None-Match (RFC 9110 §13.1.2)', () => {
  const handler = openapiHandler(() => success(document))
  const tagOf = async (query = ''): Promise<string> =>
    (await handler(ask({}, query))).headers.get('ETag') ?? ''

  it.each<[what: string, header: (tag: string) => string]>([
    ['the tag', (tag) => tag],
    ['the weak tag: the comparison is weak', (tag) => `W/${tag}`],
    ['a list that contains the tag', (tag) => `"a", "b,c" ,${tag}`],
    ['a list that contains the weak tag', (tag) => `W/"a",W/${tag},"z"`],
    ['an asterisk', () => '*'],
    ['an asterisk between spaces', () => ' * '],
  ])('the handler answers 304 to %s', async (_, header) => {
    const response = await handler(ask({ 'If-None-Match': header(await tagOf()) }))
    expect(response.status).toBe(304)
    expect(response.body).toBeNull()
  })

  it.each<[what: string, header: (tag: string) => string]>([
    ['another tag', () => '"a"'],
    ['a part of the tag', (tag) => `${tag.slice(0, 20)}"`],
    ['the tag without its quotes', (tag) => tag.slice(1, -1)],
    ['nothing', () => ''],
  ])('the handler answers 200 to %s', async (_, header) => {
    const response = await handler(ask({ 'If-None-Match': header(await tagOf()) }))
    expect(response.status).toBe(200)
  })

  it('a 304 repeats ETag, Vary and Cache-Control, and nothing else (§15.4.5)', async () => {
    const tag = await tagOf('?format=yaml')
    const response = await handler(ask({ 'If-None-Match': tag }, '?format=yaml'))
    expect(Object.fromEntries(response.headers)).toEqual({
      etag: tag,
      vary: 'Accept',
      'cache-control': 'public, max-age=300',
    })
  })

  it('If-None-Match also applies to HEAD', async () => {
    const response = await handler(ask({ 'If-None-Match': await tagOf() }, '', 'HEAD'))
    expect(response.status).toBe(304)
  })

  it("the other representation's tag does not match", async () => {
    const response = await handler(ask({ 'If-None-Match': await tagOf('?format=yaml') }))
    expect(response.status).toBe(200)
  })
})

describe('the build', () => {
  it('the build runs at the first request, once for all concurrent requests', async () => {
    let finish = (_: Result<Document, Error>): void => undefined
    const build = vi.fn(() => new Promise<Result<Document, Error>>((resolve) => (finish = resolve)))
    const handler = openapiHandler(build)
    expect(build).not.toHaveBeenCalled()
    const answers = ['', '', '?format=yaml', '?format=yaml', ''].map((query) =>
      handler(ask({}, query)),
    )
    await vi.waitFor(() => expect(build).toHaveBeenCalled())
    finish(success(document))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    await handler(ask())
    expect(build).toHaveBeenCalledOnce()
  })

  it('the build is serialized once for each format', async () => {
    let reads = 0
    const counted: Document = {
      ...document,
      get info() {
        reads += 1
        return document.info
      },
    }
    const handler = openapiHandler(() => success(counted))
    await handler(ask())
    const once = reads
    expect(once).toBeGreaterThan(0)
    await handler(ask())
    expect(reads).toBe(once)
    await handler(ask({}, '?format=yaml'))
    expect(reads).toBeGreaterThan(once)
  })

  it('a rejected request does not run the build', async () => {
    const build = vi.fn(() => success(document))
    await openapiHandler(build)(ask({}, '', 'POST'))
    expect(build).not.toHaveBeenCalled()
  })

  it('a failed build is an uncached problem document, and names the fault', async () => {
    const route = { method: 'GET', pattern: '/books' } as const
    const operation: AnyOperation = defineOperation('listBooks', route, {
      summary: 'List the books',
      responses: { 200: { description: 'The books' } },
      security: [{ token: [] }],
    })
    const info = { title: 'Books', version: '1.0.0' }
    const build = vi.fn(() => createDocument({ info }).add(operation).build())
    const handler = openapiHandler(build)
    const response = await handler(ask())
    expect(response.status).toBe(500)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    })
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'The document cannot be built',
      status: 500,
      detail:
        'listBooks, at /paths/~1books/get/security: the security scheme token is not defined; add it to securitySchemes',
    })
  })

  it('a failed build is not retried', async () => {
    const build = vi.fn(() => failure(new Error('no')))
    const handler = openapiHandler(build)
    const statuses: number[] = []
    for (const query of ['', '', '?format=yaml']) {
      statuses.push((await handler(ask({}, query))).status)
    }
    expect(statuses).toEqual([500, 500, 500])
    expect(build).toHaveBeenCalledOnce()
  })

  it('a failed build returns 500 without an entity tag for any If-None-Match', async () => {
    const response = await openapiHandler(() => failure(new Error('no')))(
      ask({ 'If-None-Match': '*' }),
    )
    expect(response.status).toBe(500)
    expect(response.headers.has('ETag')).toBe(false)
  })

  it('a failed build sends no content for HEAD', async () => {
    const response = await openapiHandler(() => failure(new Error('no')))(ask({}, '', 'HEAD'))
    expect(response.status).toBe(500)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(response.body).toBeNull()
  })

  it.each<[what: string, build: () => Promise<Result<Document, Error>>]>([
    [
      'throws',
      () => {
        throw new Error('password=secret')
      },
    ],
    [
      'throws a value that is not an Error',
      () => {
        throw 'password=secret'
      },
    ],
    ['rejects', () => Promise.reject(new Error('password=secret'))],
    ['fails with an error of its own', async () => failure(new Error('password=secret'))],
  ])('a build that %s is a 500 without the thrown message', async (_, build) => {
    const handler = openapiHandler(build)
    for (const query of ['', '?format=yaml']) {
      const response = await handler(ask({}, query))
      expect(response.status).toBe(500)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(await response.text()).not.toContain('secret')
    }
  })

  it('a build is a 500 if it returns a value JSON cannot represent', async () => {
    const odd = { ...document, 'x-limit': Number.NaN }
    const response = await openapiHandler(() => success(odd))(ask())
    expect(response.status).toBe(500)
  })
})
