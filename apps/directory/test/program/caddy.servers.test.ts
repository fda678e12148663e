import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
async function startCaddy(networks?: string) {
  const port = await freePort()
  const site = snippet
    .replace('directory.example.com', `http://127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${behind}`)
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'))
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n  admin off\n  auto_https off\n}\n${site}`)
  const variables = networks === undefined ? {} : { PRIVATE_NETWORKS: networks }
  const env = { PATH: process.env.PATH, HOME: folder, ...variables }
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env })
  await listening(child)
  return {
    /** Sends a target as it is: `fetch` would resolve its dots. */
    send: async (target: string, method = 'GET') => {
      received.length = 0
      const sent = request({ host: '127.0.0.1', port, path: target, method }).end()
      const [response] = await once(sent, 'response')
      response.resume()
      return { status: Number(response.statusCode), received: [...received] }
    },
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
      rmSync(folder, { recursive: true })
    },
  }
}

/** Waits until Caddy serves. An error in its file ends it. */
async function listening(child: ChildProcess): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`Caddy has ended with ${code}: ${output}`)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('serving initial configuration')) resolve()
    })
  })
}

describe('the Caddyfile of docs/providers.md, on the internet', () => {
  let caddy: Awaited<ReturnType<typeof startCaddy>>
  beforeAll(async () => {
    caddy = await startCaddy()
  })
  afterAll(() => caddy.stop())

  it.each([
    '/scim/v2/Users?filter=userName%20eq%20%22a%22',
    '/scim/tenants/acme/v2/Users/.search',
    '/scim/v2/Users/a%2Fb',
    '/scim/v2/Users/',
  ])('publishes %s unchanged', async (target) => {
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
  ])('does not publish %s', async (target) => {
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
  ])('does not let %s reach a path that is not published', async (target) => {
    const { status, received } = await caddy.send(target)
    const paths = received.map((one) => new URL(one, 'http://localhost').pathname)
    expect(paths.filter((path) => !path.startsWith('/scim/'))).toEqual([])
    expect(status === 404 || paths.length === 1 || status === 400).toBe(true)
  })
})

describe('the Caddyfile of docs/providers.md, on another network than that of its administrators', () => {
  it.each(['', '10.0.0.0/8'])(
    'does not serve the console for PRIVATE_NETWORKS="%s"',
    async (own) => {
      const caddy = await startCaddy(own)
      for (const target of ['/console', '/api/tokens', '/metrics']) {
        expect(await caddy.send(target)).toEqual({ status: 404, received: [] })
      }
      await caddy.stop()
    },
  )
})

describe('the Caddyfile of docs/providers.md, on the private network', () => {
  it('serves the console and the management API', async () => {
    const caddy = await startCaddy('10.0.0.0/8 127.0.0.0/8')
    for (const target of ['/console', '/api/tokens?a=b', '/openapi.json', '/', '/scim/v2/Users']) {
      expect(await caddy.send(target)).toEqual({ status: 200, received: [target] })
    }
    await caddy.stop()
  })
})
