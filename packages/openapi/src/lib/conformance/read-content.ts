import type { StandardSchemaV1 } from '@standard-schema/spec'
import { readForm } from '../http/form.ts'
import { FORM, isBinaryType, isJson } from '../http/media-types.ts'
import { parseUrlencoded } from '../http/urlencoded.ts'
import { entriesOf, jsonOf, readScalar } from '../request/coerce.ts'
import { preparePart } from '../request/contract.ts'
import type { Shape } from '../schema/shape/shape.ts'
import type { Schema } from '../schema/standard-schema.ts'

/** What a schema validates of a body, or why there is nothing to validate. */
export type Content =
  | { readonly value: unknown }
  | { readonly issues: readonly StandardSchemaV1.Issue[] }

/**
 * Whether the body of a media type, in lower case, is read: JSON, forms, and every text that a schema may
 * constrain. Event streams do not end, and bytes are not text.
 */
export function isReadable(type: string, { string, binary }: Shape): boolean {
  if (isJson(type) || type === FORM) return true
  if (type === EVENT_STREAM) return false
  return type.startsWith('text/') || (string && !binary && !isBinaryType(type))
}

/** Reads the body of a media type, in lower case, from a clone; a form as requests are read. */
export async function readContent(
  type: string,
  response: Response,
  schema?: Schema,
): Promise<Content> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    const end = await readPieces(response, PATIENCE, (piece) => {
      text += decoder.decode(piece, { stream: true })
      return false
    })
    if (end === 'late') return fault('the body did not end, so that no schema can check it')
    text += decoder.decode()
  } catch (error) {
    return fault(`the body cannot be read: ${messageOf(error)}`)
  }
  const part = schema && preparePart(schema)
  if (type === FORM && part) return readForm(entriesOf(parseUrlencoded(text)), part)
  if (!isJson(type)) return { value: part ? readScalar(text, part.whole) : text }
  try {
    return { value: part ? jsonOf(text, part) : JSON.parse(text) }
  } catch {
    return fault('the body is not valid JSON')
  }
}

function fault(message: string): Content {
  return { issues: [{ message }] }
}

/** Whether there is nothing in the body; no more of it is read than tells, nor waited for. */
export async function isEmpty(response: Response): Promise<boolean> {
  // There was one, for somebody has read it.
  if (response.bodyUsed || response.body?.locked) return false
  try {
    return (await readPieces(response, MOMENT, ({ byteLength }) => byteLength > 0)) === 'end'
  } catch {
    // What breaks off is something.
    return false
  }
}

/**
 * Reads a clone of a body piece by piece, until it ends, `isEnough` says so, or the milliseconds are
 * over. A stream that always has a piece ready lets no timer run, so that the clock is looked at too.
 */
async function readPieces(
  response: Response,
  patience: number,
  isEnough: (piece: Uint8Array) => boolean,
): Promise<'end' | 'enough' | 'late'> {
  const reader = response.clone().body?.getReader()
  if (reader === undefined) return 'end'
  const deadline = Date.now() + patience
  const read = async () => {
    while (Date.now() < deadline) {
      const { done, value } = await reader.read()
      if (done) return 'end'
      if (isEnough(value)) return 'enough'
    }
    return 'late'
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, patience, 'late')
  })
  try {
    return await Promise.race([read(), late])
  } finally {
    clearTimeout(timer)
    // The other branch of the clone is the client's: this one alone is given up.
    void reader.cancel().catch(() => undefined)
  }
}

/** What was thrown, in words; not everything that can be thrown can be made a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `something threw a value of type ${typeof error}`
}

const EVENT_STREAM = 'text/event-stream'

/** A stream that is open for longer without a byte is not an empty body. */
const MOMENT = 50
/** A stream that is open for longer is taken for one without an end. */
const PATIENCE = 2_000
