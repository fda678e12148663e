import { html } from 'hono/html'
import { PROFILE_NAMES, type Profile } from '../profiles.ts'
import type { RejectedRequest } from '../recordings/rejected-requests.ts'
import { emptyState, table } from './components/table.ts'
import { code } from './components/text.ts'
import type { Html } from './html.ts'
import { hasProvider } from './providers.ts'

/** An Okta or Entra ID request, and the profiles that reject it. */
interface Row extends RejectedRequest {
  readonly profiles: readonly Profile[]
}

/** Lists Okta and Entra ID requests rejected by profiles without a provider. */
export async function rejectedRequests(): Promise<Html> {
  // The code that replays them is loaded by the first page that shows them.
  const { findRejectedRequests } = await import('../recordings/rejected-requests.ts')
  const rows = new Map<string, Row>()
  for (const profile of PROFILE_NAMES.filter((one) => !hasProvider(one))) {
    for (const rejected of await findRejectedRequests(profile)) {
      const key = `${rejected.run} ${rejected.name}`
      const before = rows.get(key)?.profiles ?? []
      rows.set(key, { ...rejected, profiles: [...before, profile] })
    }
  }
  return html`<details><summary>Which requests of Okta and Entra ID are rejected</summary>
${table({
  caption: 'Recorded requests that a profile of a draft rejects',
  columns: [
    { title: 'Request', className: 'wrap', cell: ({ name }) => name },
    { title: 'Recording', cell: ({ run }) => code(run) },
    { title: 'Reason', className: 'wrap', cell: ({ detail }) => detail },
    { title: 'Profiles', cell: ({ profiles }) => profiles.join(', ') },
  ],
  rows: [...rows.values()],
  empty: emptyState('No recorded request is rejected.'),
})}</details>`
}
