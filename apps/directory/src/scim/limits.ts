/** How many resources a page has where the client does not say, and at most. */
export const LIST_OPTIONS = { defaultCount: 100, maxCount: 1_000 }

/** The longest body that is read, in bytes. */
export const BODY_LIMIT = 1024 * 1024

/** What a bulk request may hold, as `/ServiceProviderConfig` says. */
export const BULK_LIMITS = { maxOperations: 1_000, maxPayloadSize: BODY_LIMIT }
