/** The default and the maximum number of resources of a page. */
export const LIST_OPTIONS = { defaultCount: 100, maxCount: 1_000 }

/** The maximum size of a request body, in bytes. */
export const BODY_LIMIT = 1024 * 1024

/** The limits of a bulk request, as `/ServiceProviderConfig` lists them. */
export const BULK_LIMITS = { maxOperations: 1_000, maxPayloadSize: BODY_LIMIT }
