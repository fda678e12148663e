import { html } from 'hono/html'
import { buttonLink } from '../../../shell/console/components/table.ts'
import { statusBadge, time } from '../../../shell/console/components/text.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { expectStatus, notFound } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'

/** Shows a new token's state: its first request, or a place that waits for it. */
export async function firstRequest(
  { api, params, now }: ConsoleContext<{ readonly tenantId: string }>,
  tokenId: string,
): Promise<{ readonly isWaiting: boolean; readonly body: Html }> {
  const { tenantId } = params
  const { tokens } = expectStatus(await api.listTokens({ query: { tenantId } }), 200).body
  const token = tokens.find(({ id }) => id === tokenId)
  if (token === undefined) throw notFound('This token')
  const query = { tenantId, from: token.createdAt, count: MAX_REQUESTS }
  const { requests } = expectStatus(await api.listRequests({ query }), 200).body
  const seen = requests.findLast((one) => one.tokenId === tokenId)
  if (seen !== undefined) {
    const { method, path, status } = seen
    const name = method === 'GET' ? 'Test Connection' : `${method} ${path}`
    return {
      isWaiting: false,
      body: html`<p role="status">Seen: ${name}, ${statusBadge(status)} ${time(seen.time, now())}</p>${next(tenantId)}`,
    }
  }
  // The log may be off, or may have dropped the request.
  if (token.lastUsedAt !== null) {
    return {
      isWaiting: false,
      body: html`<p role="status">Seen: a request ${time(token.lastUsedAt, now())}</p>${next(tenantId)}`,
    }
  }
  const unknownSenders = routes.unknownSenders.href()
  return {
    isWaiting: true,
    body: html`<p role="status"><span class="status" id="first-request-dot" aria-hidden="true"></span> <span id="first-request" data-tenant="${tenantId}" data-token="${tokenId}">Waiting for the first request. Reload the page after the test.</span></p>
<p id="first-request-hint">If the provider reports an error and nothing appears here, look at the <a href="${unknownSenders}">requests without a valid token</a>.</p>
<div id="first-request-next" hidden>${next(tenantId)}</div>`,
  }
}

function next(tenantId: string): Html {
  return html`<p>Next, assign users in the provider and watch their requests arrive.</p>
<p>${buttonLink(routes.requests.href({ tenantId }), 'Watch the requests')}</p>`
}

/** How many requests are searched after the token's creation. */
const MAX_REQUESTS = 200
