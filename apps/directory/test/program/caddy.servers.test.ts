import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCaddy } from '../support/caddy.ts'
import { freePort } from '../support/free-port.ts'

const page = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8')
const [, snippet = ''] = /```caddy\n(.+?)```/s.exec(page) ?? []

/** The targets that a server behind the proxy has received. */
const received: string[] = []
let upstream: Server
let behind: number
beforeAll(async () => {
  behind = await freePort()
  upstream = createServer(({ url = '' }, response) => {
    received.push(url)
    response.end('the directory')
  }).listen(behind, '127.0.0.1')
  await once(upstream, 'listening')
})
afterAll(() => void upstream.close())

/** Starts Caddy with the file of docs/providers.md, for clients in these private networks. */
async function startProxy(networks?: string) {
  const site = snippet.replaceAll('127.0.0.1:3000', `127.0.0.1:${behind}`)
  const variables = networks === undefined ? {} : { PRIVATE_NETWORKS: networks }
  const { send, stop } = await startCaddy(site, variables)
  return {
    stop,
    send: async (target: string, method?: string) => {
      received.length = 0
      const { status } = await send(target, method)
      return { status, received: [...received] }
    },
  }
}

describe('the Caddyfile in docs/providers.md, on the internet', () => {
  let caddy: Awaited<ReturnType<typeof startProxy>>
  beforeAll(async () => {
    caddy = await startProxy()
  })
  afterAll(() => caddy.stop())

  it.each([
    '/scim/v2/Users?filter=userName%20eq%20%22a%22',
    '/scim/tenants/acme/v2/Users/.search',
    '/scim/v2/Users/a%2Fb',
    '/scim/v2/Users/',
  ])('the Caddyfile publishes %s unchanged', async (target) => {
    expect(await caddy.send(target, 'POST')).toEqual({ status: 200, received: [target] })
  })

  it.each([
    '/',
    '/scim',
    '/scimx',
    '/api/tokens',
    '/console',
    '/console/',
    '/openapi.json',
    '/metrics',
    '/SCIM/v2/Users',
    '/%73cim/v2/Users',
    '//scim/v2/Users',
    '//api/tokens',
    '/scim/../api/tokens',
    '/scim/%2e%2e/api/tokens',
    '/scim/.%2E/api/tokens',
    '/scim/..%2fapi/tokens',
    '/api/..%2fscim/v2',
    '/api/../scim/v2',
    '/api/tokens/..%2f..%2fscim%2fx',
    '/console/%2e%2e/scim/v2',
  ])('the Caddyfile does not publish %s', async (target) => {
    expect(await caddy.send(target)).toEqual({ status: 404, received: [] })
  })

  // The server resolves the dots of a path (WHATWG URL), and Caddy resolves them to choose a block.
  it.each([
    '/scim//../api/tokens',
    '/scim/x//../../api/tokens',
    '/scim/..\\api/tokens',
    '/scim/\\..\\..\\api/tokens',
    '/scim/..;/api/tokens',
    '/scim/%252e%252e/api/tokens',
    '/scim/..%5capi/tokens',
    '/scim/..%00/../../api/tokens',
    '/scim/#/../../api/tokens',
    '/scim/?/../../api/tokens',
  ])('the Caddyfile does not let %s reach an unpublished path', async (target) => {
    const { status, received } = await caddy.send(target)
    const paths = received.map((one) => new URL(one, 'http://localhost').pathname)
    expect(paths.filter((path) => !path.startsWith('/scim/'))).toEqual([])
    expect(status === 404 || paths.length === 1 || status === 400).toBe(true)
  })
})

describe("the Caddyfile in docs/providers.md, on another network than the administrators'", () => {
  it.each(['', '10.0.0.0/8'])(
    'the Caddyfile does not serve the console for PRIVATE_NETWORKS="%s"',
    async (own) => {
      const caddy = await startProxy(own)
      for (const target of ['/console', '/api/tokens', '/metrics']) {
        expect(await caddy.send(target)).toEqual({ status: 404, received: [] })
      }
      await caddy.stop()
    },
  )
})

describe('the Caddyfile in docs/providers.md, on the private network', () => {
  it('the Caddyfile serves the console and the management API', async () => {
    const caddy = await startProxy('10.0.0.0/8 127.0.0.0/8')
    for (const target of ['/console', '/api/tokens?a=b', '/openapi.json', '/', '/scim/v2/Users']) {
      expect(await caddy.send(target)).toEqual({ status: 200, received: [target] })
    }
    await caddy.stop()
  })
})
