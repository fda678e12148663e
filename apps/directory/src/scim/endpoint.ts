import { isFailure, type Result } from '@plumbline/result'
import {
  createWorkBudget,
  errorResponse,
  matchesVersion,
  readBody,
  ScimError,
} from '@plumbline/scim'
import type { Database } from '@remix-run/data-table'
import { type AuthOptions, authenticate, type Principal } from '../auth.ts'
import { PROFILES, type ProfileRules } from '../profiles.ts'
import type { RequestRecord } from '../request-log.ts'
import { isStorable } from '../store/column-text.ts'
import type { WireResource } from '../store/list/list.ts'
import type { TenantScope } from '../store/scope.ts'
import { type Fault, faultOf, ScanTimeoutError, StoreUnavailableError } from '../store/store.ts'
import { withoutGroups } from '../store/tags.ts'
import { takenAttribute } from '../store/unique.ts'
import { BODY_LIMIT } from './limits.ts'
import type { Outbox } from './outbox.ts'

/** A request to a SCIM endpoint, by whom it was found to come from. */
export interface ScimRequest {
  readonly request: Request
  readonly url: URL
  readonly params: Readonly<Record<string, string | undefined>>
  readonly principal: Principal
  /** What is done differently for the principal's identity provider. */
  readonly rules: ProfileRules
  /** Where the SCIM endpoints stand, without a slash behind. */
  readonly base: string
  /** Work that only reads, on one state of the database. */
  readonly read: <Value>(work: (scope: TenantScope) => Promise<Value>) => Promise<Value>
  /** Work that may read much, likewise. */
  readonly scan: <Value>(work: (scope: TenantScope) => Promise<Value>) => Promise<Value>
  /** Work that is kept whole, or not at all. */
  readonly write: <Value>(work: (scope: TenantScope) => Promise<Value>) => Promise<Value>
  /** Counts an answer of so many bytes as unread; see `Outbox`. */
  readonly hold: (length: number) => () => void
  /** The JSON body, up to 1 MiB. */
  readonly body: () => Promise<unknown>
  /** Answers another request of the same principal. */
  readonly dispatch: (request: Request) => Promise<Response>
  /** The SCIM error document of anything that was thrown. */
  readonly fail: (error: unknown) => Response
  /** Throws `412` when the conditions of the request do not hold for a resource (RFC 7644 §3.14). */
  readonly check: (current: WireResource) => void
}

/** Answers a SCIM request; what it throws as a ScimError is the answer. */
export type ScimHandler = (request: ScimRequest) => Promise<Response>

/** How a router calls a handler. */
export interface Routed {
  readonly request: Request
  readonly url: URL
  readonly params: Readonly<Record<string, string | undefined>>
}

/** Where the SCIM endpoints stand on the server. */
export const SCIM_PATH = '/scim/v2'

/** What SCIM endpoints need of the server they are on. */
export interface ScimEndpointOptions extends AuthOptions {
  readonly outbox: Outbox
  readonly noteOf: (request: Request) => RequestRecord
  readonly route: (request: Request) => Promise<Response>
}

/** Makes a route's action of a SCIM handler: authenticated, and every error a SCIM error document. */
export function scimEndpoint(
  host: ScimEndpointOptions,
  handle: ScimHandler,
): (routed: Routed) => Promise<Response> {
  return async (routed) => {
    const { request } = routed
    const note = host.noteOf(request)
    try {
      const principal = note.principal ?? (await authenticate(request, host))
      if (principal === null) throw new ScimError(401, 'a valid bearer token is needed')
      note.tenant = principal.tenantId
      // No database keeps an id with U+0000, and PostgreSQL does not look for one.
      if (!Object.values(routed.params).every((value = '') => isStorable(value))) {
        throw new ScimError(404, 'not found')
      }
      return await handle(requestOf(routed, principal, host))
    } catch (error) {
      return scimFailure(error, note)
    }
  }
}

/** The SCIM error document of anything that was thrown; our own mistakes are 500, and say nothing more. */
export function scimFailure(error: unknown, note: RequestRecord): Response {
  if (error instanceof ScimError) {
    const headers = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : undefined
    return errorResponse(error, headers ? { headers } : {})
  }
  const fault = error instanceof StoreUnavailableError ? 'unavailable' : faultOf(error)
  const answer =
    error instanceof ScanTimeoutError ? new ScimError(503, error.message) : answerTo(fault, error)
  if (answer.status >= 500) note.error = error
  const headers = answer.status === 503 ? { 'Retry-After': '5' } : {}
  return errorResponse(answer, { headers })
}

/** Gives the data of a result, and throws its error to become the answer. */
export function accepted<Data>(result: Result<Data, ScimError>): Data {
  if (isFailure(result)) throw result.error
  return result.data
}

function requestOf(
  { request, url, params }: Routed,
  principal: Principal,
  { store, now, outbox, noteOf, route }: ScimEndpointOptions,
): ScimRequest {
  const { origin } = noteOf(request)
  const base = `${origin ?? url.origin}${SCIM_PATH}`
  const rules = PROFILES[principal.profile]
  const scopeOf = (db: Database): TenantScope => ({
    db,
    tenantId: principal.tenantId,
    base,
    now: now(),
    budget: createWorkBudget(),
    rules,
  })
  const workOptions = { signal: request.signal, tenantId: principal.tenantId }
  return {
    request,
    url,
    params,
    principal,
    rules,
    base,
    read: (work) => store.read((db) => work(scopeOf(db)), workOptions),
    scan: (work) => store.scan((db) => work(scopeOf(db)), workOptions),
    write: (work) => store.write((db) => work(scopeOf(db)), { tenantId: principal.tenantId }),
    hold: (length) => outbox.hold(principal.tenantId, length),
    body: async () => accepted(await readBody(request, { limit: BODY_LIMIT })),
    dispatch: async (other) => {
      const note = noteOf(other)
      note.principal = principal
      note.origin = origin
      const response = await route(other)
      // It has no line of its own in the log.
      if (note.error !== null) noteOf(request).error = note.error
      return response
    },
    fail: (error) => scimFailure(error, noteOf(request)),
    check: (current) => {
      if (matchesVersion(writeConditions(request), withoutGroups(versionOf(current)))) return
      throw new ScimError(412, 'the resource has another version')
    },
  }
}

/** The conditions of a write, which depend on the content of a user and not on its groups. */
function writeConditions({ url, headers }: Request): Request {
  const conditions = new Headers()
  for (const name of ['If-Match', 'If-None-Match']) {
    const tags = headers.get(name)
    if (tags !== null) conditions.set(name, withoutGroups(tags))
  }
  return new Request(url, { headers: conditions })
}

/** The entity tag of a resource. */
export function versionOf(wire: WireResource): string {
  return String(Object(wire.meta).version)
}

function answerTo(fault: Fault, error: unknown): ScimError {
  if (fault !== 'unique') return FAULTS[fault]
  const attribute = takenAttribute(error)
  // A client cannot choose the keys of our tables: a key that is taken is our mistake.
  if (attribute === null) return FAULTS.other
  return new ScimError(409, `the ${attribute} is already taken`, { scimType: 'uniqueness' })
}

/** The answers to what a database reports. */
const FAULTS: Readonly<Record<Exclude<Fault, 'unique'>, ScimError>> = {
  text: new ScimError(400, 'a value holds U+0000, which no text here does', {
    scimType: 'invalidValue',
  }),
  busy: new ScimError(503, 'the database is busy'),
  full: new ScimError(503, 'the database has no room left'),
  unavailable: new ScimError(503, 'the directory cannot reach its database'),
  other: new ScimError(500, 'the directory made a mistake'),
}
