import {
  ANY_TYPE,
  checkFieldValue,
  checkMembers,
  type Incoming,
  matchesRange,
  mediaTypeOf,
} from '@plumbline/base'
import { rangesOf } from '../http/body-ranges.ts'
import { isSchema } from '../schema/standard-schema.ts'
import { weigh } from '../serve/negotiate.ts'
import type { OperationSpec, ResponseSpec } from '../spec/operation-spec.ts'
import type { HeaderValue } from './reply-types.ts'
import { writeContent } from './write-content.ts'

/** An answer's options. */
export interface ReplyOptions {
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>
  readonly contentType?: string
}

/** Makes an operation's response. Throws a TypeError if the operation does not declare it. */
export type WriteReply = (
  request: Incoming,
  status: number,
  body: unknown,
  options: ReplyOptions | undefined,
) => Response

/** Prepares an operation's responses. */
export function prepareReplies(operationId: string, { responses = {} }: OperationSpec): WriteReply {
  const declared = new Map<string, PreparedReply>()
  for (const [status, response] of Object.entries(responses)) {
    if (response) declared.set(status, prepareReply(response))
  }
  const find = memoizeStatus(
    (status) =>
      declared.get(String(status)) ??
      declared.get(`${Math.floor(status / 100)}XX`) ??
      declared.get('default'),
  )
  const reject = (status: number, why: string): TypeError =>
    new TypeError(`operation "${operationId}" ${why} status ${status}`)
  return (request, status, body, { headers, contentType } = {}) => {
    const reply = find(status)
    if (reply === undefined) throw reject(status, 'does not declare')
    // Without headers, an empty `Headers` would cost 10 % of a small request.
    const sent = headers && writeHeaders(headers)
    for (const name of reply.requiredHeaders) {
      if (!sent?.has(name)) throw reject(status, `must send the header ${name} with`)
    }
    if (body === undefined || body === null) {
      if (reply.types.length === 0) return new Response(null, { status, headers: sent ?? {} })
    } else if (reply.types.length === 0 && reply.stream === undefined)
      throw reject(status, 'does not declare a body for')
    const isStream = contentType !== undefined && reply.stream === contentType
    const type = isStream
      ? describeType(contentType)
      : selectType(reply, request, body, contentType)
    if (type === null) {
      throw contentType === undefined
        ? reject(status, 'must name a media type for')
        : reject(status, `does not declare the media type ${contentType} for`)
    }
    const content = writeContent(body, type.name)
    const isText = typeof content === 'string'
    // The runtime adds a multipart form's boundary.
    if (!isText && content instanceof FormData) {
      return new Response(content, { status, headers: sent ?? {} })
    }
    const typed = isText ? type.ofText : type.ofBytes
    sent?.set('Content-Type', typed)
    const init = { status, headers: sent ?? { 'Content-Type': typed } }
    return content instanceof ReadableStream || request.respond === undefined
      ? new Response(content, init)
      : request.respond(content, init)
  }
}

/** Remembers the reply of each status that is declared. */
function memoizeStatus<Reply>(
  find: (status: number) => Reply | undefined,
): (status: number) => Reply | undefined {
  const known = new Map<number, Reply>()
  return (status) => {
    const found = known.get(status) ?? find(status)
    if (found !== undefined) known.set(status, found)
    return found
  }
}

/** The parts of a declared response needed to answer with it. */
interface PreparedReply {
  readonly requiredHeaders: readonly string[]
  /** The media types and ranges as they are declared; empty without a body. */
  readonly types: readonly string[]
  /** The media types without the ranges. */
  readonly concrete: readonly WrittenType[]
  /** The stream's media type. */
  readonly stream: string | undefined
}

/** A media type as a response has it. */
interface WrittenType {
  /** In lower case, without parameters. */
  readonly name: string
  readonly ofBytes: string
  /** With the runtime's charset, unless it has one. */
  readonly ofText: string
}

function describeType(type: string): WrittenType {
  const isBare = /^text\/[^;]*$/i.test(type)
  return {
    name: mediaTypeOf(type),
    ofBytes: type,
    ofText: isBare ? `${type}; charset=utf-8` : type,
  }
}

function prepareReply({ headers = {}, body, stream }: ResponseSpec): PreparedReply {
  const required = Object.entries(headers).filter(([, header]) => header.required === true)
  const { ranges = [], isFile = false } = body ? rangesOf(body) : {}
  const types = body === undefined || isSchema(body) ? ranges : Object.keys(body)
  return {
    // The body's media type is the Content-Type.
    requiredHeaders: required.map(([name]) => name).filter((name) => !/^content-type$/i.test(name)),
    types,
    concrete: (isFile ? typeOfFile(types) : types.filter((type) => !type.includes('*'))).map(
      describeType,
    ),
    stream: stream?.mediaTypes[0],
  }
}

/** The media type for a file without one: the declared type, if only one exists. */
function typeOfFile(types: readonly string[]): readonly string[] {
  if (types.length > 1) return []
  return types.includes(ANY_TYPE) ? [BYTES] : types
}

function writeHeaders(given: NonNullable<ReplyOptions['headers']>): Headers {
  checkMembers(given)
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    // Lists are joined with commas, except for Set-Cookie (RFC 9110 §5.3).
    for (const one of typeof value === 'object' ? value : [value]) {
      checkFieldValue(name, String(one))
      headers.append(name, String(one))
    }
  }
  return headers
}

/**
 * Selects a body's media type: the one the handler names, then the file's, then the declared type the client prefers.
 * Returns null if the type is not declared, or if only ranges are declared.
 */
function selectType(
  { types, concrete }: PreparedReply,
  request: Incoming,
  body: unknown,
  named: string | undefined,
): WrittenType | null {
  const isDeclared = (type: string): boolean =>
    types.some((range) => matchesRange(mediaTypeOf(range), mediaTypeOf(type)))
  if (named !== undefined) {
    checkFieldValue('Content-Type', named)
    return isDeclared(named) ? describeType(named) : null
  }
  if (body instanceof Blob && body.type !== '' && isDeclared(body.type))
    return describeType(body.type)
  const [first] = concrete
  if (first === undefined) return null
  const accept = concrete.length === 1 ? null : request.headers.get('Accept')
  if (accept === null) return first
  const weightOf = (type: WrittenType): number => weigh(accept, type.name)
  return concrete.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best), first)
}

/** RFC 9110 §8.3: recipients assume it for content without a media type. */
const BYTES = 'application/octet-stream'
