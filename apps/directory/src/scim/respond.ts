import { listResponse, MEDIA_TYPE, matchesVersion, project, scimResponse } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Projection, Shown, Wire } from '../store/list.ts'
import type { ListedPage } from '../store/pages.ts'
import { versionOf } from './endpoint.ts'

/** Answers with a resource as the client wants to see it, its entity tag and its location. */
export function resourceResponse(
  wire: Wire,
  projection: Projection,
  definitions: Discovery.Definitions,
  { status = 200 }: { readonly status?: number } = {},
): Response {
  return scimResponse(project(wire, projection, definitions), { status, headers: headersOf(wire) })
}

/** Answers a read: `304` where the client has this version already (RFC 7644 §3.14). */
export function readResponse(request: Request, { body, version, location }: Shown): Response {
  if (!matchesVersion(request, version)) {
    const status = request.headers.has('If-None-Match') ? 304 : 412
    return new Response(null, { status, headers: { ETag: version } })
  }
  return scimResponse(body, { headers: { ETag: version, Location: location } })
}

/** Answers with JSON that is in pieces, sent as fast as the client takes them. */
export function piecesResponse(
  pieces: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const encoder = new TextEncoder()
  const left = pieces.values()
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = left.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return new Response(body, { headers: { 'Content-Type': MEDIA_TYPE, ...headers } })
}

/** Answers with a page of resources, the JSON of each of which is there already. */
export async function pageInPiecesResponse(
  page: ListedPage<Wire>,
  texts: readonly string[],
): Promise<Response> {
  // `Resources` is the last member: as many empty objects, which the texts take the place of.
  const outline = await listResponse(page, () => ({})).text()
  const start = outline.slice(0, outline.lastIndexOf('[') + 1)
  return piecesResponse([start, ...texts.map((text, at) => (at === 0 ? text : `,${text}`)), ']}'])
}

/** The entity tag and the location of a resource. */
export function headersOf(wire: Wire) {
  return { ETag: versionOf(wire), Location: locationOf(wire) }
}

/** Where a resource is. */
export function locationOf(wire: Wire): string {
  return String(Object(wire.meta).location)
}
