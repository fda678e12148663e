import { MEDIA_TYPE, SEARCH_REQUEST_SCHEMA } from '@plumbline/scim'
import { ExaminationError } from '../examination-error.ts'
import type { Exchange, Method, Received, SendOptions } from '../http/exchange.ts'
import type { Incoming, Outgoing, Transport } from '../http/transport.ts'
import { isJsonObject, parseJson } from '../json.ts'
import type { Cleaner } from './cleaner.ts'
import { block, fail, READ_ONLY, skip } from './finding.ts'

/**
 * Sends requests to the server. A path starts with a slash and is below the base URL; a whole URL must be on the base's
 * origin. A string body is sent unchanged. Resources a request creates are deleted when the examination ends.
 */
export interface Client {
  get(path: string, options?: SendOptions): Promise<Received>
  post(path: string, body: unknown, options?: SendOptions): Promise<Received>
  put(path: string, body: unknown, options?: SendOptions): Promise<Received>
  patch(path: string, body: unknown, options?: SendOptions): Promise<Received>
  delete(path: string, options?: SendOptions): Promise<Received>
  /** Sends a search request (RFC 7644 §3.4.3) to `<endpoint>/.search`; the schema is added. */
  search(endpoint: string, query: object, options?: SendOptions): Promise<Received>
}

/** The parts of a client. */
export interface ClientOptions {
  /** The base URL, without a trailing slash. */
  readonly base: string
  readonly transport: Transport
  readonly authorization: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly cleaner: Cleaner
  /** Asks before the first request that writes. Throws an ExaminationError without the permission. */
  readonly allowWrite: () => Promise<void>
  /** Looks at each response to a check. */
  readonly inspect?: (received: Received) => void
}

/** Creates a client and records the exchanges. */
export function createClient(options: ClientOptions, record: (exchange: Exchange) => void): Client {
  const send = (method: Method, path: string, body: unknown, own: SendOptions = {}) =>
    sendRequest(options, record, { method, path, body, own })
  return {
    get: (path, own) => send('GET', path, undefined, own),
    post: (path, body, own) => send('POST', path, body, own),
    put: (path, body, own) => send('PUT', path, body, own),
    patch: (path, body, own) => send('PATCH', path, body, own),
    delete: (path, own) => send('DELETE', path, undefined, own),
    search: (endpoint, query, own) =>
      send('POST', `${endpoint}/.search`, { schemas: [SEARCH_REQUEST_SCHEMA], ...query }, own),
  }
}

interface ToSend {
  readonly method: Method
  readonly path: string
  readonly body: unknown
  readonly own: SendOptions
}

async function sendRequest(
  options: ClientOptions,
  record: (exchange: Exchange) => void,
  { method, path, body, own }: ToSend,
): Promise<Received> {
  const { transport, isReadOnly, cleaner, base } = options
  const isWrite = method !== 'GET' && !path.endsWith('/.search')
  if (isReadOnly && isWrite) skip(READ_ONLY)
  if (isWrite) await options.allowWrite()
  const { rejection } = cleaner
  if (rejection !== null && method === 'POST' && isWrite) {
    block(`The server rejects DELETE, so nothing more is created: ${rejection}.`)
  }
  const url = urlOf(base, path, own.query)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const headers = headersOf(options, text !== undefined, own)
  const sent = { method, url, text: text ?? null }
  const { isUrgent = false } = own
  const outgoing = { method, url, headers, body: sent.text, isUrgent }
  const send = (one: typeof outgoing): Promise<Incoming> =>
    transport(one, record).catch((error: unknown) => {
      cleaner.lose(sent)
      throw error
    })
  const first = await send(outgoing)
  const incoming =
    first.status === 428 && own.isPlain !== true
      ? await send({ ...outgoing, headers: await withVersion(options, outgoing, record) })
      : first
  const received: Received = {
    ...incoming,
    request: `${method} ${url.startsWith(base) ? url.slice(base.length) : url}`,
    ...parsed(incoming.text),
  }
  cleaner.observe(sent, received)
  options.inspect?.(received)
  if (method === 'DELETE' && REJECTING.has(received.status) && own.isPlain !== true) {
    cleaner.reject(`${received.request}: ${received.status}`)
    block(`The server rejects DELETE: ${received.request}: ${received.status}.`)
  }
  if (received.status === 507) {
    throw new ExaminationError('full', `${received.request}: 507; the server is out of storage`)
  }
  return own.isPlain === true ? received : completed(options, received, record)
}

/** RFC 6585 §3: a server may require If-Match with the resource's current version. */
async function withVersion(
  { transport, cleaner }: ClientOptions,
  { url, headers, isUrgent }: Pick<Outgoing, 'url' | 'headers' | 'isUrgent'>,
  record: (exchange: Exchange) => void,
): Promise<Headers> {
  const read = new Headers(headers)
  read.delete('Content-Type')
  const [path = url] = url.split('?')
  const current = await transport(
    { method: 'GET', url: path, headers: read, body: null, isUrgent },
    record,
  )
  cleaner.observe(
    { method: 'GET', url: path, text: null },
    { ...current, ...parsed(current.text), request: '' },
  )
  const sent = new Headers(headers)
  sent.set('If-Match', current.headers.get('ETag') ?? '*')
  return sent
}

/** RFC 7644 §3.3: the response to a POST should contain the resource. If it does not, the resource is at its Location. */
async function completed(
  { transport, base, ...options }: ClientOptions,
  received: Received,
  record: (exchange: Exchange) => void,
): Promise<Received> {
  const location = received.headers.get('Location')
  if (received.status !== 201 || received.text !== '' || location === null) return received
  if (!URL.canParse(location, received.url)) return received
  const found = new URL(location, received.url)
  if (!isOnOrigin(found.href, base)) return received
  found.search ||= new URL(received.url).search
  const url = found.href
  const headers = headersOf({ base, transport, ...options }, false, {})
  const { text, status } = await transport(
    { method: 'GET', url, headers, body: null, isUrgent: false },
    record,
  )
  return status === 200 ? { ...received, text, ...parsed(text) } : received
}

function parsed(text: string): Pick<Received, 'json' | 'body'> {
  const json = parseJson(text)
  return { json, body: isJsonObject(json) ? json : {} }
}

function urlOf(base: string, path: string, query: SendOptions['query']): string {
  if (path !== '' && !path.startsWith('/') && !isOnOrigin(path, base)) {
    fail('a URL on the origin of the server', path)
  }
  const url = path === '' || path.startsWith('/') ? `${base}${path}` : path
  if (query === undefined) return url
  const encoded = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return `${url}${url.includes('?') ? '&' : '?'}${encoded.join('&')}`
}

function isOnOrigin(url: string, base: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(base).origin
}

function headersOf(
  { authorization, headers }: ClientOptions,
  hasBody: boolean,
  own: SendOptions,
): Headers {
  const sent = new Headers({ Accept: MEDIA_TYPE, ...headers })
  if (hasBody) sent.set('Content-Type', MEDIA_TYPE)
  const { authorization: wanted = authorization } = own
  const credentials = typeof wanted === 'function' ? wanted(authorization ?? '') : wanted
  if (credentials !== null) sent.set('Authorization', credentials)
  for (const [name, value] of Object.entries(own.headers ?? {})) sent.set(name, value)
  return sent
}

/** The statuses for a rejected method, whatever the resource (RFC 9110 §15). */
const REJECTING: ReadonlySet<number> = new Set([403, 405, 501])
