import { ScimError, scimResponse } from '@plumbline/scim'
import { resourceTypes, schemas, serviceProviderConfig } from '@plumbline/scim/discovery'
import type { ResourceType } from '../resources/resource-type.ts'
import { CURSOR_TIMEOUT } from '../store/list/cursor-token.ts'
import type { ScimHandler } from './endpoint.ts'
import { BULK_LIMITS, LIST_OPTIONS } from './limits.ts'

/** Serves the features of this server (RFC 7643 §5). */
export const serviceProviderConfigHandler: ScimHandler = async (scim) => {
  rejectFilter(scim.url)
  return scimResponse(
    serviceProviderConfig({
      base: scim.base,
      patch: true,
      bulk: { supported: true, ...BULK_LIMITS },
      filter: { supported: true, maxResults: LIST_OPTIONS.maxCount },
      sort: true,
      etag: true,
      pagination: {
        cursor: true,
        index: true,
        defaultPaginationMethod: 'index',
        defaultPageSize: LIST_OPTIONS.defaultCount,
        maxPageSize: LIST_OPTIONS.maxCount,
        cursorTimeout: CURSOR_TIMEOUT,
      },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Bearer token',
          description: 'A token of this directory in the Authorization header (RFC 6750)',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
          primary: true,
        },
      ],
    }),
  )
}

/** Serves the resource types (RFC 7643 §6). */
export function resourceTypesHandler(types: readonly ResourceType[]): ScimHandler {
  const described = types.map(describe)
  return async ({ url, params, base }) => {
    rejectFilter(url)
    return documentResponse(resourceTypes(described, { base }), params.id, 'resource type')
  }
}

/** Serves the schemas of the resource types (RFC 7643 §7). */
export function schemasHandler(types: readonly ResourceType[]): ScimHandler {
  const definitions = Object.assign({}, ...types.map((type) => type.definitions))
  return async ({ url, params, base }) => {
    rejectFilter(url)
    return documentResponse(schemas(definitions, { base }), params.id, 'schema')
  }
}

function describe({ name, description, endpoint, definitions }: ResourceType) {
  const [schema = '', ...extensions] = Object.keys(definitions)
  const optional = extensions.map((extension) => ({ schema: extension, required: false }))
  return { id: name, description, endpoint, schema, extensions: optional }
}

/** The whole list, or its document with the id, ignoring case. */
function documentResponse(
  list: Record<string, unknown>,
  id: string | undefined,
  kind: string,
): Response {
  if (id === undefined) return scimResponse(list)
  const documents: readonly unknown[] = Array.isArray(list.Resources) ? list.Resources : []
  const found = documents.find((one) => String(Object(one).id).toLowerCase() === id.toLowerCase())
  if (found === undefined) throw new ScimError(404, `${kind} ${id} not found`)
  return scimResponse(Object(found))
}

/** RFC 7644 §4: these endpoints reject a filter. */
function rejectFilter(url: URL): void {
  if (url.searchParams.has('filter'))
    throw new ScimError(403, 'this endpoint does not support filters')
}
