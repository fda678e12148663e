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
