import { createServer, type Server } from 'node:http'
import type { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { bearerTokens, createScimEndpoint } from '@plumbline/scim/endpoint'
import { createTransaction } from './schema.ts'
import { resourceTypes, toScimError } from './scim.ts'

export interface ScimSettings {
  readonly token: string | undefined
  /** The public URL of the endpoint, such as `https://example.com/scim/v2`. */
  readonly base: string
}

/** A server of `node:http` with the SCIM endpoint below `/scim/v2`. Throws a TypeError without a token or a base. */
export function createScimServer(db: DatabaseSync, { token, base }: ScimSettings): Server {
  const scim = createScimEndpoint({
    basePath: '/scim/v2',
    base,
    resourceTypes: resourceTypes(db),
    authenticate: bearerTokens({ token, context: {} }),
    transaction: createTransaction(db),
    toScimError,
    profile: 'entra',
    onError: (error) => console.error(error),
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
