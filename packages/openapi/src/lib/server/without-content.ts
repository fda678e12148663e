import type { Incoming } from '@plumbline/base'

/** RFC 9110 §9.3.2: HEAD is answered with GET's header fields. A server that knows the length omits content itself. */
export function withoutContent(request: Incoming, response: Response): Response {
  if (request.method !== 'HEAD' || request.respond !== undefined) return response
  const { status, headers, body } = response
  void body?.cancel().catch(() => undefined)
  return new Response(null, { status, headers })
}
