import { ScimError } from '@plumbline/scim'

/** Bounds how much JSON the server keeps in memory for clients that have not read it yet. */
export interface Outbox {
  /**
   * Counts a response until the returned function is called. Throws `503` if the unread responses of
   * the tenant, or of all tenants together, would exceed the limit. The first response is always accepted.
   *
   * @param length in bytes
   */
  hold(tenantId: string, length: number): () => void
}

/** Limits in bytes. */
export interface OutboxLimits {
  /** For all tenants; 192 MiB by default. */
  readonly most?: number
  /** For one tenant; 64 MiB by default. */
  readonly mostOfTenant?: number
}

/** Creates the outbox of a server. */
export function createOutbox({
  most = 192 * 2 ** 20,
  mostOfTenant = 64 * 2 ** 20,
}: OutboxLimits = {}): Outbox {
  const held = new Map<string, number>()
  let total = 0
  const add = (tenantId: string, length: number): void => {
    const after = (held.get(tenantId) ?? 0) + length
    total += length
    if (after > 0) held.set(tenantId, after)
    else held.delete(tenantId)
  }
  return {
    hold: (tenantId, length) => {
      const before = held.get(tenantId) ?? 0
      const isTooMuch = before > 0 && before + length > mostOfTenant
      if (isTooMuch || (total > 0 && total + length > most)) {
        throw new ScimError(503, 'too many large responses have not been read yet')
      }
      add(tenantId, length)
      let isHeld = true
      return () => {
        if (isHeld) add(tenantId, -length)
        isHeld = false
      }
    },
  }
}
