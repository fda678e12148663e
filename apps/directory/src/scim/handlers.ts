import { unwrap } from '@plumbline/result'
import { matchesVersion, type Scim, ScimError } from '@plumbline/scim'
import { parsePatch } from '@plumbline/scim/patch'
import type { ResourceType } from '../resources/resource-type.ts'
import { isLookUp } from '../store/list/indexed-lookup.ts'
import type { ResourceView } from '../store/list/list.ts'
import type { ScimHandler, ScimRequest } from './endpoint.ts'
import { parseQuery, parseSearch } from './queries.ts'
import { notModifiedResponse, pageResponse, resourceResponse, viewResponse } from './respond.ts'

/** Returns the id of the resource that a request is about. */
export type IdOf = (request: ScimRequest) => string

/** The id in the path. */
const pathId: IdOf = ({ params }) => params.id ?? ''

/** The id of the user that the token belongs to (RFC 7644 §3.11: `/Me`). */
export const ownId: IdOf = ({ principal }) => {
  if (principal.userId === null) throw new ScimError(404, 'the token does not belong to a user')
  return principal.userId
}

/** Creates a resource (RFC 7644 §3.3). */
export function createHandler(type: ResourceType): ScimHandler {
  return async (scim) => {
    const query = parseQuery(scim, type.definitions)
    const content = unwrap(type.parse(await scim.body()))
    const wire = await scim.write((scope) => type.store.create(scope, content))
    return resourceResponse(wire, query, type.definitions, { status: 201 })
  }
}

/** Lists the resources of a type (RFC 7644 §3.4.2). */
export function listHandler(type: ResourceType): ScimHandler {
  return async (scim) => await list(scim, type, parseQuery(scim, type.definitions))
}

/** Lists the resources of a type by a query in the body (RFC 7644 §3.4.3). */
export function searchHandler(type: ResourceType): ScimHandler {
  return async (scim) => await list(scim, type, await parseSearch(scim, type.definitions))
}

/** Reads a resource (RFC 7644 §3.4.1). */
export function readHandler(type: ResourceType, idOf: IdOf = pathId): ScimHandler {
  return async (scim) => {
    const query = parseQuery(scim, type.definitions)
    const isWanted = (version: string) => matchesVersion(scim.request, version)
    const view = await read(scim, type, query, idOf(scim), isWanted)
    return isWanted(view.version)
      ? viewResponse(view, scim.hold)
      : notModifiedResponse(scim.request, view.version)
  }
}

/** Replaces a resource (RFC 7644 §3.5.1). */
export function replaceHandler(type: ResourceType, idOf: IdOf = pathId): ScimHandler {
  return async (scim) => {
    const query = parseQuery(scim, type.definitions)
    const content = unwrap(type.parse(await scim.body()))
    const id = idOf(scim)
    const wire = await scim.write((scope) => type.store.replace(scope, id, scim.check, content))
    return resourceResponse(wire, query, type.definitions)
  }
}

/** Changes a resource (RFC 7644 §3.5.2). */
export function patchHandler(type: ResourceType, idOf: IdOf = pathId): ScimHandler {
  return async (scim) => {
    const query = parseQuery(scim, type.definitions)
    const options = { tolerate: scim.rules.tolerateBody }
    const operations = unwrap(parsePatch(await scim.body(), options))
    const id = idOf(scim)
    const wire = await scim.write((scope) => type.store.patch(scope, id, scim.check, operations))
    if (wire !== null) return resourceResponse(wire, query, type.definitions)
    // RFC 7644 §3.5.2: 204 unless the client names attributes; the resource may be very large.
    if (query.attributes === undefined) return new Response(null, { status: 204 })
    return viewResponse(await read(scim, type, query, id), scim.hold)
  }
}

/** Deletes a resource (RFC 7644 §3.6). */
export function deleteHandler(type: ResourceType, idOf: IdOf = pathId): ScimHandler {
  return async (scim) => {
    const id = idOf(scim)
    await scim.write((scope) => type.store.delete(scope, id, scim.check))
    return new Response(null, { status: 204 })
  }
}

async function list(
  { read, scan, hold }: ScimRequest,
  type: ResourceType,
  query: Scim.ListQuery,
): Promise<Response> {
  const { store, lookups } = type
  const run = !store.isLarge(query) && isLookUp(query, lookups) ? read : scan
  return await pageResponse(await run((scope) => store.list(scope, query)), hold)
}

function read(
  scim: ScimRequest,
  { store }: ResourceType,
  query: Scim.ListQuery,
  id: string,
  isWanted: (version: string) => boolean = () => true,
): Promise<ResourceView> {
  const run = store.isLarge(query) ? scim.scan : scim.read
  return run((scope) => store.read(scope, id, query, isWanted))
}
