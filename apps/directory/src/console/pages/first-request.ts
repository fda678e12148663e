import { html } from 'hono/html'
import { statusBadge, time } from '../components/text.ts'
import type { ConsoleContext } from '../context.ts'
import { expectStatus, notFound } from '../faults.ts'
import type { Html } from '../html.ts'
import { routes } from '../routes.ts'

/** A new token's state: its first request, or a place that waits for it. */
export async function firstRequest(
  { api, params }: ConsoleContext<{ readonly tenantId: string }>,
  tokenId: string,
): Promise<{ readonly isWaiting: boolean; readonly body: Html }> {
  const { tenantId } = params
  const { tokens } = expectStatus(await api.listTokens({ query: { tenantId } }), 200).body
  const token = tokens.find(({ id }) => id === tokenId)
  if (token === undefined) throw notFound('This token')
  const query = { tenantId, from: token.createdAt, count: MOST }
  const { requests } = expectStatus(await api.listRequests({ query }), 200).body
  const seen = requests.findLast((one) => one.tokenId === tokenId)
  if (seen !== undefined) {
    const { method, path, status } = seen
    const name = method === 'GET' ? 'Test Connection' : `${method} ${path}`
    return {
      isWaiting: false,
      body: html`<p role="status">Seen: ${name}, ${statusBadge(status)} at ${time(seen.time)}</p>`,
    }
  }
  // The log may be off, or may have dropped the request.
  if (token.lastUsedAt !== null) {
    return {
      isWaiting: false,
      body: html`<p role="status">Seen: a request at ${time(token.lastUsedAt)}</p>`,
    }
  }
  const unknownSenders = routes.unknownSenders.href()
  return {
    isWaiting: true,
    body: html`<p role="status" id="first-request" data-tenant="${tenantId}" data-token="${tokenId}">Waiting for the first request. Reload the page after the test.</p>
<p>If the provider reports an error and nothing appears here, look at the <a href="${unknownSenders}">requests without a valid token</a>.</p>`,
  }
}

/** How many requests after the token's creation are searched. */
const MOST = 200
