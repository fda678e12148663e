import type { Schema } from '../schema/standard-schema.ts'
import type { LineStream } from '../spec/stream-spec.ts'
import { readJson, writeJson } from './json.ts'
import { createLineParts } from './part-reader.ts'

/**
 * Declares a response with one JSON value per line. It is sent as `application/jsonl`, and clients also accept
 * `application/x-ndjson`. A handler yields the values.
 *
 * @example
 * ```ts
 * import { defineOperation } from '@plumbline/openapi'
 * import { createClient } from '@plumbline/openapi/client'
 * import { jsonLines } from '@plumbline/openapi/streams'
 * import { z } from 'zod'
 *
 * const exportBooks = defineOperation('exportBooks', 'GET /books.jsonl', {
 *   summary: 'Export all books',
 *   responses: { 200: { description: 'One per line', stream: jsonLines(z.object({ title: z.string() })) } },
 * })
 * const headers = { 'Content-Type': 'application/x-ndjson' }
 * const sent = '{"title":"Emma"}\n{"title":"Ulysses"}\n'
 * const client = createClient(
 *   { exportBooks },
 *   { baseUrl: 'https://example.com', fetch: async () => new Response(sent, { headers }) },
 * )
 * const titles: string[] = []
 * for await (const book of client.exportBooks()) titles.push(book.title)
 * titles //=> ['Emma', 'Ulysses']
 * ```
 * @see https://jsonlines.org
 */
export function jsonLines<const Line extends Schema>(line: Line): LineStream<Line> {
  return {
    kind: 'lines',
    mediaTypes: ['application/jsonl', 'application/x-ndjson'],
    parts: { line },
    format: {
      // An empty line would keep a connection open, but not every reader accepts one.
      heartbeat: null,
      isText: () => false,
      write: (part) => `${writeJson(part)}\n`,
      createReader: () => createLineParts((text) => readJson(line, text)),
      describe: (use) => Object(use(line, 'line')),
    },
  }
}
