import type { OperationSpec } from '../spec/operation-spec.ts'

/** Prepares the headers of a deprecated operation's answers (RFC 9745 §2, RFC 8594 §3); null for other operations. */
export function prepareDeprecation({
  deprecated,
}: OperationSpec): ((response: Response) => Response) | null {
  if (typeof deprecated !== 'object') return null
  const { since, sunset, link } = deprecated
  const lifetime = `@${Math.floor(since.getTime() / 1_000)}`
  const end = sunset?.toUTCString()
  const announce = (headers: Headers): void => {
    headers.set('Deprecation', lifetime)
    if (end !== undefined) headers.set('Sunset', end)
    if (link !== undefined) headers.append('Link', `<${link}>; rel="deprecation"`)
  }
  return (response) => {
    try {
      announce(response.headers)
      return response
    } catch {
      // Responses of `fetch` have immutable headers. One whose body was read cannot be sent.
      const { status, statusText, body, bodyUsed, url } = response
      if (bodyUsed || body?.locked) return response
      const headers = new Headers(response.headers)
      announce(headers)
      const answer = new Response(body, { status, statusText, headers })
      // A server sees from it that the content was decoded.
      return Object.defineProperty(answer, 'url', { value: url })
    }
  }
}
