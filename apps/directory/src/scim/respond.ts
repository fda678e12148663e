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

/** Answers with a resource whose JSON is in pieces, sent as fast as the client takes them. */
export function piecesResponse(wire: Wire, pieces: readonly string[]): Response {
  const encoder = new TextEncoder()
  const left = pieces.values()
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = left.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return new Response(body, { headers: { 'Content-Type': MEDIA_TYPE, ...headersOf(wire) } })
}

/** Answers with a page of resources, each as the client wants to see it. */
export function pageResponse(
  page: ListedPage<Wire>,
  projection: Projection,
  definitions: Discovery.Definitions,
): Response {
  return listResponse(page, (wire) => project(wire, projection, definitions))
}

function headersOf(wire: Wire) {
  return { ETag: versionOf(wire), Location: String(Object(wire.meta).location) }
}
