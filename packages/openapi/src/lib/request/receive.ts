import {
  type Bytes,
  FORM,
  type Incoming,
  isJson,
  MULTIPART,
  matchesRange,
  mediaTypeOf,
  parameterOf,
  queryOf,
  TOKEN,
} from '@plumbline/base'
import { decodeText, withoutMark } from '../http/charset.ts'
import { ContentError } from '../http/content-error.ts'
import type { FormPart } from '../http/form.ts'
import { readMultipart } from '../http/multipart.ts'
import { parseUrlencoded, readUrlencoded } from '../http/urlencoded.ts'
import type { Values } from '../schema/coerce.ts'
import type { PreparedSchema } from '../schema/prepare.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import type { RouterParams } from '../spec/operation-spec.ts'
import { inputError } from './input-error.ts'
import type { ParameterLocation, PreparedBody, PreparedMediaType } from './prepare.ts'

/** Reads one request part's parameters as the strings sent. */
export const receiveParameters: Readonly<
  Record<
    ParameterLocation,
    (request: Incoming, schema: PreparedSchema, routed: RouterParams) => Values<string>
  >
> = {
  params: (_request, _schema, routed) => receiveParams(routed),
  query: receiveQuery,
  headers: receiveHeaders,
  cookies: receiveCookies,
}

function receiveParams(routed: RouterParams): Values<string> {
  const values: Values<string> = new Map()
  for (const name of Object.keys(routed)) {
    const value = routed[name]
    if (value !== undefined) values.set(name, value)
  }
  return values
}

function receiveQuery(request: Incoming, { names }: PreparedSchema): Values<string> {
  const query = queryOf(request)
  if (query === null) return new Map()
  try {
    return parseUrlencoded(query, names)
  } catch (error) {
    // The request itself is well-formed, so the value is rejected as one a schema rejects.
    throw error instanceof ContentError
      ? inputError('query', error.message, 'invalid', error.path)
      : error
  }
}

function receiveHeaders({ headers }: Incoming, { shapes }: PreparedSchema): Values<string> {
  const values: Values<string> = new Map()
  for (const name of shapes.keys()) {
    // A name that isn't a token fails the build, and requests cannot have it.
    const value = TOKEN.test(name) ? headers.get(name) : null
    if (value !== null) values.set(name, value)
  }
  return values
}

/** RFC 6265 §5.4: if two cookies have one name, the first is the more specific one. */
function receiveCookies({ headers }: Incoming, { shapes }: PreparedSchema): Values<string> {
  const values: Values<string> = new Map()
  for (const pair of (headers.get('Cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const name = pair.slice(0, equals).trim()
    if (shapes.has(name) && !values.has(name)) {
      values.set(name, unquoteCookie(pair.slice(equals + 1)))
    }
  }
  return values
}

function unquoteCookie(text: string): string {
  const value = text.trim().replace(/^"([^"]*)"$/, '$1')
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** A body as sent, with the schemas that may accept it. */
export type ReceivedBody =
  | { readonly kind: 'absent'; readonly schemas: readonly PreparedSchema[] }
  | ReceivedJson
  | ReceivedContent

/** A body with a JSON media type. */
export interface ReceivedJson {
  readonly kind: 'json'
  readonly schema: PreparedSchema
  readonly content: string
}

/** A body with a media type other than JSON. A body without bytes is empty: it may also be absent. */
export interface ReceivedContent {
  readonly kind: 'content' | 'empty'
  readonly schema: PreparedSchema
  readonly content: BodyContent
}

/** A body's content: text, a file, or a form's fields. */
export type BodyContent = string | File | Values<FormPart>

/** Reads a body as the request's Content-Type requires. Throws an OperationInputError or a ContentError. */
export function receiveBody(
  body: PreparedBody,
  request: Incoming,
  bytes: Bytes | 'unreadable',
): ReceivedBody {
  if (bytes === 'unreadable') throw inputError('body', 'the body could not be read', 'malformed')
  const header = request.headers.get('Content-Type')
  const contentType = header ?? ''
  const type = mediaTypeOf(contentType)
  const schema = body.file ?? (header === null ? null : findSchema(body, type))
  if (schema === null) return receiveUndeclared(body.types, bytes, header)
  const { fields } = body
  const isFile = isFileShape(schema.whole)
  const isEmpty = bytes.byteLength === 0
  // JSON is never empty. Only a media type distinguishes an empty file from an absent body.
  if (isEmpty && (request.body === null || type === '' || (isJson(type) && !isFile))) {
    return { kind: 'absent', schemas: [schema] }
  }
  const kind = isEmpty ? 'empty' : 'content'
  if (isFile) return { kind, schema, content: new File([bytes], '', { type }) }
  // RFC 8259 §8.1 and §11: JSON is UTF-8, whatever charset is named.
  if (isJson(type)) return { kind: 'json', schema, content: withoutMark(decodeText(bytes)) }
  if (type === MULTIPART) {
    return { kind: 'content', schema, content: readMultipart(bytes, contentType, schema, fields) }
  }
  if (isEmpty) return { kind, schema, content: type === FORM ? new Map() : '' }
  // Most clients send the media type without parameters.
  const named = contentType === type ? null : parameterOf(contentType, 'charset')
  const charset = named ?? undefined
  if (type !== FORM) return { kind, schema, content: withoutMark(decodeText(bytes, charset)) }
  return { kind, schema, content: readUrlencoded(bytes, charset, schema.names, fields) }
}

function findSchema({ exact, types }: PreparedBody, type: string): PreparedSchema | null {
  return exact.get(type) ?? types.find(({ range }) => matchesRange(range, type))?.schema ?? null
}

/** Receives a body with an undeclared media type, which must be empty. */
function receiveUndeclared(
  types: readonly PreparedMediaType[],
  bytes: Bytes,
  header: string | null,
): ReceivedBody {
  if (bytes.byteLength > 0) {
    throw inputError('body', describeUnsupported(header, types), 'unsupported-media-type')
  }
  return { kind: 'absent', schemas: [...new Set(types.map(({ schema }) => schema))] }
}

function describeUnsupported(header: string | null, types: readonly PreparedMediaType[]): string {
  const sent = header === null ? 'a body without a Content-Type' : header.slice(0, 100)
  return `${sent} is not one of ${types.map(({ range }) => range).join(', ')}`
}
