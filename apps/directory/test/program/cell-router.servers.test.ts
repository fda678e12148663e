import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caddy, startCaddy } from '../support/caddy.ts'
import { freePort } from '../support/free-port.ts'

const page = readFileSync(new URL('../../docs/cells.md', import.meta.url), 'utf8')
const [, snippet = ''] = /```caddy\n(.+?)```/s.exec(page) ?? []

let caddy: Caddy
const cells: Server[] = []
beforeAll(async () => {
  const [first, second] = [await startCell('first'), await startCell('second')]
  const file = snippet
    .replace('10.0.1.1:3000', `127.0.0.1:${first}`)
    .replace('10.0.2.1:3000', `127.0.0.1:${second}`)
    .replace('# initech moving', 'initech moving')
  caddy = await startCaddy(file)
})
afterAll(async () => {
  await caddy.stop()
  for (const cell of cells) cell.close()
})

/** Starts a server that answers with its name and the target, and returns its port. */
async function startCell(name: string): Promise<number> {
  const port = await freePort()
  const cell = createServer(({ url }, response) => response.end(`${name} ${url}`))
  cells.push(cell)
  await once(cell.listen(port, '127.0.0.1'), 'listening')
  return port
}

it.each([
  ['/scim/tenants/acme/v2/Users?count=1', 'first'],
  ['/scim/tenants/acme/v2', 'first'],
  ['/scim/tenants/globex/v2/Users/a%2Fb', 'second'],
  ['/scim/tenants/globex2/v2/Users', 'first'],
])('the router in docs/cells.md sends %s to the %s cell', async (target, cell) => {
  const { status, body } = await caddy.send(target, 'POST')
  expect({ status, body }).toEqual({ status: 200, body: `${cell} ${target}` })
})

it('the router answers with 503 and Retry-After while a tenant is moved', async () => {
  const { status, headers, body } = await caddy.send('/scim/tenants/initech/v2/Users')
  expect({ status, body }).toEqual({ status: 503, body: '' })
  expect(headers['retry-after']).toBe('60')
})

it.each([
  '/',
  '/api/tokens',
  '/scim/v2/Users',
  '/scim/oauth/token',
  '/scim/tenants/acme',
  '/scim/tenants/acme/v22',
  '/scim/tenants/../../api/tokens',
  '/scim/tenants/acme/v2/../../../../api/tokens',
  '/scim/tenants/acme/v2/%2e%2e/%2e%2e/%2e%2e/%2e%2e/api/tokens',
  '/api/..%2fscim/tenants/acme/v2/Users',
])('the router does not publish %s', async (target) => {
  const { status, body } = await caddy.send(target)
  expect({ status, body }).toEqual({ status: 404, body: '' })
})
