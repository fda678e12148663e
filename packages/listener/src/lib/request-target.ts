/** A request's URL, in two parts. */
export interface Target {
  readonly origin: string
  /** The path and the query. */
  readonly path: string
  /** Whether `path` is as the client sent it, and `Incoming.plain`. */
  readonly isPlain: boolean
}

/** Finds a request's URL from the target and the Host header; null if they are not valid. */
export type FindTarget = (target: string, host: string | null, scheme: string) => Target | null

/** Creates a function to find URLs (RFC 9112 §3.3). It knows the last host, because most requests have the same. */
export function createFindTarget(): FindTarget {
  let last = { host: '', scheme: '', origin: null as string | null }
  return (target, host, scheme) => {
    // RFC 9112 §3.2.2: with the absolute form, a server ignores the Host header.
    if (!target.startsWith('/') && target !== '*')
      return hasDotSegment(target) ? null : parse(target)
    // HTTP/1.0 does not require the header.
    const named = host ?? 'localhost'
    if (last.host !== named || last.scheme !== scheme) {
      last = { host: named, scheme, origin: originOf(named, scheme) }
    }
    const { origin } = last
    if (origin === null) return null
    if (PLAIN.test(target)) return { origin, path: target, isPlain: true }
    if (hasDotSegment(target)) return null
    // RFC 9112 §3.2.4: the asterisk form has neither a path nor a query.
    return parse(target === '*' ? origin : origin + target)
  }
}

function originOf(host: string, scheme: string): string | null {
  // RFC 9110 §7.2: only a host and a port. Two headers are one list.
  return /[\s/?#@\\,]/.test(host) ? null : (parse(`${scheme}://${host}`)?.origin ?? null)
}

function parse(text: string): Target | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const { origin, href, username, password } = new URL(text)
  // A `Request` does not permit them.
  if (username !== '' || password !== '') return null
  return { origin, path: href.slice(origin.length), isPlain: false }
}

/**
 * Whether `URL` would resolve a target's path to another one (RFC 3986 §6.2.2.3, and a backslash is a slash for it). A
 * proxy that publishes only some paths does not resolve all of these.
 */
function hasDotSegment(target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1)
  return path.includes('\\') || DOT_SEGMENT.test(path)
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i
/** A path and a query `URL` does not change, if the path has neither a dot nor a percent sign. */
const PLAIN = /^\/[\w~!$&()*+,;=:@/-]*(?:\?[\w~!$&()*+,;=:@/?.%-]*)?$/
