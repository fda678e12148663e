import { unwrap } from '@plumbline/result'
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
import { RESOURCE_TYPES } from '../resources/resource-types.ts'
import { isStorable } from '../store/column-text.ts'
import type { Fault } from '../store/fault.ts'
import { faultOf, takenAttribute } from '../store/faults.ts'
import type { Precondition } from '../store/resource-store.ts'
import type { TenantScope } from '../store/scope.ts'
import { ScanTimeoutError, StoreUnavailableError } from '../store/store.ts'
import { withoutDigests } from '../store/tags.ts'
import { BODY_LIMIT } from './limits.ts'
import type { Outbox } from './outbox.ts'

/** An authenticated request to a SCIM endpoint. */
export interface ScimRequest {
  readonly request: Request
  readonly url: URL
  readonly params: Readonly<Record<string, string | undefined>>
  readonly principal: Principal
  /** The rules for the principal's identity provider. */
  readonly rules: ProfileRules
  /** The base URL of the SCIM endpoints, without a trailing slash. */
  readonly base: string
  /** Runs work that only reads, in one transaction. */
  readonly read: <Value>(work: (scope: TenantScope) => Promise<Value>) => Promise<Value>
  /** Runs work that only reads, and may read many rows, in one transaction. */
  readonly scan: <Value>(work: (scope: TenantScope) => Promise<Value>) => Promise<Value>
  /** Runs work that writes, in one transaction. */
  readonly write: <Value>(work: (scope: TenantScope) => Promise<Value>) => Promise<Value>
  /** Counts a response of this many bytes as unread; see `Outbox`. */
  readonly hold: (length: number) => () => void
  /** Reads the JSON body, up to 1 MiB. */
  readonly body: () => Promise<unknown>
  /** Dispatches another request of the same principal. */
  readonly dispatch: (request: Request) => Promise<Response>
  /** Returns the SCIM error document for any thrown value. */
  readonly fail: (error: unknown) => Response
  /** Throws `412` if the preconditions of the request fail for a version (RFC 7644 §3.14). */
  readonly check: Precondition
}

/** Answers a SCIM request. It throws a ScimError to answer with an error. */
export type ScimHandler = (request: ScimRequest) => Promise<Response>

/** The arguments that the router passes to a handler. */
export interface Routed {
  readonly request: Request
  readonly url: URL
  readonly params: Readonly<Record<string, string | undefined>>
}

/** The path of the SCIM endpoints on the server. */
export const SCIM_PATH = '/scim/v2'

/** The parts of the server that SCIM endpoints need. */
export interface ScimEndpointOptions extends AuthOptions {
  readonly outbox: Outbox
  readonly recordOf: (request: Request) => RequestRecord
  readonly route: (request: Request) => Promise<Response>
}

/** Makes a route's action from a SCIM handler: authenticates, and answers errors as SCIM documents. */
export function scimEndpoint(
  options: ScimEndpointOptions,
  handle: ScimHandler,
): (routed: Routed) => Promise<Response> {
  return async (routed) => {
    const { request } = routed
    const record = options.recordOf(request)
    try {
      const principal = record.principal ?? (await authenticate(request, options))
      if (principal === null) throw new ScimError(401, 'a valid bearer token is required')
      record.tenant = principal.tenantId
      // No stored id contains U+0000, and PostgreSQL rejects a query for one.
      if (!Object.values(routed.params).every((value = '') => isStorable(value))) {
        throw new ScimError(404, 'not found')
      }
      return await handle(createScimRequest(routed, principal, options))
    } catch (error) {
      return scimFailure(error, record)
    }
  }
}

/** The SCIM error document for any thrown value. An internal error is a 500 without details. */
export function scimFailure(error: unknown, record: RequestRecord): Response {
  if (error instanceof ScimError) {
    const headers = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : undefined
    return errorResponse(error, headers ? { headers } : {})
  }
  const fault = error instanceof StoreUnavailableError ? 'unavailable' : faultOf(error)
  const answer =
    error instanceof ScanTimeoutError
      ? new ScimError(503, error.message)
      : toScimError(fault, error)
  if (answer.status >= 500) record.error = error
  const headers = answer.status === 503 ? { 'Retry-After': '5' } : {}
  return errorResponse(answer, { headers })
}

function createScimRequest(
  { request, url, params }: Routed,
  principal: Principal,
  { store, now, outbox, recordOf, route }: ScimEndpointOptions,
): ScimRequest {
  const { origin } = recordOf(request)
  const base = `${origin ?? url.origin}${SCIM_PATH}`
  const rules = PROFILES[principal.profile]
  const scopeOf = (db: Database): TenantScope => ({
    db,
    dialect: store.dialect,
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
    body: async () => unwrap(await readBody(request, { limit: BODY_LIMIT })),
    dispatch: async (other) => {
      const record = recordOf(other)
      record.principal = principal
      record.origin = origin
      const response = await route(other)
      // A dispatched request is not logged by itself.
      if (record.error !== null) recordOf(request).error = record.error
      return response
    },
    fail: (error) => scimFailure(error, recordOf(request)),
    check: (version) => {
      if (matchesVersion(writeConditions(request), version)) return
      throw new ScimError(412, 'the version of the resource does not match')
    },
  }
}

/** The preconditions of a write. They depend on the content of a resource, but not on computed attributes. */
function writeConditions({ url, headers }: Request): Request {
  const conditions = new Headers()
  for (const name of ['If-Match', 'If-None-Match']) {
    const tags = headers.get(name)
    if (tags !== null) conditions.set(name, withoutDigests(tags))
  }
  return new Request(url, { headers: conditions })
}

function toScimError(fault: Fault, error: unknown): ScimError {
  if (fault !== 'unique') return FAULTS[fault]
  const attribute = takenAttribute(error, UNIQUE_KEYS)
  // A client cannot choose other keys of the tables: their conflict is an internal error.
  if (attribute === null) return FAULTS.other
  return new ScimError(409, `the ${attribute} is already taken`, { scimType: 'uniqueness' })
}

/** The attributes of unique keys, by the name of each key and by its columns. */
const UNIQUE_KEYS: ReadonlyMap<string, string> = new Map(
  RESOURCE_TYPES.flatMap(({ uniqueKeys }) => Object.entries(uniqueKeys)),
)

/** The responses to the errors of a database. */
const FAULTS: Readonly<Record<Exclude<Fault, 'unique'>, ScimError>> = {
  text: new ScimError(400, 'a value contains U+0000, which is not supported', {
    scimType: 'invalidValue',
  }),
  busy: new ScimError(503, 'the database is busy'),
  full: new ScimError(503, 'the disk of the database is full'),
  unavailable: new ScimError(503, 'the directory cannot reach its database'),
  other: new ScimError(500, 'internal server error'),
}
