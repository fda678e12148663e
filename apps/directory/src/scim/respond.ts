import { listResponse, MEDIA_TYPE, matchesVersion, project, scimResponse } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Projection, ResourceView, WireResource } from '../store/list/list.ts'
import type { ListedPage } from '../store/list/page-by-index.ts'
import { versionOf } from './endpoint.ts'

/** Answers with a resource as the client wants to see it, its entity tag and its location. */
export function resourceResponse(
  wire: WireResource,
  projection: Projection,
  definitions: Discovery.Definitions,
  { status = 200 }: { readonly status?: number } = {},
): Response {
  return scimResponse(project(wire, projection, definitions), { status, headers: headersOf(wire) })
}

/** Answers a read: `304` where the client has this version already (RFC 7644 §3.14). */
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

/** Counts an answer that is not sent yet, until the returned function is called; see `Outbox`. */
type Hold = (length: number) => () => void

/**
 * Answers with JSON in pieces. A large answer is sent as fast as the client reads, and until then counted:
 * it is `503` if too much is unread.
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

/** The bytes of the pieces in chunks: a socket takes no more than it was given. */
function* chunksOf(pieces: readonly string[]): Generator<Uint8Array, undefined> {
  const encoder = new TextEncoder()
  for (const piece of pieces) {
    const bytes = encoder.encode(piece)
    for (let at = 0; at < bytes.length; at += SMALL) yield bytes.subarray(at, at + SMALL)
  }
}

/** Sends a response with a body of up to `size` bytes as `piecesResponse` does. */
export async function heldResponse(
  response: Response,
  size: number,
  hold: Hold,
): Promise<Response> {
  if (size <= SMALL || response.status !== 200) return response
  return piecesResponse([await response.text()], hold, Object.fromEntries(response.headers))
}

/** Answers with a page of resources, the JSON of each of which is there already. */
export async function pageInPiecesResponse(
  page: ListedPage<WireResource>,
  texts: readonly string[],
  hold: Hold,
): Promise<Response> {
  // `Resources` is the last member: as many empty objects, which the texts take the place of.
  const outline = await listResponse(page, () => ({})).text()
  const start = outline.slice(0, outline.lastIndexOf('[') + 1)
  const pieces = [start, ...texts.map((text, at) => (at === 0 ? text : `,${text}`)), ']}']
  return piecesResponse(pieces, hold)
}

/** The entity tag and the location of a resource. */
export function headersOf(wire: WireResource) {
  return { ETag: versionOf(wire), Location: locationOf(wire) }
}

/** Where a resource is. */
export function locationOf(wire: WireResource): string {
  return String(Object(wire.meta).location)
}

/** In bytes: an answer up to this size is sent as a whole, and a larger one in chunks of it. */
const SMALL = 64 * 2 ** 10
