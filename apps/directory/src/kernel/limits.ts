import type { Limits } from '@plumbline/scim/endpoint'
import { partOfHeap } from './store/sizes.ts'

/** The maximum size for SCIM request bodies and extension schemas, in bytes. */
export const BODY_LIMIT = 1024 * 1024

/** The maximum size for any other request body, in bytes. */
export const SMALL_BODY_LIMIT = 16 * 1024

/** How many bytes of large responses may wait in memory for all clients to read them. */
const UNREAD_LIMIT = partOfHeap(1 / 8, 192 * 2 ** 20)

/** The limits of the SCIM endpoint that depend on the memory. */
export const UNREAD_LIMITS: Pick<Limits, 'unread' | 'unreadByClient'> = {
  unread: UNREAD_LIMIT,
  unreadByClient: Math.floor(UNREAD_LIMIT / 3),
}
