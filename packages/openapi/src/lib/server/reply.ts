import { rangesOf } from '../http/body-ranges.ts'
import { ANY_TYPE, matchesRange, mediaTypeOf } from '../http/media-types.ts'
import { isSchema } from '../schema/standard-schema.ts'
import { weigh } from '../serve/negotiate.ts'
import type { OperationSpec, ResponseSpec } from '../spec/operation-spec.ts'
import type { HeaderValue } from './reply-types.ts'
import { withCharset, writeContent } from './write-content.ts'

/** An answer's options. */
export interface ReplyOptions {
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>
  readonly contentType?: string
}

/** Makes a response of an operation. Throws a TypeError for one the operation does not declare. */
export type WriteReply = (
  request: Request,
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
  const reject = (status: number, why: string): TypeError =>
    new TypeError(`operation "${operationId}" ${why} status ${status}`)
  return (request, status, body, { headers, contentType } = {}) => {
    const reply =
      declared.get(String(status)) ??
      declared.get(`${Math.floor(status / 100)}XX`) ??
      declared.get('default')
    if (reply === undefined) throw reject(status, 'does not declare')
    // Without headers, an empty `Headers` would take a tenth of the time of a small request.
    const sent = headers && writeHeaders(headers)
    for (const name of reply.requiredHeaders) {
      if (!sent?.has(name)) throw reject(status, `must send the header ${name} with`)
    }
    if (body === undefined || body === null) {
      if (reply.types.length === 0) return new Response(null, { status, headers: sent ?? {} })
    } else if (reply.types.length === 0 && reply.stream === undefined)
      throw reject(status, 'does not declare a body for')
    const isStream = contentType !== undefined && reply.stream === contentType
    const type = isStream ? contentType : selectType(reply, request, body, contentType)
    if (type === null) {
      throw contentType === undefined
        ? reject(status, 'must name a media type for')
        : reject(status, `does not declare the media type ${contentType} for`)
    }
    const content = writeContent(body, type)
    // The runtime adds the boundary of a multipart form.
    if (content instanceof FormData) return new Response(content, { status, headers: sent ?? {} })
    const typed = withCharset(type, content)
    sent?.set('Content-Type', typed)
    return new Response(content, { status, headers: sent ?? { 'Content-Type': typed } })
  }
}

/** The data of a declared response that answers need. */
interface PreparedReply {
  readonly requiredHeaders: readonly string[]
  /** The media types and ranges as they are declared; empty without a body. */
  readonly types: readonly string[]
  /** Those that are not ranges. */
  readonly concrete: readonly string[]
  /** The media type of its stream. */
  readonly stream: string | undefined
}

function prepareReply({ headers = {}, body, stream }: ResponseSpec): PreparedReply {
  const required = Object.entries(headers).filter(([, header]) => header.required === true)
  const { ranges = [], isFile = false } = body ? rangesOf(body) : {}
  const types = body === undefined || isSchema(body) ? ranges : Object.keys(body)
  return {
    // The media type of the body is the Content-Type.
    requiredHeaders: required.map(([name]) => name).filter((name) => !/^content-type$/i.test(name)),
    types,
    concrete: isFile ? typeOfFile(types) : types.filter((type) => !type.includes('*')),
    stream: stream?.mediaTypes[0],
  }
}

/** The media type of a file that does not have one: the declared one, if there is one. */
function typeOfFile(types: readonly string[]): readonly string[] {
  if (types.length > 1) return []
  return types.includes(ANY_TYPE) ? [BYTES] : types
}

function writeHeaders(given: NonNullable<ReplyOptions['headers']>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (typeof value !== 'object') headers.set(name, String(value))
    // A list is joined with commas, except the values of Set-Cookie (RFC 9110 §5.3).
    else for (const one of value) headers.append(name, String(one))
  }
  return headers
}

/**
 * The media type of a body: the one the handler names, that of a file, or the declared one that the
 * client prefers. Null if it is not declared, or if only ranges are declared.
 */
function selectType(
  { types, concrete }: PreparedReply,
  request: Request,
  body: unknown,
  named: string | undefined,
): string | null {
  const isDeclared = (type: string): boolean =>
    types.some((range) => matchesRange(mediaTypeOf(range), mediaTypeOf(type)))
  if (named !== undefined) return isDeclared(named) ? named : null
  if (body instanceof Blob && body.type !== '' && isDeclared(body.type)) return body.type
  const [first] = concrete
  if (first === undefined) return null
  const accept = concrete.length === 1 ? null : request.headers.get('Accept')
  if (accept === null) return first
  const weightOf = (type: string): number => weigh(accept, mediaTypeOf(type))
  return concrete.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best), first)
}

/** RFC 9110 §8.3: what a recipient assumes of content without a media type. */
const BYTES = 'application/octet-stream'
