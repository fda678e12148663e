/** The media type of every SCIM request and response (RFC 7644 §3.1). */
export const MEDIA_TYPE = 'application/scim+json'

/** The schema of a User (RFC 7643 §4.1). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The schema of a Group (RFC 7643 §4.2). */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** The schema of the Enterprise User extension (RFC 7643 §4.3). */
export const ENTERPRISE_USER_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The schema of a list of resources (RFC 7644 §3.4.2). */
export const LIST_RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The schema of a PATCH body (RFC 7644 §3.5.2). */
export const PATCH_OP_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The schema of a `.search` body (RFC 7644 §3.4.3). */
export const SEARCH_REQUEST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** The schema of an error document (RFC 7644 §3.12). */
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The schema of a bulk request (RFC 7644 §3.7). */
export const BULK_REQUEST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

/** The schema of the response to a bulk request (RFC 7644 §3.7). */
export const BULK_RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'
