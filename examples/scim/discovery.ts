// Builds the discovery documents for the stored attributes (RFC 7644 §4).
import { ENTERPRISE_USER_SCHEMA, scimResponse, USER_SCHEMA } from '@plumbline/scim'
import {
  ENTERPRISE_USER_DEFINITION,
  pickAttributes,
  resourceTypes,
  schemas,
  serviceProviderConfig,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'

// Only the stored attributes: any other attribute is unknown, also in filters and PATCH.
const picked = pickAttributes(USER_DEFINITION, ['userName', 'name', 'active', 'emails'])
const definitions = {
  [USER_SCHEMA]: picked,
  [ENTERPRISE_USER_SCHEMA]: ENTERPRISE_USER_DEFINITION,
}
const extensions = [{ schema: ENTERPRISE_USER_SCHEMA, required: false }]
// The address of the endpoints. `meta.location` starts with it.
const base = '/scim/v2'
const documents: Record<string, object> = {
  '/Schemas': schemas(definitions, { base }),
  '/ResourceTypes': resourceTypes(
    [{ id: 'User', endpoint: '/Users', schema: USER_SCHEMA, extensions }],
    { base },
  ),
  '/ServiceProviderConfig': serviceProviderConfig({
    base,
    patch: true,
    sort: true,
    etag: true,
    filter: { supported: true, maxResults: 200 },
    authenticationSchemes: [
      { type: 'oauthbearertoken', name: 'Bearer token', description: 'A token for each client' },
    ],
  }),
}
const response = scimResponse(documents['/ServiceProviderConfig'] ?? {})
const { patch, changePassword, meta } = await response.json()
meta.location //=> '/scim/v2/ServiceProviderConfig'
patch //=> { supported: true }
changePassword //=> { supported: false }
picked.attributes.map(({ name }) => name) //=> ['userName', 'name', 'active', 'emails']
