import { html } from 'hono/html'
import { isCrossOrigin } from '../../auth/same-origin.ts'
import { tableRow } from '../components/table.ts'
import type { ConsoleContext } from '../context.ts'
import { mapEvents } from '../events.ts'
import { ConsoleError, expectStatus } from '../faults.ts'
import type { Html } from '../html.ts'
import { type LoggedRequest, type RequestList, requestColumns } from './request-rows.ts'

/** The switch of the live view, which a script shows. */
export function liveControl({ liveHref }: RequestList, newest: string): Html {
  return html`<p id="live" hidden data-source="${liveHref}" data-after="${newest}">
<button type="button" id="live-switch" aria-pressed="true">Pause</button>
<span id="live-state" role="status">Waiting for requests.</span></p>`
}

/** Streams the rows of new requests, as the page shows them. Each event has the HTML of one row. */
export async function watchRequests(context: ConsoleContext, list: RequestList): Promise<Response> {
  const { request, url, api, origin } = context
  if (isCrossOrigin(request, origin)) {
    throw new ConsoleError(403, 'The live requests are only for pages of this server.')
  }
  const answer = await api.watchRequests({
    query: {
      tenantId: list.tenantId ?? undefined,
      after: url.searchParams.get('after') ?? undefined,
    },
    headers: { 'Last-Event-ID': request.headers.get('Last-Event-ID') ?? undefined },
  })
  const columns = requestColumns(list, origin)
  const rows = mapEvents(expectStatus(answer, 200).body, async (data) => {
    const logged: LoggedRequest = JSON.parse(data)
    return (await tableRow(columns, logged)).toString()
  })
  // Some proxies would collect the events.
  const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }
  return new Response(rows, { headers })
}
