import { ERROR_SCHEMA, fold, type ScimError } from '@plumbline/scim'
import type { Rejection } from '../../kernel/access/authenticate.ts'
import { MASK, maskTokens } from '../../kernel/mask-tokens.ts'
import { TOKEN_PATH } from '../../kernel/requests/scim-path.ts'
import type { ResourceType } from '../../kernel/resources/resource-type.ts'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import { isStorable } from '../../kernel/store/column-text.ts'
import { type Masked, type MaskLimits, mask } from './mask.ts'
import { maskPath, maskQuery } from './mask-text.ts'
import { type Sensitivity, sensitivityOf } from './sensitive.ts'
import { MAX_KEY_LENGTH, type NewRequest } from './write-requests.ts'

/** An answered request. SCIM members are null for other requests. */
export interface AnsweredRequest {
  readonly request: Request
  /**
   * The path below the SCIM endpoint, with the query, exactly as sent. A token request has its path without the query.
   */
  readonly target: string
  readonly requestId: string
  /** When it was answered, in milliseconds since 1970. */
  readonly time: number
  readonly milliseconds: number
  /** The route's pattern, such as `/scim/v2/Users/:id`; null if none matched. */
  readonly pattern: string | null
  readonly tenantId: string | null
  readonly tokenId: string | null
  /** The internal error behind a 500 or 503; otherwise null. */
  readonly fault: unknown
  /** The tenant's resource types; null without a valid token. */
  readonly types: readonly ResourceType[] | null
  readonly rejection: Rejection | null
  /** The route below the SCIM endpoint, such as `/Users/:id`, or `/scim/oauth/token`; null if none matched. */
  readonly route: string | null
  readonly resourceId: string | null
  readonly userName: string | null
  readonly status: number
  readonly error: ScimError | null
  /** The request's JSON body, if it was read. */
  readonly body: unknown
  /** Unknown attributes in a PATCH, which the profile ignores. */
  readonly ignored: readonly string[]
}

/** The parts of a logged request without their own columns. */
export interface RequestEntry {
  /** Must be the first member: a search compares the start of the JSON. */
  readonly requestId: string
  readonly tokenId: string | null
  readonly method: string
  /** The path below the SCIM endpoint, with the query, without sensitive values. */
  readonly path: string
  readonly operation: Operation
  readonly resourceType: string | null
  readonly userName: string | null
  readonly scimType: string | null
  /** The attribute whose value was rejected; optional. */
  readonly attribute?: string
  readonly detail: string | null
  /** Why the credentials were rejected, for a `401`. */
  readonly rejection: Rejection['reason'] | null
  readonly milliseconds: number
  /** The ignored attributes in a PATCH, such as `emails.valu`, without sensitive values; optional. */
  readonly ignored?: string[]
}

/** A logged request's bodies, without sensitive values. */
export interface RequestExchange {
  /** Request headers that may affect the answer. */
  readonly headers: Readonly<Record<string, string>>
  /** Absent if the body was not read or is not JSON. */
  readonly body?: unknown
  /** Whether the body exceeds the storage limits. */
  readonly isCut: boolean
  /** The answer's body. */
  readonly answer: unknown
}

/** The kind of a request. */
export type Operation = (typeof OPERATIONS)[number]

/** The kinds of requests. */
export const OPERATIONS = [
  'create',
  'list',
  'search',
  'read',
  'replace',
  'patch',
  'delete',
  'bulk',
  'discover',
  'token',
  'unknown',
] as const

/** How many ignored attributes are stored per request. */
export const MAX_IGNORED = 20

/** Builds a request's row. Bodies are stored only for rejected requests. */
export function rowOf(answered: AnsweredRequest): NewRequest {
  const { route, status, time, rejection } = answered
  const isBulk = route === '/Bulk'
  const resourceId = isBulk ? null : answered.resourceId
  const userName = isBulk || answered.userName === null ? null : maskTokens(answered.userName)
  // Most requests are reads, found by their id: updating another index for each of them would be slow.
  const isRead = ON_TYPES[answered.request.method] === 'list'
  const exchange = status >= 400 ? exchangeOf(answered) : null
  const attribute = answered.error?.attribute
  const entry: RequestEntry = {
    requestId: answered.requestId,
    tokenId: answered.tokenId ?? rejection?.tokenId ?? null,
    method: answered.request.method.slice(0, MAX_METHOD_LENGTH),
    path: maskTarget(answered).slice(0, MAX_PATH_LENGTH),
    operation: operationOf(route, answered.request.method),
    resourceType: typeOf(route),
    userName: userName?.slice(0, MAX_KEY_LENGTH) ?? null,
    scimType: answered.error?.scimType ?? null,
    ...(typeof attribute === 'string' ? { attribute } : {}),
    detail: exchange?.detail ?? null,
    rejection: rejection?.reason ?? null,
    milliseconds: answered.milliseconds,
    ...(answered.ignored.length === 0 ? {} : { ignored: shownIgnored(answered) }),
  }
  return {
    tenantId: answered.tenantId ?? rejection?.tenantId ?? '',
    time,
    status,
    resourceId: keyOf(maskSegment(resourceId ?? '')),
    userNameKey:
      isRead && resourceId !== null ? null : keyOf(userName === null ? null : fold(userName)),
    entry: JSON.stringify(entry),
    exchange: exchange === null ? null : JSON.stringify(exchange.stored),
  }
}

/** Returns a rejected request's bodies and error message. */
function exchangeOf(answered: AnsweredRequest): {
  readonly stored: RequestExchange
  readonly detail: string | null
} {
  const { request, types, body, error } = answered
  const sensitivity = sensitivityOf(types)
  const masked = body === undefined ? null : mask(body, LIMITS, sensitivity)
  const detail = error === null ? null : maskDetail(error, answered, masked)
  const stored = {
    headers: headersOf(request, sensitivity),
    ...(masked === null ? {} : { body: masked.value }),
    isCut: masked?.isCut ?? false,
    answer: error === null ? null : answerOf(error, detail),
  }
  return { stored, detail }
}

/** Hides an error message if it may quote a sensitive filter, path or value. A message about credentials doesn't. */
function maskDetail(
  { status, message }: ScimError,
  answered: AnsweredRequest,
  masked: Masked | null,
) {
  const detail = message.slice(0, MAX_DETAIL_LENGTH)
  if (status === 401) return detail
  const isTextMasked = masked?.isTextMasked === true || maskTarget(answered) !== answered.target
  const folded = detail.toLowerCase()
  const quotes = (secret: string): boolean => {
    // A quotation may be truncated, JSON-escaped, or in another letter case.
    const starts = [secret, JSON.stringify(secret).slice(1)].map((one) => one.slice(0, 4))
    return starts.some((start) => folded.includes(start.toLowerCase()))
  }
  return isTextMasked || masked?.secrets.some(quotes) ? HIDDEN_DETAIL : detail
}

function answerOf(error: ScimError, detail: string | null): unknown {
  const { status, scimType } = error
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === null ? {} : { scimType }),
    detail,
  }
}

function headersOf(
  { headers }: Request,
  { isSecret }: Sensitivity,
): Readonly<Record<string, string>> {
  const sent = HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    if (value === null) return []
    return [[name, isSecret(value) ? MASK : value.slice(0, MAX_HEADER_LENGTH)]]
  })
  return Object.fromEntries(sent)
}

function maskTarget({ target, types }: AnsweredRequest): string {
  const mark = target.indexOf('?')
  if (mark === -1) return maskSegments(target)
  const query = maskQuery(target.slice(mark + 1), sensitivityOf(types))
  return `${maskSegments(target.slice(0, mark))}?${query}`
}

/** Masks path segments that may be secrets, such as a token pasted into the wrong field. */
export function maskSegments(path: string): string {
  return path.split('/').map(maskSegment).join('/')
}

/** Resource ids are shorter, and only schema URNs are longer. */
function maskSegment(segment: string): string {
  return segment.length > MAX_ID_LENGTH && !/^urn(?::|%3a)/i.test(segment) ? MASK : segment
}

/** An attribute name is client input, and may be any text. */
function shownIgnored({ ignored, types }: AnsweredRequest): string[] {
  const sensitivity = sensitivityOf(types)
  const shown = ignored.map((name) =>
    // A longer name may be truncated in the middle of a secret.
    name.length > MAX_NAME_LENGTH ? MASK : maskPath(name, sensitivity),
  )
  return [...new Set(shown)].slice(0, MAX_IGNORED)
}

function operationOf(route: string | null, method: string): Operation {
  if (route === null) return 'unknown'
  if (route === TOKEN_PATH) return 'token'
  if (route === '/Bulk') return 'bulk'
  if (route.endsWith('/.search')) return 'search'
  const isType = ENDPOINTS.has(route)
  if (!isType && route !== '/Me' && typeOf(route) === null) return 'discover'
  return (isType ? ON_TYPES : ON_RESOURCES)[method] ?? 'unknown'
}

function typeOf(route: string | null): string | null {
  if (route === null) return null
  const end = route.indexOf('/', 1)
  return ENDPOINTS.get(end === -1 ? route : route.slice(0, end)) ?? null
}

/** Returns an indexed string; null if it is masked or the database cannot store it. */
function keyOf(text: string | null): string | null {
  if (text === null || text === '' || text === MASK || !isStorable(text)) return null
  const key = text.slice(0, MAX_KEY_LENGTH)
  return key.isWellFormed() ? key : null
}

const ON_TYPES: Readonly<Record<string, Operation>> = { GET: 'list', HEAD: 'list', POST: 'create' }
const ON_RESOURCES: Readonly<Record<string, Operation>> = {
  GET: 'read',
  HEAD: 'read',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'delete',
}
/** Resource type names, keyed by endpoint. */
const ENDPOINTS = new Map(RESOURCE_TYPES.map(({ endpoint, name }) => [endpoint, name]))
const HEADERS = ['Content-Type', 'User-Agent', 'If-Match', 'If-None-Match', 'Accept']
/** Limits for rejected requests' bodies: with the rest of their rows, about 30 kB at most. */
const LIMITS: MaskLimits = { values: 500, text: 1_000, bytes: 20_000 }
const HIDDEN_DETAIL = 'hidden, because the message may quote a sensitive value'
const MAX_DETAIL_LENGTH = 2_000
const MAX_HEADER_LENGTH = 200
const MAX_ID_LENGTH = 40
const MAX_METHOD_LENGTH = 20
const MAX_NAME_LENGTH = 150
const MAX_PATH_LENGTH = 2_000
