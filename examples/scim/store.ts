// Serves the users of an existing table by a store of five functions. The endpoint does everything else.

import { uniquenessError } from '@plumbline/scim'
import { pickAttributes, USER_DEFINITION } from '@plumbline/scim/discovery'
import {
  bearerTokens,
  createScimEndpoint,
  defineResourceType,
  issueToken,
  type ResourceStore,
  type WireResource,
} from '@plumbline/scim/endpoint'

const rows = new Map([['7', { email: 'babs@example.com', first_name: 'Barbara', enabled: true }]])
type Row = NonNullable<ReturnType<typeof rows.get>>

const USER = pickAttributes(USER_DEFINITION, ['userName', 'name.givenName', 'active'])
const definitions = { [USER.id]: USER }

const users: ResourceStore = {
  read: async (id) => toResource(id, rows.get(id)),
  // The endpoint filters, sorts and pages. A store may do these steps itself and name them in `applied`.
  list: async () => ({ resources: [...rows].map(([id, row]) => ({ ...toResource(id, row) })) }),
  create: async (resource) => write(String(rows.size + 7), resource),
  replace: async (id, resource) => (rows.has(id) ? write(id, resource) : null),
  delete: async (id) => rows.delete(id),
}

function toResource(id: string, row: Row | undefined): WireResource | null {
  return row
    ? { id, userName: row.email, name: { givenName: row.first_name }, active: row.enabled }
    : null
}

function write(id: string, { userName, name, active }: WireResource): WireResource {
  const row = {
    email: String(userName),
    first_name: Object(name).givenName,
    enabled: active === true,
  }
  const isTaken = [...rows].some(
    ([other, { email }]) => other !== id && email.toLowerCase() === row.email.toLowerCase(),
  )
  if (isTaken) throw uniquenessError('userName')
  rows.set(id, row)
  return { ...toResource(id, row) }
}

const { token } = await issueToken()
const scim = createScimEndpoint({
  basePath: '/',
  resourceTypes: [
    defineResourceType({ name: 'User', endpoint: '/Users', definitions, store: users }),
  ],
  authenticate: bearerTokens({ token, context: {} }),
  onError: (error) => console.error(error),
})

const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
const query = 'https://example.com/Users?filter=name.givenName pr'
const found = await scim.fetch(new Request(query, { headers }))
const { totalResults } = await found.json()
totalResults //=> 1
const body = JSON.stringify({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
})
const url = 'https://example.com/Users/7'
const patched = await scim.fetch(new Request(url, { method: 'PATCH', headers, body }))
const { active } = await patched.json()
active //=> false
