import { plainIssues, pointerOf } from '@plumbline/problem/core'
import { runSchema } from '../schema/run-schema.ts'
import type { PartReader, ReadPart } from '../spec/stream-spec.ts'
import { createEventReader, type EventReader } from '../stream/event-reader.ts'
import {
  createEventParts,
  createLineParts,
  type ParsedPart,
  parsePart,
} from '../stream/part-reader.ts'
import type { ReadAnswer } from './read-answer.ts'
import { EVENT_STREAM, formatsOf, keyOf, type Reading } from './reading.ts'
import { ResponseError } from './response-error.ts'

/** Yields the parts of one connection. Returns why it failed; null if the server ended it. */
export async function* readParts(
  reading: Reading,
  answer: ReadAnswer,
): AsyncGenerator<unknown, unknown> {
  const { call, operation } = reading
  const { signal } = call
  const source = (answer.body as ReadableStream<Uint8Array>).getReader()
  // A `fetch` that ignores the signal does not end the body.
  const abort = () => void source.cancel().catch(() => undefined)
  signal?.addEventListener('abort', abort, { once: true })
  const events = answer.contentType === EVENT_STREAM ? createEventReader(reading.lastId) : null
  const parts = createParts(events, formatsOf(operation.facts, answer) ?? {})
  try {
    while (!signal?.aborted) {
      const chunk = await source.read().catch((cause: unknown) => ({ done: null, cause }))
      if (chunk.done === null) return chunk.cause
      if (!chunk.done) reading.failures = 0
      for (const part of chunk.done ? parts.end() : parts.read(chunk.value)) {
        if (signal?.aborted) return null
        reading.count += 1
        if (part.fault === undefined) {
          if (call.check === true) await checkPart(reading, answer, part)
          yield events === null ? part.value : eventOf(part)
          continue
        }
        // A newer server may send events this client does not know.
        if (part.fault.code === 'undeclared') continue
        const { code, message, cause } = part.fault
        const text = `part ${reading.count} of the stream: ${message}`
        const error = new ResponseError(code, text, answer.response, { cause })
        if (code === 'incomplete') return error
        throw error
      }
      if (chunk.done) return null
    }
    return null
  } finally {
    if (events !== null) {
      reading.lastId = events.lastId()
      reading.retry = events.retry() ?? reading.retry
    }
    signal?.removeEventListener('abort', abort)
    abort()
  }
}

function createParts(
  events: EventReader | null,
  formats: Readonly<Record<string, string>>,
): PartReader {
  if (events === null) return createLineParts(parsePart)
  return createEventParts(events, (name, data) => {
    if (!Object.hasOwn(formats, name)) return UNDECLARED
    return formats[name] === 'text' ? { value: data } : parsePart(data)
  })
}

function eventOf({ name, value, id }: ReadPart): object {
  return id === undefined ? { event: name, data: value } : { event: name, data: value, id }
}

async function checkPart(
  { call, operation, count }: Reading,
  { status, response }: ReadAnswer,
  { name, value }: ReadPart,
): Promise<void> {
  // Keys in `responses` are a status, a range or `default`.
  const key = keyOf(operation.facts.streams ?? {}, status) as 'default'
  const schema = call.spec?.responses?.[key]?.stream?.parts[name]
  const { issues } = schema ? await runSchema(schema, value) : {}
  const [first] = plainIssues(issues ?? [])
  if (first === undefined) return
  const message = `event ${count} at ${pointerOf(first.path)}: ${first.message}`
  throw new ResponseError('event-mismatch', message, response)
}

const UNDECLARED: ParsedPart = { value: undefined, fault: { code: 'undeclared', message: '' } }
