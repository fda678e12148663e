// Serves users and groups, from one function that any server can mount.

import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import {
  bearerTokens,
  createScimEndpoint,
  defineResourceType,
  issueToken,
  memoryStore,
} from '@plumbline/scim/endpoint'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const groups = memoryStore({ definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION } })
const users = memoryStore({ definitions, groups })

// A server reads its token from the environment, or finds the hashes of many tokens in a table.
export const { token } = await issueToken({ prefix: 'acme_scim_' })
export const scim = createScimEndpoint({
  basePath: '/scim/v2',
  resourceTypes: [
    defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
    defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
  ],
  authenticate: bearerTokens({ token, context: { tenant: 'example' } }),
  profile: 'entra',
  onError: (error) => console.error(error),
})

const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
const url = 'https://example.com/scim/v2/Users'
const body = JSON.stringify({ userName: 'bjensen', active: 'True' })
const created = await scim.fetch(new Request(url, { method: 'POST', headers, body }))
created.status //=> 201
const found = await scim.fetch(new Request(`${url}?filter=userName eq "BJensen"`, { headers }))
const { totalResults } = await found.json()
totalResults //=> 1
const rejected = await scim.fetch(new Request(url))
rejected.status //=> 401
