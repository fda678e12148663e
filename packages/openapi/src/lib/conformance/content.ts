import { FORM, isJson } from '../media-types.ts'
import { preparePart } from '../request/contract.ts'
import { parseUrlencoded } from '../request/urlencoded.ts'
import { entriesOf, jsonOf, objectOf } from '../request/values.ts'
import type { Schema } from '../schema.ts'

/** What a schema validates of a body, or why there is nothing to validate. */
export type Content = { readonly value: unknown } | { readonly fault: string }

/** Only what has an end, and what a schema can say something about, is read. */
export function isReadable(type: string): boolean {
  return isJson(type) || type === FORM || (type.startsWith('text/') && type !== 'text/event-stream')
}

/** Reads the body of a media type, in lower case, from a clone; a form as requests are read. */
export async function readContent(
  type: string,
  response: Response,
  schema?: Schema,
): Promise<Content> {
  let text: string
  try {
    text = await response.clone().text()
  } catch (error) {
    return { fault: `the body cannot be read: ${messageOf(error)}` }
  }
  const part = schema && preparePart(schema)
  if (type === FORM && part) return { value: objectOf(entriesOf(parseUrlencoded(text)), part) }
  if (!isJson(type)) return { value: text }
  try {
    return { value: part ? jsonOf(text, part) : JSON.parse(text) }
  } catch {
    return { fault: 'the body is not valid JSON' }
  }
}

/** Whether there is nothing in the body; no more of it is read than tells, nor waited for. */
export async function isEmpty(response: Response): Promise<boolean> {
  if (response.body === null) return true
  // There was one, for somebody has read it.
  if (response.bodyUsed || response.body.locked) return false
  const reader = response.clone().body?.getReader()
  if (reader === undefined) return true
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, false)
  })
  try {
    return await Promise.race([endsWithoutBytes(reader), late])
  } finally {
    clearTimeout(timer)
    // The other branch of the clone is the client's: this one alone is given up.
    void reader.cancel().catch(() => undefined)
  }
}

async function endsWithoutBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  try {
    for (let pieces = 0; pieces < 16; pieces += 1) {
      const { done, value } = await reader.read()
      if (done) return true
      if (value.byteLength !== 0) return false
    }
  } catch {
    // What breaks off is something.
  }
  return false
}

/** What was thrown, in words; not everything that can be thrown can be made a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `something threw a value of type ${typeof error}`
}

/** Milliseconds: a stream that is open for longer without a byte is not an empty body. */
const PATIENCE = 50
