import { requireOptions, STRING } from '@plumbline/base'
import { blankProblem } from '@plumbline/problem/core'
import { type Result, unwrap } from '@plumbline/result'
import { MEDIA_TYPE_JSON, MEDIA_TYPE_YAML } from '../constants.ts'
import { describeFault, OpenAPIBuildError } from '../document/faults.ts'
import type { Document } from '../openapi.ts'
import { stringifyJson } from '../text/stringify-json.ts'
import { type Format, negotiate } from './negotiate.ts'
import {
  answerRepresentation,
  createRepresentation,
  type Representation,
} from './representation.ts'

/** How the document is served. */
export interface ServeOptions {
  /** The document's Cache-Control; defaults to `public, max-age=300`. */
  readonly cacheControl?: string
}

/** A request, or the context a router passes to its handlers. */
export type RequestOrContext = Request | { readonly request: Request }

/**
 * Creates a handler that serves a document as JSON or YAML, with an entity tag.
 *
 * `?format=yaml` selects YAML, and so does an Accept header preferring `application/yaml`. The document is built at the
 * first request, and written once per format. The result is kept, even a failure: a `500` problem document that must
 * not be cached.
 *
 * @example
 * ```ts
 * import { createDocument } from '@plumbline/openapi'
 * import { openapiHandler } from '@plumbline/openapi/router'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } })
 * const handler = openapiHandler(() => builder.build())
 *
 * const first = await handler(new Request('http://localhost/openapi.json'))
 * first.headers.get('Content-Type') //=> 'application/json'
 *
 * const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
 * const again = await handler(new Request('http://localhost/openapi.json', { headers }))
 * again.status //=> 304
 * ```
 */
export function openapiHandler(
  build: () => Result<Document, Error> | Promise<Result<Document, Error>>,
  options: ServeOptions = {},
): (served: RequestOrContext) => Promise<Response> {
  requireOptions<ServeOptions>('openapiHandler', options, { cacheControl: STRING })
  const { cacheControl = 'public, max-age=300' } = options
  let built: Promise<Result<Document, Error>> | undefined
  const written = new Map<Format, Promise<Representation | Error>>()

  const represent = async (format: Format): Promise<Representation | Error> => {
    built ??= Promise.resolve().then(build)
    try {
      const text = await write(unwrap(await built), format)
      const type = format === 'yaml' ? MEDIA_TYPE_YAML : MEDIA_TYPE_JSON
      const caching = { Vary: 'Accept', 'Cache-Control': cacheControl }
      return await createRepresentation(text, { 'Content-Type': type }, caching)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  return async (served) => {
    const request = 'request' in served ? served.request : served
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return uncached(405, 'Only GET and HEAD are served here', undefined, { Allow: 'GET, HEAD' })
    }
    const format = negotiate(request)
    let representation = written.get(format)
    if (representation === undefined) {
      representation = represent(format)
      written.set(format, representation)
    }
    const ready = await representation
    if (!(ready instanceof Error)) return answerRepresentation(request, ready)
    const failure = describeFailure(ready)
    return request.method === 'HEAD' ? withoutBody(failure) : failure
  }
}

async function write(document: Document, format: Format): Promise<string> {
  if (format === 'json') return unwrap(stringifyJson(document, 2))
  // Loads the YAML library at the first request for YAML.
  const { stringify } = await import('../text/stringify.ts')
  return unwrap(stringify(document, { format }))
}

// RFC 9110 §9.3.2: GET's header fields, without content.
function withoutBody({ status, headers }: Response): Response {
  return new Response(null, { status, headers })
}

function describeFailure(error: Error): Response {
  // Another error's message may be confidential.
  const [first] = error instanceof OpenAPIBuildError ? error.errors : []
  return uncached(500, 'The document cannot be built', first && describeFault(first))
}

function uncached(
  status: number,
  title: string,
  detail?: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  return blankProblem(status, title, {
    detail,
    headers: { 'Cache-Control': 'no-store', ...headers },
  })
}
