import {
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  ScimError,
  scimResponse,
  USER_SCHEMA,
} from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { resourceTypes, schemas, serviceProviderConfig } from '@plumbline/scim/discovery'
import { GROUP_DEFINITIONS } from '../store/groups.ts'
import { CURSOR_TIMEOUT } from '../store/list/cursor-token.ts'
import { USER_DEFINITIONS } from '../store/users.ts'
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

export const resourceTypesHandler: ScimHandler = async ({ url, params, base }) => {
  rejectFilter(url)
  return documentResponse(resourceTypes(TYPES, { base }), params.id, 'resource type')
}

export const schemasHandler: ScimHandler = async ({ url, params, base }) => {
  rejectFilter(url)
  return documentResponse(schemas(DEFINITIONS, { base }), params.id, 'schema')
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

const TYPES: readonly Discovery.ResourceType[] = [
  {
    id: 'User',
    description: 'A user account',
    endpoint: '/Users',
    schema: USER_SCHEMA,
    extensions: [{ schema: ENTERPRISE_USER_SCHEMA, required: false }],
  },
  { id: 'Group', description: 'A group of users', endpoint: '/Groups', schema: GROUP_SCHEMA },
]

const DEFINITIONS = { ...USER_DEFINITIONS, ...GROUP_DEFINITIONS }
