import { bulkHandler } from './bulk.ts'
import { resourceTypesHandler, schemasHandler, serviceProviderConfigHandler } from './discovery.ts'
import { SCIM_PATH, type ScimHandler } from './endpoint.ts'
import {
  createGroupHandler,
  deleteGroupHandler,
  listGroupsHandler,
  patchGroupHandler,
  readGroupHandler,
  replaceGroupHandler,
  searchGroupsHandler,
} from './groups.ts'
import { ownId } from './me.ts'
import { searchAllHandler } from './root-search.ts'
import {
  createUserHandler,
  deleteUserHandler,
  listUsersHandler,
  patchUserHandler,
  readUserHandler,
  replaceUserHandler,
  searchUsersHandler,
} from './users.ts'

/** The methods that SCIM uses (RFC 7644 §3.2). */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Every SCIM endpoint with the handler of each of its methods. */
export const SCIM_ROUTES: readonly (readonly [
  pattern: string,
  handlers: { readonly [Name in Method]?: ScimHandler },
])[] = [
  [`${SCIM_PATH}/Users`, { GET: listUsersHandler, POST: createUserHandler }],
  [`${SCIM_PATH}/Users/.search`, { POST: searchUsersHandler }],
  [
    `${SCIM_PATH}/Users/:id`,
    {
      GET: readUserHandler(),
      PUT: replaceUserHandler(),
      PATCH: patchUserHandler(),
      DELETE: deleteUserHandler(),
    },
  ],
  [`${SCIM_PATH}/Groups`, { GET: listGroupsHandler, POST: createGroupHandler }],
  [`${SCIM_PATH}/Groups/.search`, { POST: searchGroupsHandler }],
  [
    `${SCIM_PATH}/Groups/:id`,
    {
      GET: readGroupHandler,
      PUT: replaceGroupHandler,
      PATCH: patchGroupHandler,
      DELETE: deleteGroupHandler,
    },
  ],
  [
    `${SCIM_PATH}/Me`,
    {
      GET: readUserHandler(ownId),
      PUT: replaceUserHandler(ownId),
      PATCH: patchUserHandler(ownId),
      DELETE: deleteUserHandler(ownId),
    },
  ],
  [`${SCIM_PATH}/.search`, { POST: searchAllHandler }],
  [`${SCIM_PATH}/Bulk`, { POST: bulkHandler }],
  [`${SCIM_PATH}/ServiceProviderConfig`, { GET: serviceProviderConfigHandler }],
  [`${SCIM_PATH}/ResourceTypes`, { GET: resourceTypesHandler }],
  [`${SCIM_PATH}/ResourceTypes/:id`, { GET: resourceTypesHandler }],
  [`${SCIM_PATH}/Schemas`, { GET: schemasHandler }],
  [`${SCIM_PATH}/Schemas/:id`, { GET: schemasHandler }],
]
