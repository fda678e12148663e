import { html } from 'hono/html'
import { isCrossOrigin } from '../../../kernel/access/same-origin.ts'
import { tableRow } from '../../../shell/console/components/table.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { mapEvents } from '../../../shell/console/events.ts'
import { ConsoleError, expectStatus } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { markControls } from '../../../shell/console/mark-controls.ts'
import { type LoggedRequest, type RequestList, requestColumns } from './request-rows.ts'

/** The live view's state and switch, which a script shows. */
export function liveControl({ liveHref }: RequestList, newest: string): Html {
  return html`<div class="actions" id="live" data-source="${liveHref}" data-after="${newest}">
<span class="status" id="live-dot" aria-hidden="true"></span><span id="live-state" role="status">Not live without scripts: reload the page to see new requests.</span>
<button type="button" class="btn btn-xs" id="live-switch" hidden>Pause</button></div>`
}

/** Streams rows for new requests, as on the page. Each event has one row's HTML. */
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
  const rows = mapEvents(expectStatus(answer, 200).body, async (data) => {
    const logged: LoggedRequest = JSON.parse(data)
    const columns = requestColumns(list, { origin, now: context.now() })
    return markControls((await tableRow(columns, logged)).toString())
  })
  // Some proxies would buffer the events.
  const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }
  return new Response(rows, { headers })
}
