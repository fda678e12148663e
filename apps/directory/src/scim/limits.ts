/** The maximum size for SCIM request bodies and extension schemas, in bytes. */
export const BODY_LIMIT = 1024 * 1024

/** The maximum size for any other request body, in bytes. */
export const SMALL_BODY_LIMIT = 16 * 1024
