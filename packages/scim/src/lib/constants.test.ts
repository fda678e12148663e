import { expect, it } from 'vitest'
import * as constants from './constants.ts'

// RFC 7643 §10.4, RFC 7644 §8.
it('the media type and the URNs match the registered ones', () => {
  expect({ ...constants }).toEqual({
    MEDIA_TYPE: 'application/scim+json',
    USER_SCHEMA: 'urn:ietf:params:scim:schemas:core:2.0:User',
    GROUP_SCHEMA: 'urn:ietf:params:scim:schemas:core:2.0:Group',
    ENTERPRISE_USER_SCHEMA: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    LIST_RESPONSE_SCHEMA: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
    PATCH_OP_SCHEMA: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
    SEARCH_REQUEST_SCHEMA: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
    ERROR_SCHEMA: 'urn:ietf:params:scim:api:messages:2.0:Error',
    BULK_REQUEST_SCHEMA: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
    BULK_RESPONSE_SCHEMA: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
  })
})
