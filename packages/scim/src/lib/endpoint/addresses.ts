import { kindOf, optionFault } from '@plumbline/base'
import type { ScimEndpointOptions } from './options.ts'

/** An endpoint's addresses for a request. */
export interface Addresses {
  /** The endpoint's path in a request URL, without a trailing slash. */
  readonly basePathOf: (request: Request) => string
  /** The endpoint's public URL, without a trailing slash. */
  readonly baseOf: (request: Request, origin: string) => string
}

/** Prepares `basePath` and `base`. Throws a TypeError for an address that a request or a location cannot have. */
export function prepareAddresses({
  basePath,
  base,
}: Pick<ScimEndpointOptions<object>, 'basePath' | 'base'>): Addresses {
  // Without both, locations would be wrong behind a framework that removes the path from a request's URL.
  if (basePath === undefined && base === undefined) {
    throw new TypeError(
      'basePath, such as /scim/v2 (/ for a whole host), or base, the public URL if a framework removes the path, is required',
    )
  }
  const basePathOf = prepareBasePath(basePath)
  return { basePathOf, baseOf: prepareBase(base, basePathOf) }
}

function prepareBasePath(
  basePath: ScimEndpointOptions<object>['basePath'] = '',
): Addresses['basePathOf'] {
  if (typeof basePath === 'function') {
    return (request) => {
      const path: unknown = basePath(request)
      if (typeof path === 'string' && /^(?:\/|$)/.test(path)) return withoutSlash(path)
      throw new TypeError(`basePath must return a path such as /scim/v2, not ${kindOf(path)}`)
    }
  }
  if (!isPath(basePath))
    throw optionFault('basePath', 'a path of a URL, such as /scim/v2', basePath)
  const fixed = withoutSlash(basePath)
  return () => fixed
}

function prepareBase(
  base: ScimEndpointOptions<object>['base'],
  basePathOf: Addresses['basePathOf'],
): Addresses['baseOf'] {
  if (base === undefined) return (request, origin) => `${origin}${basePathOf(request)}`
  if (typeof base === 'function') {
    return (request) => {
      const url: unknown = base(request)
      if (typeof url === 'string' && BASE.test(url)) return withoutSlash(url)
      throw new TypeError(`base must return a URL such as ${EXAMPLE}, not ${kindOf(url)}`)
    }
  }
  if (typeof base !== 'string' || !BASE.test(base) || !URL.canParse(base)) {
    throw optionFault('base', `a URL such as ${EXAMPLE}`, base)
  }
  const fixed = withoutSlash(base)
  return () => fixed
}

/** Whether a request's URL can start with this path: a URL does not change it, and no segment is empty. */
function isPath(path: unknown): path is string {
  if (typeof path !== 'string') return false
  if (path === '' || path === '/') return true
  const isWritten = path.startsWith('/') && !/\/\/|[?#]/.test(path)
  return isWritten && new URL(`https://example.com${path}`).pathname === path
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

const EXAMPLE = 'https://example.com/scim/v2'
/** Printable ASCII without a query and a fragment: a location is a header, and a resource's path follows the base. */
const BASE = /^https?:\/\/[!-"$->@-~]+$/i

/** The parts of a request's URL. */
export interface Target {
  readonly origin: string
  /** Percent-encoded, as it was sent. */
  readonly path: string
  /** The part after the question mark; empty without one. */
  readonly query: string
}

/** Splits an absolute URL, as `Request` has it. `new URL` would cost more than the routing. */
export function parseTarget(url: string): Target {
  const host = url.indexOf('://') + 3
  const fragment = url.indexOf('#', host)
  const end = fragment === -1 ? url.length : fragment
  const mark = url.indexOf('?', host)
  const pathEnd = mark === -1 || mark > end ? end : mark
  const slash = url.indexOf('/', host)
  const start = slash === -1 || slash > pathEnd ? pathEnd : slash
  return {
    origin: url.slice(0, start),
    path: url.slice(start, pathEnd),
    query: url.slice(pathEnd + 1, end),
  }
}

/**
 * Returns a function that reports the first request whose proxy received it at another origin than the endpoint. Such an
 * endpoint needs the option `base`, because its locations lead to the server behind the proxy.
 */
export function createOriginWatch(
  report: (error: Error, request: Request) => void,
): (request: Request, origin: string) => void {
  let isReported = false
  return (request, origin) => {
    if (isReported) return
    const outer = originOf(request.headers, origin)
    if (outer === origin) return
    isReported = true
    report(
      new Error(
        `locations start with ${origin}, but a proxy received the request at ${outer}: set the option base`,
      ),
      request,
    )
  }
}

/** Returns the origin that a client's request had at the first proxy; the endpoint's without a proxy. */
function originOf(headers: Headers, origin: string): string {
  const [forwarded = ''] = headers.get('Forwarded')?.split(',') ?? []
  const proto = PROTO.exec(forwarded)?.[1] ?? firstOf(headers.get('X-Forwarded-Proto'))
  const host = HOST.exec(forwarded)?.[1] ?? firstOf(headers.get('X-Forwarded-Host'))
  if (proto === undefined && host === undefined) return origin
  const end = origin.indexOf('://')
  const outer = `${proto ?? origin.slice(0, end)}://${host ?? origin.slice(end + 3)}`
  // The headers may have a default port, or a client's nonsense.
  return /^https?:/i.test(outer) && URL.canParse(outer) ? new URL(outer).origin : origin
}

function firstOf(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

// RFC 7239 §4: forwarded-pair = token "=" value
const PROTO = /(?:^|;)\s*proto="?([^";]+)/i
const HOST = /(?:^|;)\s*host="?([^";]+)/i
