/** The maximum size of a request body, in bytes. */
export const BODY_LIMIT = 1024 * 1024
