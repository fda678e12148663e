/** The limits of an endpoint. Sizes are in bytes. */
export interface Limits {
  /** The maximum size of a request body, also of a bulk request; 1 MiB by default. */
  readonly body: number
  /** How many resources a page has if the client sends no count; 100 by default. */
  readonly defaultCount: number
  /** The maximum number of resources of a page; 1,000 by default. */
  readonly maxCount: number
  /** How many resources of a store the endpoint filters or sorts in memory; 10,000 by default, then `400 tooMany`. */
  readonly candidates: number
  /** The size of a page by index: it ends before the resource that would exceed it; 16 MiB by default. */
  readonly page: number
  /** The maximum number of operations of a bulk request (RFC 7644 §3.7); 1,000 by default. */
  readonly bulkOperations: number
  /** How many values a multi-valued attribute other than `members` may have; 5,000 by default. */
  readonly values: number
  /** The steps of work that one request may cost; 1,000,000 by default, which take less than about 200 ms. */
  readonly steps: number
  /** The size of all large responses that clients have not read yet; 192 MiB by default, then `503`. */
  readonly unread: number
  /** The size of the large responses that one client has not read yet; 64 MiB by default, then `503`. */
  readonly unreadByClient: number
}

/** The limits of an endpoint that sets none itself. */
export const DEFAULT_LIMITS: Limits = {
  body: 2 ** 20,
  defaultCount: 100,
  maxCount: 1_000,
  candidates: 10_000,
  page: 16 * 2 ** 20,
  bulkOperations: 1_000,
  values: 5_000,
  steps: 1_000_000,
  unread: 192 * 2 ** 20,
  unreadByClient: 64 * 2 ** 20,
}
