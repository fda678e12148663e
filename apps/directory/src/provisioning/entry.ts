import { ERROR_SCHEMA, type ScimError } from '@plumbline/scim'
import type { Rejection } from '../auth.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'
import { TOKEN_PATH } from '../scim-path.ts'
import { isStorable } from '../store/column-text.ts'
import { LONGEST_KEY, type NewRequest } from '../store/requests/write-requests.ts'
import { type MaskLimits, mask } from './mask.ts'
import { maskQuery } from './mask-text.ts'
import { MASK, type Sensitivity, sensitivityOf } from './sensitive.ts'

/** The facts of a SCIM request that was answered. */
export interface AnsweredRequest {
  readonly request: Request
  /** The path below the SCIM endpoint, with the query, as it was sent. A token request has its path without the query. */
  readonly target: string
  readonly requestId: string
  /** When it was answered, in milliseconds since 1970. */
  readonly time: number
  readonly milliseconds: number
  readonly tenantId: string | null
  readonly tokenId: string | null
  /** The resource types of the tenant; null without a valid token. */
  readonly types: readonly ResourceType[] | null
  readonly rejection: Rejection | null
  /** The route below the SCIM endpoint, such as `/Users/:id`, or `/scim/oauth/token`; null if none matched. */
  readonly route: string | null
  readonly resourceId: string | null
  readonly userName: string | null
  readonly status: number
  readonly error: ScimError | null
  /** The JSON body of the request, if it was read. */
  readonly body: unknown
}

/** The facts of a logged request that are not in columns of their own. */
export interface RequestEntry {
  /** The first member: a search compares the start of the JSON. */
  readonly requestId: string
  readonly tokenId: string | null
  readonly method: string
  /** The path below the SCIM endpoint, with the query, without sensitive values. */
  readonly path: string
  readonly operation: Operation
  readonly resourceType: string | null
  readonly userName: string | null
  readonly scimType: string | null
  readonly detail: string | null
  /** Why the credentials were rejected, for a `401`. */
  readonly rejection: Rejection['reason'] | null
  readonly milliseconds: number
}

/** The bodies of a logged request, without sensitive values. */
export interface RequestExchange {
  /** The headers of the request that its answer may depend on. */
  readonly headers: Readonly<Record<string, string>>
  /** Absent if the body was not read or is not JSON. */
  readonly body?: unknown
  /** Whether the body is larger than what is stored. */
  readonly isCut: boolean
  /** The body of the answer. */
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

/** The row of a request. The bodies are stored only if it was rejected. */
export function rowOf(answered: AnsweredRequest): NewRequest {
  const { route, status, time, rejection } = answered
  const isBulk = route === '/Bulk'
  const resourceId = isBulk ? null : answered.resourceId
  const userName = isBulk ? null : answered.userName
  // Most requests are reads, which are found by the id: an index that each of them changes would be slow.
  const isRead = ON_TYPES[answered.request.method] === 'list'
  const exchange = status >= 400 ? exchangeOf(answered) : null
  const entry: RequestEntry = {
    requestId: answered.requestId,
    tokenId: answered.tokenId ?? rejection?.tokenId ?? null,
    method: answered.request.method.slice(0, LONGEST_METHOD),
    path: pathOf(answered),
    operation: operationOf(route, answered.request.method),
    resourceType: typeOf(route),
    userName: userName?.slice(0, LONGEST_KEY) ?? null,
    scimType: answered.error?.scimType ?? null,
    detail: exchange?.detail ?? null,
    rejection: rejection?.reason ?? null,
    milliseconds: answered.milliseconds,
  }
  return {
    tenantId: answered.tenantId ?? rejection?.tenantId ?? '',
    time,
    status,
    resourceId: keyOf(resourceId),
    userNameKey: isRead && resourceId !== null ? null : keyOf(userName?.toLowerCase() ?? null),
    entry: JSON.stringify(entry),
    exchange: exchange === null ? null : JSON.stringify(exchange.stored),
  }
}

/** The bodies of a rejected request, and the message of its error. */
function exchangeOf({ request, types, body, error }: AnsweredRequest): {
  readonly stored: RequestExchange
  readonly detail: string | null
} {
  const sensitivity = sensitivityOf(types ?? RESOURCE_TYPES)
  const masked = body === undefined ? null : mask(body, LIMITS, sensitivity)
  const detail = error === null ? null : maskDetail(error.message, request.url, masked, sensitivity)
  const stored = {
    headers: headersOf(request),
    ...(masked === null ? {} : { body: masked.value }),
    isCut: masked?.isCut ?? false,
    answer: error === null ? null : answerOf(error, detail),
  }
  return { stored, detail }
}

/** A message may quote a filter, a path or a value of the request. */
function maskDetail(
  message: string,
  url: string,
  masked: Pick<ReturnType<typeof mask>, 'secrets' | 'isTextMasked'> | null,
  sensitivity: Sensitivity,
): string {
  const query = url.slice(url.indexOf('?') + 1)
  const isTextMasked = masked?.isTextMasked === true || maskQuery(query, sensitivity) !== query
  const quotes = (secret: string): boolean => {
    // A quotation may be cut off, be escaped as JSON, or have another letter case.
    const starts = [secret, JSON.stringify(secret).slice(1)].map((one) => one.slice(0, 4))
    return starts.some((start) => message.toLowerCase().includes(start.toLowerCase()))
  }
  if (isTextMasked || masked?.secrets.some(quotes)) return HIDDEN_DETAIL
  return message.slice(0, LONGEST_DETAIL)
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

function headersOf({ headers }: Request): Readonly<Record<string, string>> {
  const sent = HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value.slice(0, LONGEST_HEADER)]]
  })
  return Object.fromEntries(sent)
}

function pathOf({ target, route, types }: AnsweredRequest): string {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  // A path without a route may be anything, also a token that was pasted into the wrong field.
  const shown = route === null ? path.replaceAll(/[^/]{41,}/g, MASK) : path
  const query =
    mark === -1
      ? ''
      : `?${maskQuery(target.slice(mark + 1), sensitivityOf(types ?? RESOURCE_TYPES))}`
  return `${shown}${query}`.slice(0, LONGEST_PATH)
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

/** An indexed string; null for one that a database cannot store. */
function keyOf(text: string | null): string | null {
  if (text === null || text === '' || !isStorable(text)) return null
  const key = text.slice(0, LONGEST_KEY)
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
/** The names of the resource types, by their endpoints. */
const ENDPOINTS = new Map(RESOURCE_TYPES.map(({ endpoint, name }) => [endpoint, name]))
const HEADERS = ['Content-Type', 'User-Agent', 'If-Match', 'If-None-Match', 'Accept']
/** The bodies of rejected requests that are stored: some kilobytes. */
const LIMITS: MaskLimits = { values: 500, text: 1_000 }
const HIDDEN_DETAIL = 'hidden, because the message may quote a sensitive value'
const LONGEST_DETAIL = 2_000
const LONGEST_HEADER = 200
const LONGEST_METHOD = 20
const LONGEST_PATH = 2_000
