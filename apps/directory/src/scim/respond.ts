import {
  MEDIA_TYPE,
  matchesVersion,
  project,
  RawJson,
  scimResponse,
  stringifyList,
} from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Projection, ResourceView, WireResource } from '../store/list/list.ts'
import type { ListedPage } from '../store/list/page-by-index.ts'
import { versionOf } from './endpoint.ts'

/** Answers with the attributes of a resource that the client wants, its entity tag and its location. */
export function resourceResponse(
  wire: WireResource,
  projection: Projection,
  definitions: Discovery.Definitions,
  { status = 200 }: { readonly status?: number } = {},
): Response {
  return scimResponse(project(wire, projection, definitions), { status, headers: headersOf(wire) })
}

/** Answers a read: `304` if the client already has this version (RFC 7644 §3.14). */
export function readResponse(
  request: Request,
  { body, version, location }: Omit<ResourceView, 'size'>,
): Response {
  if (!matchesVersion(request, version)) {
    const status = request.headers.has('If-None-Match') ? 304 : 412
    return new Response(null, { status, headers: { ETag: version } })
  }
  return scimResponse(body, { headers: { ETag: version, Location: location } })
}

/** Counts an unsent response until the returned function is called; see `Outbox`. */
type Hold = (length: number) => () => void

/**
 * Answers with pieces of JSON. A large response is sent as fast as the client reads, and counted until
 * then. It is `503` if too much is unread.
 */
export function piecesResponse(
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

/** Sends a response with a body of up to `size` bytes like `piecesResponse`. */
export async function heldResponse(
  response: Response,
  size: number,
  hold: Hold,
): Promise<Response> {
  if (size <= SMALL || response.status !== 200) return response
  return piecesResponse([await response.text()], hold, Object.fromEntries(response.headers))
}

/** Answers with a page of resources whose JSON is already written. */
export function pageInPiecesResponse(page: ListedPage<string>, hold: Hold): Response {
  return piecesResponse(
    stringifyList(page, (text) => new RawJson(text)),
    hold,
  )
}

/** The entity tag and the location of a resource. */
export function headersOf(wire: WireResource) {
  return { ETag: versionOf(wire), Location: locationOf(wire) }
}

/** The URL of a resource. */
export function locationOf(wire: WireResource): string {
  return String(Object(wire.meta).location)
}

/** In bytes: a response up to this size is sent whole, and a larger one in chunks of this size. */
const SMALL = 64 * 2 ** 10
