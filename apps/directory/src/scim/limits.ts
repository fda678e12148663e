/** The maximum size of a SCIM request body and of an extension schema, in bytes. */
export const BODY_LIMIT = 1024 * 1024

/** The maximum size of any other request body, in bytes. */
export const SMALL_BODY_LIMIT = 16 * 1024
