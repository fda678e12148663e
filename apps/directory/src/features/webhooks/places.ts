/** The properties of a turn that are counted. */
export interface Claim {
  readonly tenantId: string
  /** The receiver's host. */
  readonly host: string
  /** Whether the receiver failed or was slow before. */
  readonly isSlow: boolean
}

/** A turn's place. */
export interface Place {
  /** Gives the place of a fast turn back: the turn waits for its receiver. */
  slowDown(): void
  leave(): void
}

/** A limit that a claim can exceed; `all` is the limit of all claims together. */
export type Limit = 'all' | 'fast' | 'slow' | `tenant ${string}` | `host ${string}`

/** The places of turns, so that no tenant, host or slow receiver occupies all. */
export interface Places {
  /** Takes a place, or returns the limit that is reached. */
  claim(claim: Claim): Place | Limit
  /** Records whether a host answers. A host that does not gets few places, whatever number of tenants use it. */
  hear(host: string, hasAnswered: boolean): void
}

/** Creates the places. `onFree` is called with the limits below which a place is free again. */
export function createPlaces(onFree: (limits: readonly Limit[]) => void): Places {
  const counts = new Map<Limit, number>()
  const heard = new Set<string>()
  const add = (limit: Limit, by: number): void => {
    const count = (counts.get(limit) ?? 0) + by
    if (count === 0) counts.delete(limit)
    else counts.set(limit, count)
  }
  const isFull = (limit: Limit, most: number): boolean => (counts.get(limit) ?? 0) >= most
  return {
    claim: ({ tenantId, host, isSlow }) => {
      let speed: Limit = isSlow ? 'slow' : 'fast'
      const [ofTenant, ofHost] = [`tenant ${tenantId}`, `host ${host}`] as const
      if (isFull('all', PLACES)) return 'all'
      if (isFull(ofTenant, PLACES_OF_TENANT)) return ofTenant
      if (!heard.has(host) && isFull(ofHost, PLACES_OF_SILENT_HOST)) return ofHost
      if (isFull(speed, isSlow ? PLACES_OF_SLOW : PLACES_OF_FAST)) return speed
      for (const limit of ['all', ofTenant, ofHost, speed] as const) add(limit, 1)
      return {
        slowDown: () => {
          if (speed === 'slow') return
          add('fast', -1)
          add('slow', 1)
          speed = 'slow'
          onFree(['fast'])
        },
        leave: () => {
          const limits = ['all', ofTenant, ofHost, speed] as const
          for (const limit of limits) add(limit, -1)
          onFree(limits)
        },
      }
    },
    hear: (host, hasAnswered) => {
      if (hasAnswered) heard.add(host)
      else heard.delete(host)
    },
  }
}

/** All places: fast turns that wait for their receivers keep one. */
const PLACES = 128
const PLACES_OF_FAST = 64
const PLACES_OF_SLOW = 48
const PLACES_OF_TENANT = 8
const PLACES_OF_SILENT_HOST = 8
