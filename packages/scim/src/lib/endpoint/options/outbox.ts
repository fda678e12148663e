import { ScimError } from '../../error.ts'
import { completeLimits, type Limits } from './limits.ts'

/** Bounds how much JSON is kept in memory until clients have read it. */
export interface Outbox {
  /**
   * Counts a response with this many bytes until the returned function is called. Throws `503` if the unread responses
   * for the client, or for all clients together, would exceed the limit. The first response is always accepted.
   */
  hold(client: string, length: number): () => void
}

/**
 * Creates an outbox, which bounds the large responses clients have not read yet. By default, each endpoint has a
 * separate one; share one between several endpoints to bound their responses together. Throws a `TypeError` unless each
 * limit is a whole number and at least 1.
 *
 * @example
 * ```ts
 * import { createOutbox } from '@plumbline/scim/endpoint'
 *
 * const outbox = createOutbox({ unreadByClient: 8 * 2 ** 20 })
 * const release = outbox.hold('a client', 100_000)
 * release()
 * ```
 */
export function createOutbox(
  options: Partial<Pick<Limits, 'unread' | 'unreadByClient'>> = {},
): Outbox {
  // They may be all limits of an endpoint.
  const { unread, unreadByClient } = completeLimits(options)
  const bytes = new Map<string, number>()
  let total = 0
  const add = (client: string, length: number): void => {
    const after = (bytes.get(client) ?? 0) + length
    total += length
    if (after > 0) bytes.set(client, after)
    else bytes.delete(client)
  }
  return {
    hold: (client, length) => {
      const before = bytes.get(client) ?? 0
      const isTooMuch = before > 0 && before + length > unreadByClient
      if (isTooMuch || (total > 0 && total + length > unread)) {
        throw new ScimError(503, 'too many large responses have not been read yet')
      }
      add(client, length)
      let isHeld = true
      return () => {
        if (isHeld) add(client, -length)
        isHeld = false
      }
    },
  }
}
