import type { Method, Received } from '../http/exchange.ts'
import { memberAt, objectsOf } from '../json.ts'

/** Knows the resources that the examination created and did not delete yet. */
export interface Cleaner {
  /** Looks at an exchange for resources that it created or deleted. */
  observe(method: Method, url: string, received: Received): void
  /** Keeps the resources that exist now until the end of the examination. */
  keep(): void
  /** The URLs of the resources that exist, the latest first. Those that are kept are omitted unless `all` is true. */
  remaining(options: { readonly all: boolean }): readonly string[]
}

/** Creates a cleaner for the server at a base URL. */
export function createCleaner(base: string): Cleaner {
  const existing = new Set<string>()
  const kept = new Set<string>()
  const add = (location: unknown, otherwise: string | null): void => {
    const url = typeof location === 'string' && location !== '' ? location : otherwise
    // A location on another host, such as one behind a proxy, is not a URL that a token may be sent to.
    if (url !== null) existing.add(isBelow(url, base) ? url : (otherwise ?? url))
  }
  return {
    observe: (method, url, received) => {
      const isDone = received.status >= 200 && received.status < 300
      if (method === 'DELETE' && (isDone || received.status === 404)) existing.delete(url)
      if (method !== 'POST' || !isDone || url.endsWith('/.search')) return
      if (url === `${base}/Bulk`) {
        for (const one of objectsOf(received.body.Operations)) {
          if (String(one.method).toUpperCase() === 'POST') add(one.location, null)
          if (String(one.method).toUpperCase() === 'DELETE') existing.delete(String(one.location))
        }
        return
      }
      const id = memberAt(received.body, 'id')
      const [collection] = url.split('?')
      const usual = typeof id === 'string' ? `${collection}/${encodeURIComponent(id)}` : null
      add(usual ?? received.headers.get('Location'), usual)
    },
    keep: () => {
      for (const url of existing) kept.add(url)
    },
    remaining: ({ all }) => [...existing].filter((url) => all || !kept.has(url)).reverse(),
  }
}

function isBelow(url: string, base: string): boolean {
  return url.startsWith(`${base}/`)
}
