/** The script of a page: it has the types of the document and its manifest, and no schemas. */
import { createClient } from '@plumbline/openapi/client'
import type { builder } from './jobs.ts'

declare global {
  /** Reads the events of a job, as one string for each; stops after `most`. */
  var watch: (id: string, most: number) => Promise<readonly string[]>
}

const manifest = await (await fetch('/manifest.json')).json()
const client = createClient<typeof builder>(manifest, { baseUrl: location.origin })
globalThis.watch = async (id, most) => {
  const seen: string[] = []
  const ending = new AbortController()
  const init = { reconnect: 'on-failure', signal: ending.signal } as const
  for await (const event of client.watchJob({ params: { id } }, init)) {
    seen.push(event.event === 'done' ? event.data : `${event.id}: ${event.data.done}`)
    if (seen.length === most) ending.abort()
  }
  return seen
}
