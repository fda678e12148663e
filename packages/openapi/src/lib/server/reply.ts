import { JSON_RANGES, matchesRange, mediaTypeOf } from '../http/media-types.ts'
import { isSchema } from '../schema/standard-schema.ts'
import { weigh } from '../serve/negotiate.ts'
import type { OperationSpec, ResponseSpec } from '../spec/operation-spec.ts'
import type { HeaderValue } from './reply-types.ts'
import { withCharset, writeContent } from './write-content.ts'

/** The options of an answer. */
export interface ReplyOptions {
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>
  readonly contentType?: string
}

/** Makes a response of an operation. Throws a TypeError for one that the operation does not declare. */
export type WriteReply = (
  request: Request,
  status: number,
  body: unknown,
  options: ReplyOptions | undefined,
) => Response

/** Prepares the responses of an operation. */
export function prepareReplies(operationId: string, { responses = {} }: OperationSpec): WriteReply {
  const declared = new Map<string, PreparedReply>()
  for (const [status, response] of Object.entries(responses)) {
    if (response) declared.set(status, prepareReply(response))
  }
  return (request, status, body, { headers = {}, contentType } = {}) => {
    const reply =
      declared.get(String(status)) ??
      declared.get(`${Math.floor(status / 100)}XX`) ??
      declared.get('default')
    const reject = (why: string): TypeError =>
      new TypeError(`operation "${operationId}" ${why} status ${status}`)
    if (reply === undefined) throw reject('does not declare')
    const sent = writeHeaders(headers)
    for (const name of reply.requiredHeaders) {
      if (!sent.has(name)) throw reject(`must send the header ${name} with`)
    }
    if (body === undefined || body === null) {
      if (reply.types.length === 0) return new Response(null, { status, headers: sent })
    } else if (reply.types.length === 0) throw reject('does not declare a body for')
    const type = selectType(reply.types, request, body, contentType)
    if (type === null) {
      throw contentType === undefined
        ? reject('must name a media type for')
        : reject(`does not declare the media type ${contentType} for`)
    }
    const content = writeContent(body, type)
    // The runtime adds the boundary of a multipart form.
    if (!(content instanceof FormData)) sent.set('Content-Type', withCharset(type, content))
    return new Response(content, { status, headers: sent })
  }
}

/** The data of a declared response that answers need. */
interface PreparedReply {
  readonly requiredHeaders: readonly string[]
  /** The media types and ranges as they are declared; empty without a body. */
  readonly types: readonly string[]
}

function prepareReply({ headers = {}, body }: ResponseSpec): PreparedReply {
  const required = Object.entries(headers).filter(([, header]) => header.required === true)
  return {
    // The media type of the body is the Content-Type.
    requiredHeaders: required.map(([name]) => name).filter((name) => !/^content-type$/i.test(name)),
    types: body === undefined ? [] : isSchema(body) ? JSON_RANGES : Object.keys(body),
  }
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
 * The media type of a body: the one that the handler names, that of a file, or the declared one that the
 * client prefers. Null if it is not declared, or if only ranges are declared.
 */
function selectType(
  declared: readonly string[],
  request: Request,
  body: unknown,
  named: string | undefined,
): string | null {
  const isDeclared = (type: string): boolean =>
    declared.some((range) => matchesRange(mediaTypeOf(range), mediaTypeOf(type)))
  if (named !== undefined) return isDeclared(named) ? named : null
  if (body instanceof Blob && body.type !== '' && isDeclared(body.type)) return body.type
  const [first, ...others] = declared.filter((type) => !type.includes('*'))
  if (first === undefined) return null
  const accept = request.headers.get('Accept')
  if (others.length === 0 || accept === null) return first
  const weightOf = (type: string): number => weigh(accept, mediaTypeOf(type))
  return others.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best), first)
}
