import { createServer, type Server } from 'node:http'
import type { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { createScimEndpoint } from '@plumbline/scim/endpoint'
import { resourceTypes, toScimError } from './scim.ts'

/** A server of `node:http` with the SCIM endpoint below `/scim/v2`. */
export function createScimServer(db: DatabaseSync, { token }: { token: string }): Server {
  const scim = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: resourceTypes(db),
    toScimError,
    profile: 'entra',
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === `Bearer ${token}` ? { client: 'idp' } : null,
  })
  return createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const body = method === 'GET' || method === 'HEAD' ? null : await buffer(incoming)
    const request = new Request(new URL(url, `http://${headers.host}`), {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body: body && new Uint8Array(body),
    })
    const response = await scim.fetch(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
}
