import { FORM, isBinaryType, isJson, readPieces } from '@plumbline/base'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { coerceForm } from '../http/form.ts'
import { parseUrlencoded } from '../http/urlencoded.ts'
import { coerceScalar, parseJsonFor } from '../schema/coerce.ts'
import { prepareSchema } from '../schema/prepare.ts'
import type { Shape } from '../schema/shape/shape.ts'
import type { Schema } from '../schema/standard-schema.ts'

/**
 * Whether bodies with this media type (lower case) are read: JSON, forms, and all text that a schema may constrain.
 * Event streams do not end, and bytes are not text.
 */
export function isReadable(type: string, { string, binary }: Shape): boolean {
  if (isJson(type) || type === FORM) return true
  if (type === EVENT_STREAM) return false
  return type.startsWith('text/') || (string && !binary && !isBinaryType(type))
}

/** Reads a body from a clone, by media type (lower case). Forms are read as in requests. */
export async function readContent(
  type: string,
  response: Response,
  schema?: Schema,
): Promise<StandardSchemaV1.Result<unknown>> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    const hasEnded = await readPieces(response.clone().body, TIMEOUT_MS, (piece) => {
      text += decoder.decode(piece, { stream: true })
      return false
    })
    if (!hasEnded) return unreadable('the body did not end in time, so it was not validated')
    text += decoder.decode()
  } catch (error) {
    return unreadable(`the body cannot be read: ${messageOf(error)}`)
  }
  const prepared = schema && prepareSchema(schema)
  if (type === FORM && prepared) {
    try {
      return coerceForm(parseUrlencoded(text), prepared)
    } catch (error) {
      return unreadable(`the body cannot be read: ${messageOf(error)}`)
    }
  }
  if (!isJson(type)) return { value: prepared ? coerceScalar(text, prepared.whole) : text }
  try {
    return { value: prepared ? parseJsonFor(prepared, text) : JSON.parse(text) }
  } catch {
    return unreadable('the body is not valid JSON')
  }
}

function unreadable(message: string): StandardSchemaV1.Result<unknown> {
  return { issues: [{ message }] }
}

/** Whether the body is empty. Stops reading at the first byte. */
export async function isEmpty(response: Response): Promise<boolean> {
  // The body was already read, so it exists.
  if (response.bodyUsed || response.body?.locked) return false
  // A failing body is not empty.
  const { body } = response.clone()
  return readPieces(body, MOMENT, ({ byteLength }) => byteLength > 0).catch(() => false)
}

/** Describes a thrown value. Not every value can be converted to a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `a value of type ${typeof error} was thrown`
}

const EVENT_STREAM = 'text/event-stream'

/** The time (ms) after which an open stream without a byte counts as not empty. */
const MOMENT = 50
/** The time (ms) after which an open stream counts as endless. */
const TIMEOUT_MS = 2_000
