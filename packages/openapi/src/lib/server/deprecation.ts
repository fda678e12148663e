import type { Incoming } from '../incoming.ts'
import type { OperationSpec, RouterParams } from '../spec/operation-spec.ts'

type Handle = (request: Incoming, params?: RouterParams) => Promise<Response>

/** Adds a deprecated operation's lifetime to its answers (RFC 9745 §2, RFC 8594 §3). */
export function announceDeprecation(handle: Handle, { deprecated }: OperationSpec): Handle {
  if (typeof deprecated !== 'object') return handle
  const { since, sunset, link } = deprecated
  return async (request, params) => {
    const { status, statusText, headers: sent, body } = await handle(request, params)
    // Some responses have immutable headers.
    const headers = new Headers(sent)
    headers.set('Deprecation', `@${Math.floor(since.getTime() / 1_000)}`)
    if (sunset !== undefined) headers.set('Sunset', sunset.toUTCString())
    if (link !== undefined) headers.append('Link', `<${link}>; rel="deprecation"`)
    return new Response(body, { status, statusText, headers })
  }
}
