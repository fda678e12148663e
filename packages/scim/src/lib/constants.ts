/** The media type for all SCIM requests and responses (RFC 7644 §3.1). */
export const MEDIA_TYPE = 'application/scim+json'

/** The User schema (RFC 7643 §4.1). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The Group schema (RFC 7643 §4.2). */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** The Enterprise User extension schema (RFC 7643 §4.3). */
export const ENTERPRISE_USER_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The list response schema (RFC 7644 §3.4.2). */
export const LIST_RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The PATCH body schema (RFC 7644 §3.5.2). */
export const PATCH_OP_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The `.search` body schema (RFC 7644 §3.4.3). */
export const SEARCH_REQUEST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** The error document schema (RFC 7644 §3.12). */
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The bulk request schema (RFC 7644 §3.7). */
export const BULK_REQUEST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

/** The bulk response schema (RFC 7644 §3.7). */
export const BULK_RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'
