import { html } from 'hono/html'
import { copyButton } from '../components/copy-button.ts'
import type { Column } from '../components/table.ts'
import { message, statusBadge, time } from '../components/text.ts'
import type { ConsoleApi } from '../context.ts'
import { canRepeat, curlOf } from '../curl.ts'
import { explainRequest } from '../explain-request.ts'
import type { Part } from '../html.ts'
import { ignoredAttributes } from '../ignored-attributes.ts'
import { routes } from '../routes.ts'
import { subjectOf } from './request.ts'

/** A request as the API lists it. */
export type LoggedRequest = Extract<
  Awaited<ReturnType<ConsoleApi['listRequests']>>,
  { readonly status: 200 }
>['body']['requests'][number]

/** The pages of a list of requests. */
export interface RequestList {
  /** Null for the requests whose token does not belong to a tenant. */
  readonly tenantId: string | null
  readonly href: (parameters?: Readonly<Record<string, string>>) => string
  readonly requestHref: (requestNumber: string) => string
  /** The stream of new rows. */
  readonly liveHref: string
}

/** The list of a tenant's requests. */
export function requestsOf(tenantId: string): RequestList {
  return {
    tenantId,
    href: (parameters = {}) => routes.requests.href({ tenantId }, parameters),
    requestHref: (requestNumber) => routes.request.href({ tenantId, requestNumber }),
    liveHref: routes.liveRequests.href({ tenantId }),
  }
}

/** The list of the requests whose token does not belong to a tenant. */
export const UNKNOWN_SENDERS: RequestList = {
  tenantId: null,
  href: (parameters = {}) => routes.unknownSenders.href(undefined, parameters),
  requestHref: (requestNumber) => routes.unknownSender.href({ requestNumber }),
  liveHref: routes.liveUnknownSenders.href(),
}

/** A list's columns, on the page and in the stream of new rows. */
export function requestColumns(
  { tenantId, requestHref }: RequestList,
  origin: string,
): readonly Column<LoggedRequest>[] {
  return [
    {
      title: 'Time',
      className: 'time',
      cell: (one) => html`<a href="${requestHref(one.number)}">${time(one.time)}</a>`,
    },
    { title: 'Operation', cell: ({ operation }) => operation },
    { title: 'Subject', className: 'subject', cell: (one) => subjectOf(one, tenantId) },
    { title: 'Status', cell: ({ status }) => statusBadge(status) },
    { title: 'Reason', className: 'reason', cell: reasonOf },
    {
      title: 'Time taken',
      className: 'number',
      cell: ({ milliseconds }) => `${milliseconds.toFixed(1)} ms`,
    },
    {
      title: 'Repeat',
      className: 'repeat',
      cell: (one) =>
        tenantId !== null &&
        canRepeat(one) &&
        html`<code id="curl-${one.number}" hidden>${curlOf(one, { origin, tenantId })}</code>${copyButton(`curl-${one.number}`, 'Copy as curl')}`,
    },
  ]
}

/** The code and the message of an error with the explanation, or the attributes that were ignored. */
function reasonOf(request: LoggedRequest): Part {
  const why = explainRequest(request)
  if (why === null) return ignoredAttributes(request, { most: MOST_NAMES })
  const code = request.scimType ?? request.rejection
  return html`${code !== null && html`<code>${code}</code> `}${request.detail !== null && message(request.detail)}<p class="hint">${why}</p>`
}

/** The most ignored attributes a row names. */
const MOST_NAMES = 3
