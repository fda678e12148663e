import type { ScimError } from '@plumbline/scim'
import type { Principal, Rejection } from './auth.ts'
import type { RateLimitError } from './rate-limit/client-limits.ts'
import { requestIdOf } from './request-id.ts'
import type { ResourceType } from './resources/resource-type.ts'
import type { ScimPath } from './scim-path.ts'
import { codeOf } from './store/fault.ts'

/** The log entry of one request. It never contains a token, a password, a body or a filter. */
export interface LogEntry {
  readonly time: string
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string
  readonly level: 'info' | 'error'
  readonly method: string
  /** The pattern of the route; null if no route matched. */
  readonly route: string | null
  readonly status: number
  readonly milliseconds: number
  /** The tenant of the token; null without a valid token. */
  readonly tenant: string | null
  /** The id of the token; null without a valid token, and for that of `DIRECTORY_TOKEN`. */
  readonly tokenId: string | null
  /** The internal error behind a 500 or 503, also of an operation of a bulk request. */
  readonly error?: string
}

/** Logs a request. */
export type Log = (entry: LogEntry) => void

/** Writes entries as JSON lines. The entries of one turn of the event loop are one write. */
export function createLog(write: (lines: string) => void): Log & { readonly flush: () => void } {
  let lines = ''
  const flush = (): void => {
    if (lines === '') return
    write(lines)
    lines = ''
  }
  const log = (entry: LogEntry): void => {
    if (lines === '') setImmediate(flush)
    lines += `${JSON.stringify(entry)}\n`
  }
  return Object.assign(log, { flush })
}

/** The facts of an endpoint about its answer, for the provisioning log. */
interface Answered {
  /** The route below the SCIM endpoint, or `/scim/oauth/token`. */
  readonly route: string | null
  readonly error: ScimError | null
  readonly body: unknown
}

/** The facts that handlers record about a request. */
export interface RequestRecord {
  id: string
  /** The origin in the locations of resources; null for the origin of the request. */
  origin: string | null
  /** The address of the connection, which may be that of a proxy; null if it is not known. */
  address: string | null
  route: string | null
  /** The path of the SCIM endpoints in the URL; null for other requests. */
  scimPath: ScimPath | null
  tenant: string | null
  tokenId: string | null
  /** The sender of a request that the server itself makes, on behalf of an administrator who has signed in. */
  grant: Principal | null
  /** The resource types of the tenant; null without a valid token. */
  types: readonly ResourceType[] | null
  /** Why the credentials were rejected. */
  rejection: Rejection | null
  /** Why the request was answered with 429. */
  limited: RateLimitError | null
  /** The resource that the request is about, and the userName of a user. */
  resourceId: string | null
  userName: string | null
  /** The facts of a SCIM request, or of a rejected OAuth client, about its answer; null for other requests. */
  answered: Answered | null
  error: unknown
}

/** Returns the facts that are recorded about a request. */
export type RecordOf = (request: Request) => RequestRecord

/** The origin at which a client sent a request. */
export function originOf(request: Request, record: Pick<RequestRecord, 'origin'>): string {
  return record.origin ?? new URL(request.url).origin
}

/** Creates the record of a request that was received at an origin; null for that of its URL. */
export function createRecord(request: Request, origin: string | null): RequestRecord {
  return {
    id: requestIdOf(request),
    origin,
    address: null,
    route: null,
    scimPath: null,
    tenant: null,
    tokenId: null,
    grant: null,
    types: null,
    rejection: null,
    limited: null,
    resourceId: null,
    userName: null,
    answered: null,
    error: null,
  }
}

/**
 * An error and its causes in one line: the name and code of each, and the first frame of the stack.
 * Messages are omitted, because they may quote the client's data.
 */
export function errorLine(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at instanceof Error && parts.length < 5; at = at.cause) {
    parts.push(`${at.name} ${codeOf(at)}`.trim())
  }
  return `${parts.join(' < ')} ${error instanceof Error ? frameOf(error) : ''}`.trim()
}

/** The first frame of a stack. A message of several lines may contain lines that look like frames. */
function frameOf({ message, stack = '' }: Error): string {
  const name = NAME.exec(stack)?.[0] ?? ''
  if (!stack.startsWith(message, name.length)) return ''
  return FRAME.exec(stack.slice(name.length + message.length))?.[1] ?? ''
}

// A stack of V8 is the name, the message, and one line for each frame.
const NAME = /^[\w$]+(?: \[\w+\])?(?:: )?/
const FRAME = /^\n {4}(at [^\n]+:\d+:\d+\)?)(?:\n|$)/
