import { defined } from '@plumbline/base'
import { type Result, unwrap } from '@plumbline/result'
import { SEARCH_REQUEST_SCHEMA } from '../constants.ts'
import { badRequest, type ErrorType, resultOf, type ScimError } from '../error.ts'
import { findNode } from '../filter/find-attributes.ts'
import type { ListQuery } from '../model.ts'
import { parsePath } from '../path/parse-path.ts'
import { type AttributeIndex, attributeIndex, resolvePath } from '../schema/attribute-index.ts'
import type { Definitions } from '../schema/types.ts'
import { fold } from '../values/fold.ts'
import { requireFewUnknown } from '../values/member-count.ts'
import { requireObject, requireSchema } from './members.ts'
import { readFilter } from './query-filter.ts'

/** The options for `parseListQuery` and `parseSearchRequest` (RFC 7644 §3.4.2). */
export interface ListQueryOptions {
  /** How many resources a page has if the client sends no count; 100 by default. */
  readonly defaultCount?: number | undefined
  /** The maximum number of resources on a page; unlimited by default. */
  readonly maxCount?: number | undefined
  /**
   * The definitions in which every path must exist, also inside a filter's brackets. A schema URN is
   * accepted only in `attributes` and `excludedAttributes`. By default any path is accepted.
   */
  readonly attributes?: Definitions | undefined
  /** The departures from the standard to accept, which require `attributes`; none by default. */
  readonly tolerate?: readonly ListTolerance[] | undefined
}

/** Deviation: a departure from the standard, off by default. */
export type ListTolerance =
  /**
   * An unknown path in `attributes` or `excludedAttributes` selects nothing. Generic clients send the same
   * projection for every resource type.
   */
  | 'unknown-attributes'
  /** A filter may compare a boolean with `"true"` or `"false"`, in any letter case. Entra ID sends such filters. */
  | 'text-booleans'

/**
 * Reads a list request's query.
 *
 * A `startIndex` below 1 becomes 1, a `count` below 0 becomes 0, and a `count` above `maxCount` becomes
 * `maxCount`. A `cursor` is returned unchanged; the first page has an empty one. Fails with `400`:
 * `invalidFilter` for the filter, `invalidPath` for a malformed or unknown path, `invalidCount` for a count
 * below 1 with a cursor, `invalidValue` for any other error, such as a duplicated parameter, a cursor together with
 * `startIndex`, or a parameter's name in another letter case.
 *
 * @example
 * ```ts
 * import { parseListQuery } from '@plumbline/scim'
 * import { unwrap } from '@plumbline/result'
 *
 * const url = new URL('http://localhost/Users?startIndex=0&count=10&attributes=userName,emails.value')
 * const { startIndex, count, attributes } = unwrap(parseListQuery(url))
 * startIndex //=> 1
 * count //=> 10
 * attributes //=> ['userName', 'emails.value']
 * ```
 * @see RFC 7644 §3.4.2, RFC 9865 §2
 */
export function parseListQuery(
  url: URL,
  options: ListQueryOptions = {},
): Result<ListQuery, ScimError> {
  return resultOf(() => readParameters(url.searchParams, options))
}

/** Reads a list request's query from the URL parameters. Throws a ScimError. */
export function readParameters(
  parameters: Iterable<[string, string]>,
  options: ListQueryOptions,
): ListQuery {
  const sent = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (!NAMES.has(name)) {
      requireUnlike(name)
      continue
    }
    const values = sent.get(name)
    if (values) values.push(value)
    else sent.set(name, [value])
  }
  const text = (name: string): string | undefined => {
    const [value, again] = sent.get(name) ?? []
    if (again !== undefined) throw badRequest('invalidValue', `${name} is duplicated`)
    return value
  }
  const integer = (name: string, scimType?: ErrorType): number | undefined => {
    const value = text(name)
    if (value !== undefined && !INTEGER.test(value)) throw notInteger(name, scimType)
    return value === undefined ? undefined : Number(value)
  }
  const paths = (name: string): string[] | undefined =>
    // RFC 7644 §3.4.2.5: names, separated by commas.
    sent.get(name)?.flatMap((value) =>
      value
        .split(',')
        .map((path) => path.trim())
        .filter(Boolean),
    )
  return readQuery({ text, integer, paths }, options)
}

/**
 * Reads a `.search` request's body, which has the same members as a list request's query.
 *
 * Fails like `parseListQuery`, with `invalidValue` if a member has the wrong type, and with `invalidSyntax` if
 * `schemas` does not list a search request's schema.
 *
 * @example
 * ```ts
 * import { parseSearchRequest, SEARCH_REQUEST_SCHEMA } from '@plumbline/scim'
 * import { unwrap } from '@plumbline/result'
 *
 * const body = { schemas: [SEARCH_REQUEST_SCHEMA], filter: 'title pr', count: 5 }
 * unwrap(parseSearchRequest(body)).count //=> 5
 * ```
 * @see RFC 7644 §3.4.3, RFC 9865 §3
 */
export function parseSearchRequest(
  body: unknown,
  options: ListQueryOptions = {},
): Result<ListQuery, ScimError> {
  return resultOf(() => readSearchRequest(body, options))
}

/** Reads a `.search` request's body. Throws a ScimError. */
export function readSearchRequest(body: unknown, options: ListQueryOptions): ListQuery {
  const sent = readSearchMembers(body)
  const text = (name: string): string | undefined => {
    const value = sent.get(name)
    if (value === undefined || typeof value === 'string') return value
    throw badRequest('invalidValue', `${name} must be a string`)
  }
  const integer = (name: string, scimType?: ErrorType): number | undefined => {
    const value = sent.get(name)
    if (value === undefined || Number.isInteger(value)) return value as number | undefined
    throw notInteger(name, scimType)
  }
  const paths = (name: string): string[] | undefined => {
    const value = sent.get(name)
    if (value === undefined) return undefined
    if (Array.isArray(value) && value.every((path) => typeof path === 'string')) return value
    throw badRequest('invalidValue', `${name} must be a list of strings`)
  }
  return readQuery({ text, integer, paths }, options)
}

/**
 * Deviation: RFC 7644 §3.4.2 ignores unknown parameters. A name that differs from a known one only in letter case is
 * rejected: `FILTER=…` would list all resources, and a client might delete them.
 */
function requireUnlike(name: string): void {
  const known = NAMES_BY_FOLDED.get(fold(name))
  if (known === undefined) return
  throw badRequest('invalidValue', `unknown parameter ${name}: write ${known}`)
}

/** Reads a query's members, from a URL or from a body. */
interface Source {
  readonly text: (name: string) => string | undefined
  readonly integer: (name: string, scimType?: ErrorType) => number | undefined
  readonly paths: (name: string) => string[] | undefined
}

function readQuery(source: Source, options: ListQueryOptions): ListQuery {
  const { text, paths } = source
  const { attributes, tolerate = [] } = options
  const index = attributes === undefined ? null : attributeIndex(attributes)
  const projected = tolerate.includes('unknown-attributes') ? null : index
  const textBooleans = tolerate.includes('text-booleans')
  const filter = text('filter')
  const sortBy = text('sortBy')
  const included = paths('attributes')
  const excluded = paths('excludedAttributes')
  if (included?.length && excluded?.length) {
    // RFC 7644 §3.9: the two are mutually exclusive.
    throw badRequest('invalidValue', 'attributes and excludedAttributes cannot be sent together')
  }
  const select = (name: string, named: readonly string[] | undefined): string[] | undefined =>
    named?.length ? named.map((path) => requireKnownPath(path, name, projected)) : undefined
  return defined({
    filter: filter === undefined ? undefined : readFilter(filter, { index, textBooleans }),
    ...readPage(source, options),
    sortBy: sortBy === undefined ? undefined : requireSortPath(sortBy, index),
    sortOrder: readSortOrder(text('sortOrder')),
    attributes: select('attributes', included),
    excludedAttributes: select('excludedAttributes', excluded),
  })
}

/** The requested page, and the maximum number of resources on it. */
function readPage(
  { text, integer }: Source,
  { defaultCount = 100, maxCount = Number.POSITIVE_INFINITY }: ListQueryOptions,
): Pick<ListQuery, 'cursor' | 'startIndex' | 'count'> {
  const most = Math.min(maxCount, Number.MAX_SAFE_INTEGER)
  const cursor = text('cursor')
  const startIndex = integer('startIndex')
  if (cursor === undefined) {
    const count = integer('count') ?? defaultCount
    return {
      startIndex: clamp(startIndex ?? 1, 1, Number.MAX_SAFE_INTEGER),
      count: clamp(count, 0, most),
    }
  }
  if (startIndex !== undefined) {
    throw badRequest('invalidValue', 'cursor and startIndex cannot be sent together')
  }
  const count = integer('count', 'invalidCount')
  // RFC 9865 §2: with a cursor, the count is a positive integer.
  if (count !== undefined && count < 1) {
    throw badRequest('invalidCount', 'count must be at least 1 with a cursor')
  }
  return { cursor, startIndex: 1, count: clamp(count ?? defaultCount, 1, most) }
}

function clamp(value: number, least: number, most: number): number {
  // A negative zero is written as 0.
  return Math.min(Math.max(value, least), most) + 0
}

function readSortOrder(text = 'ascending'): ListQuery['sortOrder'] {
  const order = fold(text)
  if (order === 'ascending' || order === 'descending') return order
  throw badRequest('invalidValue', 'sortOrder must be ascending or descending')
}

function requireKnownPath(text: string, name: string, index: AttributeIndex | null): string {
  const path = unwrap(parsePath(text))
  if (index !== null && resolvePath(index, path) === null) {
    throw badRequest('invalidPath', `${name}: unknown attribute ${text}`)
  }
  return text
}

/** Requires an attribute for sorting; `attributes` may also name a whole schema. */
function requireSortPath(text: string, index: AttributeIndex | null): string {
  requireKnownPath(text, 'sortBy', index)
  if (index === null || findNode(text, index)?.kind === 'attribute') return text
  throw badRequest('invalidPath', 'sortBy must name an attribute, not a schema')
}

/**
 * Reads a search's members in any letter case, under their standard spelling. Null is the same as absent
 * (RFC 7643 §2.5).
 */
function readSearchMembers(body: unknown): ReadonlyMap<string, unknown> {
  const spelled = new Map([['schemas', 'schemas'], ...NAMES_BY_FOLDED])
  const sent = new Map<string, unknown>()
  const members = Object.entries(requireObject(body, 'the body'))
  requireFewUnknown(members.length - spelled.size, 'the body')
  for (const [key, value] of members) {
    const name = spelled.get(fold(key))
    if (name === undefined || value === null) continue
    if (sent.has(name)) throw badRequest('invalidValue', `${name} is duplicated`)
    sent.set(name, value)
  }
  requireSchema(sent.get('schemas'), SEARCH_REQUEST_SCHEMA)
  return sent
}

function notInteger(name: string, scimType: ErrorType = 'invalidValue'): ScimError {
  return badRequest(scimType, `${name} must be an integer`)
}

const NAMES: ReadonlySet<string> = new Set([
  'filter',
  'cursor',
  'startIndex',
  'count',
  'sortBy',
  'sortOrder',
  'attributes',
  'excludedAttributes',
])
const NAMES_BY_FOLDED = new Map([...NAMES].map((name) => [fold(name), name]))
const INTEGER = /^[+-]?\d{1,400}$/
