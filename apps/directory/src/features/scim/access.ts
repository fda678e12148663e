import { ScimError } from '@plumbline/scim'
import type { Principal } from '../../kernel/access/authenticate.ts'

/** Throws a ScimError if the token is read-only and the request may write. */
export function requireAccess(request: Request, { access }: Principal): void {
  if (access === 'read' && !isRead(request)) throw READ_ONLY
}

/** Returns the challenge for a missing permission (RFC 6750 §3.1); null for other answers. */
export function challengeOf(error: ScimError | null): string | null {
  return error === READ_ONLY ? 'Bearer error="insufficient_scope"' : null
}

/** Whether a request only reads. A search is a POST (RFC 7644 §3.4.3); any other POST may write, even in bulk. */
function isRead({ method, url }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  return method === 'POST' && SEARCH.test(new URL(url).pathname)
}

const SEARCH = /\/\.search\/?$/
const READ_ONLY = new ScimError(403, 'this token may only read')
