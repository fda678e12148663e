import { checkMembers, FORM, isJson, MULTIPART, matchesRange, mediaTypeOf } from '@plumbline/base'
import type { OperationFacts } from './manifest.ts'
import { fillPattern } from './path.ts'
import { PROBLEM, SEQUENCE } from './read-answer.ts'

/** The request parts, as passed to a client function. */
export interface RequestInput {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly headers?: object | undefined
  readonly cookies?: object | undefined
  readonly body?: unknown
  readonly contentType?: string | undefined
  readonly accept?: string | undefined
}

/** Writes a request's path and query. Throws a TypeError for paths that cannot be sent. */
export function writeUrl(
  { pattern }: OperationFacts,
  baseUrl: string,
  { params = {}, query = {} }: RequestInput,
): string {
  const search = new URLSearchParams(entriesOf(query).map(([name, value]) => [name, textOf(value)]))
  const path = baseUrl.replace(/\/+$/, '') + fillPattern(pattern, { ...params })
  return search.size === 0 ? path : `${path}?${search}`
}

/** Writes a request's declared headers and cookies, replacing headers set before. */
export function writeHeaders({ headers = {}, cookies = {} }: RequestInput, written: Headers): void {
  const fields = entriesOf(headers)
  for (const [name] of fields) written.delete(name)
  for (const [name, value] of fields) written.append(name, textOf(value))
  const pairs = entriesOf(cookies).map(
    ([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`,
  )
  if (pairs.length > 0) written.set('Cookie', pairs.join('; '))
}

/**
 * Writes an Accept header. The operation's other media types have a lower weight, because strict servers answer an
 * error in a type the client does not accept with 406. Other streams are left out: some servers send one to every
 * client that names it.
 */
export function writeAccept(
  wanted: readonly string[],
  { responses, problems }: OperationFacts,
  defaults: readonly string[],
): string {
  const hasProblems = problems.length + defaults.length > 0
  const declared = [...Object.values(responses).flat(), ...(hasProblems ? [PROBLEM] : [])]
  const others = declared.filter((type) => !wanted.includes(type) && !SEQUENCE.test(type))
  const weighed = [...wanted, ...others.map((type) => `${type};q=0.5`)]
  // The range `*+json` is ours.
  const types = [...new Set(weighed)].filter((type) => type.includes('/'))
  const all = types.join(', ')
  if (all.length <= MAX_ACCEPT_LENGTH) return all
  const fitting = types.filter(
    (_, at) => types.slice(0, at + 1).join(', ').length <= MAX_ACCEPT_LENGTH - ANY.length,
  )
  return (fitting.length > 0 ? fitting : types.slice(0, 1)).join(', ') + ANY
}

/** Writes a request's body and Content-Type. */
export function writeBody(
  { body: ranges }: OperationFacts,
  { body, contentType }: RequestInput,
  headers: Headers,
): BodyInit | null {
  if (body === undefined) return null
  const type = contentType ?? defaultType(body, ranges)
  // The runtime adds a multipart form's boundary.
  if (mediaTypeOf(type) !== MULTIPART) headers.set('Content-Type', type)
  return writeContent(mediaTypeOf(type), body)
}

function defaultType(body: unknown, ranges: readonly string[]): string {
  const [only = 'application/json'] = ranges
  const named = body instanceof Blob ? body.type : ''
  const isNamed = ranges.some((range) => matchesRange(range, mediaTypeOf(named)))
  const isOfAnyType = only.includes('*') || (isBytes(body) && isJson(only))
  return isOfAnyType || isNamed ? named || BYTES : only
}

function writeContent(type: string, body: unknown): BodyInit {
  if (isBytes(body)) return body
  if (isJson(type)) return JSON.stringify(body)
  if (type === FORM) {
    return new URLSearchParams(entriesOf(body).map(([name, value]) => [name, textOf(value)]))
  }
  return type === MULTIPART ? writeMultipart(body) : String(body)
}

/** A list is one part per element, and an object is a JSON part (OpenAPI 3.1.1 §4.8.15). */
function writeMultipart(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of entriesOf(body)) {
    if (value instanceof Blob) form.append(name, value)
    else if (typeof value !== 'object') form.append(name, textOf(value))
    else form.append(name, new Blob([JSON.stringify(value)], { type: 'application/json' }))
  }
  return form
}

/** Returns an object's values, with lists split into elements. Undefined values are not sent. */
function entriesOf(values: unknown): [name: string, value: unknown][] {
  checkMembers(values)
  return Object.entries(Object(values)).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, unknown][] =>
      one === undefined ? [] : [[name, one]],
    ),
  )
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Content sent as it is. */
export type Bytes =
  | Blob
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | ReadableStream<Uint8Array>
  | FormData

function isBytes(body: unknown): body is Bytes {
  return (
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof ReadableStream ||
    body instanceof FormData
  )
}

const BYTES = 'application/octet-stream'
/** Fetch §2.2.2: a browser sends a longer value to another origin only after a preflight, which servers may reject. */
const MAX_ACCEPT_LENGTH = 128
const ANY = ', */*;q=0.1'
