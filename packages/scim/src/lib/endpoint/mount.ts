import { isJsonObject } from '../json.ts'

/**
 * Returns the error for an argument that is not a web-standard Request, such as Express's; null for a Request. Express
 * waits for `next`, so an endpoint mounted without an adapter would never answer.
 */
export function mountFault(request: unknown): TypeError | null {
  const headers = isJsonObject(request) ? request.headers : undefined
  if (isJsonObject(headers) && typeof headers.get === 'function') return null
  return new TypeError(
    'fetch must receive a Request: mount it with an adapter, such as getRequestListener(scim.fetch) of @hono/node-server',
  )
}

/**
 * Whether another middleware has read a request's body: reads the node:http message that adapters such as
 * @hono/node-server pass on. Some hosts keep the bytes for the adapter.
 */
export function isBodyRead(adapter: unknown): boolean {
  const incoming = isJsonObject(adapter) ? adapter.incoming : undefined
  return isJsonObject(incoming) && incoming.readableDidRead === true && !('rawBody' in incoming)
}
