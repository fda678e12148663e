import { scimPathOf } from '../../../kernel/requests/scim-path.ts'
import type { Operation } from '../entry.ts'

/** A logged request to repeat. */
export interface RepeatedRequest {
  readonly method: string
  /** The path below the SCIM endpoint, with the query. */
  readonly path: string
  /** Undefined if the log does not contain it. */
  readonly body?: unknown
}

/**
 * Returns a `curl` command that repeats a tenant's request with an administrator's token from the variable `TOKEN`. An
 * unknown body is read from the file `body.json`.
 */
export function curlOf(
  { method, path, body }: RepeatedRequest,
  { origin, tenantId }: { readonly origin: string; readonly tenantId: string },
): string {
  const url = `${origin}${scimPathOf(tenantId).base}${path}`
  const content = body === undefined ? '@body.json' : JSON.stringify(body)
  const hasBody = body !== undefined || WITH_BODY.has(method)
  return [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', quote(method)]),
    '-H "Authorization: Bearer $TOKEN"',
    ...(hasBody ? [`-H 'Content-Type: application/scim+json'`, '--data', quote(content)] : []),
    quote(url),
  ].join(' ')
}

/** Whether a command can repeat a logged request: the log lacks an OAuth client's credentials. */
export function canRepeat({ operation }: { readonly operation: Operation }): boolean {
  return operation !== 'token'
}

/** Quotes a word for a POSIX shell. Nothing is special inside single quotes. */
function quote(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
