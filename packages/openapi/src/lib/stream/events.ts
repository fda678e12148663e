import { isTime, WHOLE_MILLISECONDS } from '@plumbline/base'
import type { Schema } from '../schema/standard-schema.ts'
import type { EventStream, StreamFormat } from '../spec/stream-spec.ts'
import { createEventReader } from './event-reader.ts'
import { isText, readJson, writeJson } from './json.ts'
import { canSendId } from './last-event-id.ts'
import { createEventParts } from './part-reader.ts'

/**
 * Declares a response with server-sent events, by event name. An event's data is JSON, or the text itself if the schema
 * accepts only strings; line breaks in such a text arrive as LF.
 *
 * A handler yields `{ event, data }`, with an `id` and a `retry` (ms) if they are needed. An `id` is a header value of at
 * most 4,096 characters, and `retry` at most 2,147,483,647; otherwise the stream fails. A handler's exception is sent
 * as the event `error`, if the stream declares one and the event's schema accepts the problem. Throws a TypeError for a
 * name that is empty or has a line break.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { implement } from '@plumbline/openapi/server'
 * import { events } from '@plumbline/openapi/streams'
 * import { z } from 'zod'
 *
 * const watch = defineOperation('watch', 'GET /jobs/:id/events', {
 *   summary: 'Watch a job',
 *   responses: {
 *     200: { description: 'Its progress', stream: events({ progress: z.object({ done: z.int() }) }) },
 *   },
 * })
 * const info = { title: 'Jobs', version: '1.0.0' }
 * const api = implement(createDocument({ info, defaults: {} }).add(watch), {
 *   handlers: {
 *     watch: async function* () {
 *       yield { event: 'progress', data: { done: 1 } }
 *     },
 *   },
 * })
 * const response = await api.fetch(new Request('http://localhost/jobs/j1/events'))
 * await response.text() //=> 'event: progress\ndata: {"done":1}\n\n'
 * ```
 * @see WHATWG HTML §9.2
 */
export function events<const Events extends Readonly<Record<string, Schema>>>(
  schemas: Events,
): EventStream<Events> {
  for (const name of Object.keys(schemas)) {
    if (name === '' || BREAK.test(name)) {
      throw new TypeError(`an event cannot be named ${JSON.stringify(name)}`)
    }
  }
  return {
    kind: 'events',
    mediaTypes: ['text/event-stream'],
    parts: schemas,
    format: createFormat(schemas),
  }
}

function createFormat(schemas: Readonly<Record<string, Schema>>): StreamFormat {
  const schemaOf = (name: string) => (Object.hasOwn(schemas, name) ? schemas[name] : undefined)
  return {
    heartbeat: ':\n\n',
    isText: (name) => {
      const schema = schemaOf(name)
      return schema !== undefined && isText(schema)
    },
    write: (part) => {
      const { event, data, id, retry } = Object(part) as Readonly<Record<string, unknown>>
      const schema = typeof event === 'string' ? schemaOf(event) : undefined
      if (schema === undefined) {
        throw new TypeError(`the stream does not declare the event ${JSON.stringify(event)}`)
      }
      const text = isText(schema) && typeof data === 'string' ? data : writeJson(data)
      return [
        event === 'message' ? '' : `event: ${event}\n`,
        id === undefined ? '' : `id: ${checkId(id)}\n`,
        retry === undefined ? '' : `retry: ${checkRetry(retry)}\n`,
        `data: ${text.replace(BREAKS, '\ndata: ')}\n\n`,
      ].join('')
    },
    createReader: () =>
      createEventParts(createEventReader(), (name, data) => {
        const schema = schemaOf(name)
        if (schema !== undefined) return isText(schema) ? { value: data } : readJson(schema, data)
        const message = `the stream does not declare the event ${JSON.stringify(name)}`
        return { value: undefined, fault: { code: 'undeclared', message } }
      }),
    describe: (use) => {
      const described = Object.entries(schemas).map(([name, schema]) =>
        describeEvent(name, use(schema, name), isText(schema)),
      )
      const [only, ...others] = described
      return only !== undefined && others.length === 0 ? only : { oneOf: described }
    },
  }
}

/** OpenAPI 3.2.0 §4.14.4: an event is an object keyed by its field names. */
function describeEvent(name: string, schema: unknown, isOfText: boolean): Record<string, unknown> {
  const data = { type: 'string', contentMediaType: 'application/json', contentSchema: schema }
  return {
    type: 'object',
    properties: {
      // The default name is not sent.
      event: { const: name },
      id: { type: 'string' },
      retry: { type: 'integer', minimum: 0 },
      data: isOfText ? schema : data,
    },
    required: name === 'message' ? ['data'] : ['event', 'data'],
  }
}

function checkId(id: unknown): string {
  // A header loses spaces at both ends.
  if (typeof id === 'string' && canSendId(id) && id.trim() === id) return id
  throw new TypeError('the id of an event must be a header value of at most 4,096 characters')
}

function checkRetry(retry: unknown): number {
  if (typeof retry === 'number' && isTime(retry)) return retry
  throw new TypeError(`the retry of an event must be ${WHOLE_MILLISECONDS}`)
}

const BREAK = /[\r\n]/
const BREAKS = /\r\n?|\n/g
