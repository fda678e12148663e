import { type FormPart, partsOf, readForm } from '../http/form.ts'
import { FORM, isJson, MULTIPART, matchesRange, mediaTypeOf } from '../http/media-types.ts'
import { parseUrlencoded } from '../http/urlencoded.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import { entriesOf, jsonOf, readScalar, type Values } from './coerce.ts'
import type { PreparedBody, PreparedSchema } from './contract.ts'
import { OperationInputError } from './input-error.ts'
import { outcomeOf, readAndValidate, refuse, validate } from './validate.ts'

/** Reads and validates the body of a request by its Content-Type. Throws a rejection. */
export async function readBody(body: PreparedBody, request: Request): Promise<unknown> {
  const stream = request.body
  if (request.bodyUsed || stream?.locked) {
    throw new TypeError('the body of the request was read before')
  }
  const header = request.headers.get('Content-Type')
  const type = header === null ? null : mediaTypeOf(header)
  if (body.kind === 'file') {
    return await validate('body', body.part, stream ? await fileIn(request, type) : undefined)
  }
  const found = body.parts.find(({ range }) => type !== null && matchesRange(range, type))
  if (type === null || found === undefined) return await undeclared(body, request)
  const { part } = found
  if (stream === null) return await validate('body', part, undefined)
  const sent = await sentIn(request, part, type)
  if (sent === undefined || sent === '') return await empty(part, type)
  // JSON values have types, so they are not coerced.
  if (isJson(type)) return await validate('body', part, contentOf(sent, type, part))
  return await readAndValidate('body', part, (reading) => contentOf(sent, type, reading))
}

type Sent = string | File | Values<FormPart>

/** The value of a body by its media type; undefined for a file without bytes. */
function sentIn(request: Request, part: PreparedSchema, type: string): Promise<Sent | undefined> {
  if (isFileShape(part.whole)) return fileIn(request, type)
  return type === MULTIPART ? formOf(request, part) : text(request)
}

async function fileIn(request: Request, type: string | null): Promise<File | undefined> {
  const bytes = await whole(() => request.arrayBuffer())
  return bytes.byteLength === 0 ? undefined : fileOf([bytes], type)
}

/** The body as a file. Its type is the media type without parameters, as in the document. */
function fileOf(bytes: BlobPart[], type: string | null): File {
  return new File(bytes, '', { type: type ?? '' })
}

type BodyByMediaType = PreparedBody & { readonly kind: 'by-media-type' }

/** A body of an undeclared media type, which may also be absent. */
async function undeclared(body: BodyByMediaType, request: Request): Promise<unknown> {
  if ((await text(request)) !== '') {
    const header = request.headers.get('Content-Type')
    throw refuse('body', unsupported(header, body), 'unsupported-media-type')
  }
  return await absent(body)
}

/** An absent body: undefined for the first schema that accepts it, or else the rejection of the first one. */
async function absent({ parts }: BodyByMediaType): Promise<unknown> {
  for (const part of new Set(parts.map(({ part }) => part))) {
    const outcome = await outcomeOf(part.schema, undefined)
    if (!outcome.issues) return outcome.value
  }
  const [first] = parts
  return first ? await validate('body', first.part, undefined) : undefined
}

/**
 * A body without bytes: undefined if the schema accepts that. Otherwise a form without fields, an empty
 * string or an empty file, by its media type; for JSON it stays undefined.
 */
async function empty(part: PreparedSchema, type: string): Promise<unknown> {
  const outcome = await outcomeOf(part.schema, undefined)
  if (!outcome.issues) return outcome.value
  return await validate('body', part, emptyContent(part, type))
}

function emptyContent(part: PreparedSchema, type: string): unknown {
  if (isFileShape(part.whole)) return fileOf([], type)
  if (type === FORM) return fieldsOf(new Map(), part)
  return isJson(type) ? undefined : ''
}

/** Decodes the bytes of a body by its media type. */
function contentOf(sent: Sent, type: string, part: PreparedSchema): unknown {
  if (sent instanceof File) return sent
  if (typeof sent !== 'string') return fieldsOf(sent, part)
  if (type === FORM) return fieldsOf(entriesOf(parseUrlencoded(sent)), part)
  return isJson(type) ? parseJson(sent, part) : readScalar(sent, part.whole)
}

function fieldsOf(parts: Values<FormPart>, part: PreparedSchema): Record<string, unknown> {
  const form = readForm(parts, part)
  if ('issues' in form) throw new OperationInputError('body', form.issues)
  return form.value
}

function parseJson(sent: string, part: PreparedSchema): unknown {
  try {
    return jsonOf(sent, part)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw refuse('body', `not valid JSON: ${why}`, 'malformed')
  }
}

function text(request: Request): Promise<string> {
  return whole(() => request.text())
}

/** If the client disconnects or the body is not a form, the request is rejected: no exception escapes. */
async function whole<Content>(read: () => Promise<Content>): Promise<Content> {
  try {
    return await read()
  } catch {
    throw refuse('body', 'the body could not be read', 'malformed')
  }
}

async function formOf(request: Request, part: PreparedSchema): Promise<Values<FormPart>> {
  try {
    return await partsOf(await request.formData(), part)
  } catch {
    throw refuse('body', 'not valid multipart/form-data', 'malformed')
  }
}

function unsupported(header: string | null, { parts }: BodyByMediaType): string {
  const sent = header === null ? 'a body without a Content-Type' : header.slice(0, 100)
  return `${sent} is not one of ${parts.map(({ range }) => range).join(', ')}`
}
