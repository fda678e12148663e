import { OperationInputError } from '../input-error.ts'
import { isFile } from '../json-schema/field.ts'
import { FORM, isJson, MULTIPART, mediaTypeOf, takes } from '../media-types.ts'
import type { PreparedBody, PreparedPart } from './contract.ts'
import { type FormPart, partsOf, readForm } from './form.ts'
import { parseUrlencoded } from './urlencoded.ts'
import { outcomeOf, readAndValidate, refuse, validate } from './validate.ts'
import { entriesOf, jsonOf, readScalar, type Values } from './values.ts'

/** Reads the body of a request by its Content-Type, and validates it; throws what is refused. */
export async function readBody(body: PreparedBody, request: Request): Promise<unknown> {
  const stream = request.body
  if (request.bodyUsed || stream?.locked) {
    throw new TypeError('the body of the request was read before')
  }
  const header = request.headers.get('Content-Type')
  const type = header === null ? null : mediaTypeOf(header)
  let part: PreparedPart
  if (body.kind === 'one') part = body.part
  else {
    const found = body.parts.find(({ range }) => type !== null && takes(range, type))
    if (found === undefined) return await undeclared(body, request)
    part = found.part
  }
  const sent = stream === null ? '' : await sentIn(request, part, type)
  if (sent === '' && stream !== null && body.kind === 'by-media-type') {
    return await empty(part, type)
  }
  // JSON says itself of what kind its values are.
  if (type !== null && isJson(type)) return validate('body', part, contentOf(sent, type, part))
  return readAndValidate('body', part, (reading) => contentOf(sent, type, reading))
}

type Sent = string | File | Values<FormPart>

/** The bytes of a body as they are read; none are an empty text, of a file as well. */
function sentIn(request: Request, part: PreparedPart, type: string | null): Promise<Sent> {
  if (isFile(part.whole)) return fileIn(request, type)
  return type === MULTIPART ? formOf(request, part) : text(request)
}

async function fileIn(request: Request, type: string | null): Promise<Sent> {
  const bytes = await whole(() => request.arrayBuffer())
  return bytes.byteLength === 0 ? '' : fileOf([bytes], type)
}

/** A body as a file, whose type is what the document says of it: the media type without parameters. */
function fileOf(bytes: BlobPart[], type: string | null): File {
  return new File(bytes, '', { type: type ?? '' })
}

type BodyByMediaType = PreparedBody & { readonly kind: 'by-media-type' }

/** A body of a media type that is none of those, which may as well be no body at all. */
async function undeclared(body: BodyByMediaType, request: Request): Promise<unknown> {
  if (request.body !== null && (await text(request)) !== '') {
    const header = request.headers.get('Content-Type')
    throw refuse('body', unsupported(header, body), 'unsupported-media-type')
  }
  return await absent(body)
}

/** A body that is not there: undefined, for each schema in turn, and the first one's refusal. */
async function absent({ parts }: BodyByMediaType): Promise<unknown> {
  for (const { part } of parts) {
    const outcome = await outcomeOf(part.schema, undefined)
    if (!outcome.issues) return outcome.value
  }
  const [first] = parts
  return first ? await validate('body', first.part, undefined) : undefined
}

/**
 * A body of no bytes: undefined where the schema takes that. Otherwise it is what its media type makes
 * of nothing: a form without fields, or an empty text; or an empty file.
 */
async function empty(part: PreparedPart, type: string | null): Promise<unknown> {
  const outcome = await outcomeOf(part.schema, undefined)
  if (!outcome.issues) return outcome.value
  if (isFile(part.whole)) return await validate('body', part, fileOf([], type))
  if (type === FORM) return await validate('body', part, {})
  return await validate('body', part, type === null || isJson(type) ? undefined : '')
}

/** What a media type makes of a body; of one without bytes, undefined. */
function contentOf(sent: Sent, type: string | null, part: PreparedPart): unknown {
  if (sent instanceof File) return sent
  if (typeof sent !== 'string') return fieldsOf(sent, part)
  if (sent === '') return undefined
  if (type === FORM) return fieldsOf(entriesOf(parseUrlencoded(sent)), part)
  return type !== null && isJson(type) ? parseJson(sent, part) : readScalar(sent, part.whole)
}

function fieldsOf(parts: Values<FormPart>, part: PreparedPart): Record<string, unknown> {
  const form = readForm(parts, part)
  if ('issues' in form) throw new OperationInputError('body', form.issues)
  return form.value
}

function parseJson(sent: string, part: PreparedPart): unknown {
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

/** A client that hangs up, or sends what is no form, is refused and never an exception. */
async function whole<Content>(read: () => Promise<Content>): Promise<Content> {
  try {
    return await read()
  } catch {
    throw refuse('body', 'the body could not be read', 'malformed')
  }
}

async function formOf(request: Request, part: PreparedPart): Promise<Values<FormPart>> {
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
