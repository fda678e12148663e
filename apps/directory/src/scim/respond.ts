import { listResponse, matchesVersion, project, type Scim, scimResponse } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { Wire } from '../store/list.ts'
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
  const headers = { ETag: versionOf(wire), Location: String(Object(wire.meta).location) }
  return scimResponse(project(wire, projection, definitions), { status, headers })
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

/** Answers with a page of resources, each as the client wants to see it. */
export function pageResponse(
  page: Scim.Page<Wire>,
  projection: Projection,
  definitions: Discovery.Definitions,
): Response {
  return listResponse(page, (wire) => project(wire, projection, definitions))
}
