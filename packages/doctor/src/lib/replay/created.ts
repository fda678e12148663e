import type { Method } from '../http/exchange.ts'
import type { Incoming } from '../http/transport.ts'
import { memberAt, objectsOf } from '../json.ts'

/** The resources a run has created and not deleted. */
export interface CreatedByRun {
  observe(
    sent: { readonly method: Method; readonly url: string },
    answer: Pick<Incoming, 'status' | 'headers'> & { readonly body: unknown },
  ): void
  /** Their URLs, in the order in which they were created. Those from a bulk request may be on another origin. */
  urls(): readonly string[]
}

/** Creates the list for a run's resources. */
export function trackCreated(): CreatedByRun {
  const urls = new Set<string>()
  const observeOperation = ({ method, status, location }: Record<string, unknown>): void => {
    if (typeof location !== 'string') return
    if (method === 'POST' && String(status) === '201') urls.add(location)
    if (method === 'DELETE') urls.delete(location)
  }
  return {
    observe: ({ method, url }, { status, headers, body }) => {
      const [path = url] = url.split('?')
      if (method === 'DELETE' && status < 300) urls.delete(path)
      if (method !== 'POST' || status >= 300) return
      for (const operation of objectsOf(memberAt(body, 'Operations'))) observeOperation(operation)
      if (status !== 201) return
      // A server behind a proxy may have another origin in its locations.
      const id = memberAt(body, 'id')
      const location = headers.get('Location')
      if (typeof id === 'string') urls.add(`${path}/${encodeURIComponent(id)}`)
      else if (location !== null)
        urls.add(URL.canParse(location, url) ? new URL(location, url).href : location)
    },
    urls: () => [...urls],
  }
}
