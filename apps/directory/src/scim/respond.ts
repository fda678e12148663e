import {
  listResponse,
  MEDIA_TYPE,
  project,
  RawJson,
  scimResponse,
  stringifyList,
} from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import {
  JsonPieces,
  type ListedPage,
  type Projection,
  type ResourceView,
  type WireResource,
} from '../store/list/list.ts'

/** Answers with the attributes of a resource that the client wants, its entity tag and its location. */
export function resourceResponse(
  wire: WireResource,
  projection: Projection,
  definitions: Discovery.Definitions,
  { status = 200 }: { readonly status?: number } = {},
): Response {
  const { version, location } = Object(wire.meta)
  const headers = { ETag: String(version), Location: String(location) }
  return scimResponse(project(wire, projection, definitions), { status, headers })
}

/** Answers a read whose preconditions fail: `304`, or `412` without `If-None-Match` (RFC 7644 §3.14). */
export function notModifiedResponse(request: Request, version: string): Response {
  const status = request.headers.has('If-None-Match') ? 304 : 412
  return new Response(null, { status, headers: { ETag: version } })
}

/** Counts an unsent response until the returned function is called; see `Outbox`. */
type Hold = (length: number) => () => void

/** Answers with a resource as the client wants it. */
export function viewResponse(
  { body, size, version, location }: ResourceView,
  hold: Hold,
): Response {
  const headers = { ETag: version, Location: location }
  if (body instanceof JsonPieces) return piecesResponse(body.pieces, hold, headers)
  if (size <= SMALL) return scimResponse(body, { headers })
  const text = body instanceof RawJson ? body.text : JSON.stringify(body)
  return piecesResponse([text], hold, headers)
}

/** Answers with a page of resources as the client wants them. */
export async function pageResponse(page: ListedPage<ResourceView>, hold: Hold): Promise<Response> {
  const { resources } = page
  if (resources.some(({ body }) => body instanceof JsonPieces)) {
    const pieces = stringifyList(page, ({ body }) =>
      body instanceof JsonPieces ? new RawJson(body.pieces.join('')) : body,
    )
    return piecesResponse(pieces, hold)
  }
  const response = listResponse(page, ({ body }) => body)
  const size = resources.reduce((sum, one) => sum + one.size, 0)
  return size <= SMALL ? response : piecesResponse([await response.text()], hold)
}

/**
 * Answers with pieces of JSON. A large response is sent as fast as the client reads, and counted until
 * then. It is `503` if too much is unread.
 */
function piecesResponse(
  pieces: readonly string[],
  hold: Hold,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const init = { headers: { 'Content-Type': MEDIA_TYPE, ...headers } }
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length <= SMALL) return new Response(pieces.join(''), init)
  const release = hold(length)
  const chunks = chunksOf(pieces)
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = chunks.next()
      if (!done) return controller.enqueue(value)
      release()
      controller.close()
    },
    cancel: release,
  })
  return new Response(body, init)
}

/** The bytes of the pieces in chunks, so that a socket buffers only one chunk. */
function* chunksOf(pieces: readonly string[]): Generator<Uint8Array, undefined> {
  const encoder = new TextEncoder()
  for (const piece of pieces) {
    const bytes = encoder.encode(piece)
    for (let at = 0; at < bytes.length; at += SMALL) yield bytes.subarray(at, at + SMALL)
  }
}

/** In bytes: a response up to this size is sent whole, and a larger one in chunks of this size. */
const SMALL = 64 * 2 ** 10
