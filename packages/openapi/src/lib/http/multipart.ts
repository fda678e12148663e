import { type Bytes, isJson, mediaTypeOf, parameterOf } from '@plumbline/base'
import { addValue, type CoerceOptions, type Values } from '../schema/coerce.ts'
import { elementAt, type Shape } from '../schema/shape/shape.ts'
import { decodeText, withoutMark } from './charset.ts'
import { ContentError, tooManyFields } from './content-error.ts'
import { type FormPart, mayBeJson } from './form.ts'

/**
 * Reads `multipart/form-data` (RFC 7578) by name as `formData` does, but throws a ContentError rather than replace a
 * byte. Text has the part's charset, or the one the form names. Runtimes differ in files without a name or a media
 * type. Throws a ContentError after `most` parts. A JSON file comes with its text if the schema may accept the content.
 */
export function readMultipart(
  bytes: Bytes,
  contentType: string,
  { shapes, others }: Pick<CoerceOptions, 'shapes' | 'others'>,
  most: number = Number.POSITIVE_INFINITY,
): Values<FormPart> {
  const boundary = parameterOf(contentType, 'boundary') ?? ''
  if (boundary === '') throw malformed('its Content-Type does not have a boundary')
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)
  const parts = splitParts(view, boundary, most).map(parsePart)
  // RFC 7578 §4.6: a field with this name names the charset for all text.
  const named = parts.find(({ name }) => name === '_charset_')
  const charset = named && decodeText(named.content)
  const values: Values<FormPart> = new Map()
  for (const part of parts) {
    const shape = shapes.get(part.name) ?? others
    const value = readPart(part, shape, charset)
    if (!isUnset(part, shape)) addValue(values, part.name, value)
  }
  return values
}

/** A part as it was sent. */
interface SentPart {
  readonly name: string
  /** Null if the part is text. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly content: Uint8Array<ArrayBuffer>
}

/**
 * Splits a body at the delimiters.
 *
 * multipart-body := [CRLF] dash-boundary transport-padding CRLF body-part
 *                   *(delimiter transport-padding CRLF body-part) delimiter "--" transport-padding [CRLF epilogue]
 *
 * @see RFC 2046 §5.1.1
 */
function splitParts(
  bytes: Uint8Array<ArrayBuffer>,
  boundary: string,
  most: number,
): Uint8Array<ArrayBuffer>[] {
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  // Deviation: RFC 2046 §5.1.1 ignores text before the first delimiter. Here it is a form whose beginning was cut.
  const start = isAt(bytes, delimiter, 0) ? 0 : -2
  if (start < 0 && !isAt(bytes, delimiter.subarray(2), 0)) {
    throw malformed('it does not begin with its boundary')
  }
  let from = start + delimiter.length
  while (!isAt(bytes, DASHES, from)) {
    const end = endOf(bytes, delimiter, from, 'it ends without its last boundary')
    if (parts.length === most) throw tooManyFields(most)
    parts.push(bytes.subarray(from, end - delimiter.length))
    from = end
  }
  return parts
}

/** Returns the index after the next occurrence of `text`, which begins with CR. Throws `missing` if it is not found. */
function endOf(bytes: Uint8Array, text: Uint8Array, from: number, missing: string): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === CR && isAt(bytes, text, at)) return at + text.length
  }
  throw malformed(missing)
}

function isAt(bytes: Uint8Array, text: Uint8Array, from: number): boolean {
  if (from + text.length > bytes.length) return false
  for (let at = 0; at < text.length; at += 1) {
    if (bytes[from + at] !== text[at]) return false
  }
  return true
}

/** Reads a part's header fields, which begin after the delimiter's line break. */
function parsePart(bytes: Uint8Array<ArrayBuffer>): SentPart {
  const end = endOf(bytes, BLANK_LINE, 0, 'a part does not have an empty line')
  const [padding = '', ...lines] = decodeText(bytes.subarray(0, end)).split('\r\n')
  if (padding.trim() !== '') throw malformed('a boundary is followed by other text')
  const fields = new Map(lines.map(parseField))
  if (!IDENTITY.test(fields.get('content-transfer-encoding') ?? '8bit')) {
    throw new ContentError('the parts of a form cannot be encoded', 'unsupported-media-type')
  }
  const disposition = parseDisposition(fields.get('content-disposition') ?? '')
  const name = disposition.get('name')
  if (name === undefined) throw malformed('a part does not have a name')
  return {
    name,
    filename: disposition.get('filename') ?? null,
    contentType: fields.get('content-type') ?? null,
    content: bytes.subarray(end),
  }
}

// RFC 5322 §2.2: field = field-name ":" field-body
function parseField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()]
}

// RFC 7578 §4.2: "Content-Disposition:" "form-data" *(";" name "=" ( token / quoted-string ))
function parseDisposition(value: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  if (!/^form-data *;/i.test(value)) return parameters
  for (const [, name = '', quoted, token = ''] of value.matchAll(PARAMETER)) {
    parameters.set(name.toLowerCase(), unescapeName(quoted ?? token))
  }
  return parameters
}

/** HTML §4.10.21.8: browsers percent-encode quotes and line breaks in a name. Other clients write `\"`. */
function unescapeName(text: string): string {
  return text.replace(ESCAPES, (sent) => UNESCAPED.get(sent.toUpperCase()) ?? sent)
}

function readPart(
  { name, filename, contentType, content }: SentPart,
  shape: Shape | null,
  formCharset: string | undefined,
): FormPart {
  // RFC 7578 §4.4: a part's default is text/plain.
  const type = contentType ?? 'text/plain'
  if (filename === null) {
    const charset = isJson(mediaTypeOf(type))
      ? undefined
      : (parameterOf(type, 'charset') ?? formCharset)
    return decodeText(content, charset, [name])
  }
  const file = new File([content], filename, { type })
  const isJsonFile = isJson(mediaTypeOf(file.type)) && shape !== null && mayBeJson(shape)
  if (!isJsonFile || shape.binary) return file
  return { file, text: withoutMark(decodeText(content, undefined, [name])) }
}

/**
 * HTML §4.10.21.8: a browser sends a file input without a file as an empty file without a name. Scripts send an empty
 * string.
 */
function isUnset({ filename, content }: SentPart, shape: Shape | null): boolean {
  if (content.byteLength > 0) return false
  if (filename !== null) return filename === ''
  if (shape === null) return false
  const element = shape.list === null ? shape : elementAt(shape.list, 0)
  return element.binary && !element.acceptsText('') && !shape.acceptsText('')
}

function malformed(why: string): ContentError {
  return new ContentError(`not valid multipart/form-data: ${why}`)
}

const CR = 0x0d
const DASHES = new TextEncoder().encode('--')
const BLANK_LINE = new TextEncoder().encode('\r\n\r\n')

/** RFC 7578 §4.7: other part encodings are not in use. */
const IDENTITY = /^(?:7bit|8bit|binary)$/i
/** A backslash is part of a name, unless it precedes a quote that cannot be the name's last one. */
const PARAMETER = /; *([\w*]+) *= *(?:"((?:[^"\\]|\\(?:"(?! *(?:;|$)))?)*)"|([^\s";]+))/g
const ESCAPES = /\\"|%22|%0D|%0A/gi
const UNESCAPED: ReadonlyMap<string, string> = new Map([
  ['\\"', '"'],
  ['%22', '"'],
  ['%0D', '\r'],
  ['%0A', '\n'],
])
