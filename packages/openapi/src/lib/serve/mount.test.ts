import { unwrap } from '@plumbline/result'
import { createRouter } from '@remix-run/fetch-router'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { createDocument } from '../document/build.ts'
import { stringify } from '../text/stringify.ts'
import { openapiHandler } from './handler.ts'

const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } })
const handler = openapiHandler(() => builder.build())
const yaml = unwrap(stringify(unwrap(builder.build()), { format: 'yaml' }))

const router = createRouter()
router.get('/api/openapi.json', handler)
router.head('/api/openapi.json', handler)

const hono = new Hono()
hono.get('/api/openapi.json', ({ req }) => handler(req.raw))

describe.each<[name: string, fetch: (request: Request) => Response | Promise<Response>]>([
  ['called with a request', (request) => handler(request)],
  ['called with a context', (request) => handler({ request })],
  ['mounted on a router that passes its context', (request) => router.fetch(request)],
  ['mounted on a router that passes the request', (request) => hono.fetch(request)],
])('the document, %s', (_, fetch) => {
  const ask = (query = '', init: RequestInit = {}) =>
    fetch(new Request(`http://localhost/api/openapi.json${query}`, init))

  it('the document is served as JSON and as YAML', async () => {
    const json = await ask()
    expect(await json.json()).toEqual(unwrap(builder.build()))
    const response = await ask('?format=yaml')
    expect(response.headers.get('Content-Type')).toBe('application/yaml')
    expect(await response.text()).toBe(yaml)
  })

  it('a tag revalidates the document', async () => {
    const tag = (await ask()).headers.get('ETag') ?? ''
    const response = await ask('', { headers: { 'If-None-Match': tag } })
    expect(response.status).toBe(304)
    expect(response.headers.get('ETag')).toBe(tag)
  })

  it('the document answers HEAD', async () => {
    const response = await ask('', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    expect(response.headers.get('ETag')).toBe((await ask()).headers.get('ETag'))
  })
})
