import { html } from 'hono/html'
import { emptyState, table } from '../../../shell/console/components/table.ts'
import { statusBadge, time } from '../../../shell/console/components/text.ts'
import { findRequests } from '../../log/find-requests.ts'
import { requestBody } from '../../log/handlers.ts'
import { type LoggedRequest, reasonOf } from '../../log/pages/request-rows.ts'
import type { SetupContext } from './context.ts'

/** Shows requests sent with the link's token. */
export async function showRequests(context: SetupContext): Promise<Response> {
  return await context.page({
    title: 'First requests',
    body: html`<p>The requests with the token that you have created. Reload the page to see later ones.</p>
${table({
  caption: 'The newest requests are first.',
  columns: [
    { title: 'Time', className: 'time', cell: (one) => time(one.time, context.auth.now()) },
    { title: 'Operation', cell: ({ operation }) => operation },
    { title: 'Subject', className: 'subject', cell: (one) => one.userName ?? one.resourceId ?? '' },
    { title: 'Status', cell: ({ status }) => statusBadge(status) },
    { title: 'Reason', className: 'cut', cell: reasonOf },
  ],
  rows: (await requestsOfLink(context)).slice(0, MAX_SHOWN),
  empty: emptyState('The provider has not sent a request yet, or it was sent without this token.'),
})}`,
  })
}

/** Returns the requests sent with a link's token, the newest first. */
export async function requestsOfLink({
  session,
  auth,
  request,
}: SetupContext): Promise<readonly LoggedRequest[]> {
  const { link, tenant } = session
  if (link.token_id === null) return []
  const query = { tenantId: tenant.id, from: link.opened_at ?? link.created_at, count: MAX_READ }
  const options = { signal: request.signal, tenantId: tenant.id }
  const rows = await auth.store.scan((db) => findRequests(db, query), options)
  return rows.map(requestBody).filter(({ tokenId }) => tokenId === link.token_id)
}

/** How many of the tenant's requests are searched. */
const MAX_READ = 1_000
const MAX_SHOWN = 50
