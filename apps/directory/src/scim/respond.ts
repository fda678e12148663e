import {
  listResponse,
  MEDIA_TYPE,
  matchesVersion,
  project,
  type Scim,
  scimResponse,
} from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Wire } from '../store/list.ts'
import type { ListedPage } from '../store/pages.ts'
import { versionOf } from './endpoint.ts'

/** What a client wants to see of a resource. */
export type Projection = Pick<Scim.ListQuery, 'attributes' | 'excludedAttributes'>

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
export function readResponse(
  request: Request,
  wire: Wire,
  projection: Projection,
  definitions: Discovery.Definitions,
): Response {
  if (!matchesVersion(request, versionOf(wire))) {
    const status = request.headers.has('If-None-Match') ? 304 : 412
    return new Response(null, { status, headers: { ETag: versionOf(wire) } })
  }
  return resourceResponse(wire, projection, definitions)
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

/** Answers with a page of resources, each as the client wants to see it. */
export function pageResponse(
  page: ListedPage<Wire>,
  projection: Projection,
  definitions: Discovery.Definitions,
): Response {
  return listResponse(page, (wire) => project(wire, projection, definitions))
}

/** The entity tag and the location of a resource. */
export function headersOf(wire: Wire) {
  return { ETag: versionOf(wire), Location: String(Object(wire.meta).location) }
}
