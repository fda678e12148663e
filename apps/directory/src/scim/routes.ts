import type { ResourceType } from '../resources/resource-type.ts'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'
import { USER } from '../resources/user.ts'
import { bulkHandler } from './bulk.ts'
import { resourceTypesHandler, schemasHandler, serviceProviderConfigHandler } from './discovery.ts'
import { SCIM_PATH, type ScimHandler } from './endpoint.ts'
import {
  createHandler,
  deleteHandler,
  type IdOf,
  listHandler,
  ownId,
  patchHandler,
  readHandler,
  replaceHandler,
  searchHandler,
} from './handlers.ts'
import { searchAllHandler } from './root-search.ts'

/** The methods that SCIM uses (RFC 7644 §3.2). */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An endpoint with the handler of each of its methods. */
type Route = readonly [pattern: string, handlers: { readonly [Name in Method]?: ScimHandler }]

function routesOf(type: ResourceType): readonly Route[] {
  const path = `${SCIM_PATH}${type.endpoint}`
  return [
    [path, { GET: listHandler(type), POST: createHandler(type) }],
    [`${path}/.search`, { POST: searchHandler(type) }],
    [`${path}/:id`, resourceHandlers(type)],
  ]
}

function resourceHandlers(type: ResourceType, idOf?: IdOf): Route[1] {
  return {
    GET: readHandler(type, idOf),
    PUT: replaceHandler(type, idOf),
    PATCH: patchHandler(type, idOf),
    DELETE: deleteHandler(type, idOf),
  }
}

/** Every SCIM endpoint. */
export const SCIM_ROUTES: readonly Route[] = [
  ...RESOURCE_TYPES.flatMap(routesOf),
  [`${SCIM_PATH}/Me`, resourceHandlers(USER, ownId)],
  [`${SCIM_PATH}/.search`, { POST: searchAllHandler(RESOURCE_TYPES) }],
  [`${SCIM_PATH}/Bulk`, { POST: bulkHandler }],
  [`${SCIM_PATH}/ServiceProviderConfig`, { GET: serviceProviderConfigHandler }],
  [`${SCIM_PATH}/ResourceTypes`, { GET: resourceTypesHandler(RESOURCE_TYPES) }],
  [`${SCIM_PATH}/ResourceTypes/:id`, { GET: resourceTypesHandler(RESOURCE_TYPES) }],
  [`${SCIM_PATH}/Schemas`, { GET: schemasHandler(RESOURCE_TYPES) }],
  [`${SCIM_PATH}/Schemas/:id`, { GET: schemasHandler(RESOURCE_TYPES) }],
]
