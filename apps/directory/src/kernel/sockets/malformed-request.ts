import type { IncomingHttpHeaders } from 'node:http'

/** Whether a request's Host header or target is not valid, so that it is answered with 400 before it is routed. */
export function isMalformed({
  headers: { host },
  url = '',
}: {
  readonly headers: Pick<IncomingHttpHeaders, 'host'>
  readonly url?: string | undefined
}): boolean {
  // RFC 9112 §3.2: a request with several Host headers is rejected. Their list has a space, unlike a host.
  if (host === '' || host?.includes(', ')) return true
  const [path = ''] = url.split(/[?#]/, 1)
  return DOT_SEGMENT.test(path)
}

/**
 * A dot segment of a path, also percent-encoded (RFC 3986 §6.2.2). A URL parser resolves it to another path. A proxy
 * that checks only for the prefix `/scim/` would pass on `/scim/../api`. Clients resolve them before they send a
 * request.
 */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i
