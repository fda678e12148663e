import { html } from 'hono/html'
import { copyButton } from '../../../shell/console/components/copy-button.ts'
import type { Column } from '../../../shell/console/components/table.ts'
import { statusBadge, time } from '../../../shell/console/components/text.ts'
import type { ConsoleApi } from '../../../shell/console/context.ts'
import type { Part } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { canRepeat, curlOf } from './curl.ts'
import { explainRequest } from './explain-request.ts'
import { ignoredAttributes } from './ignored-attributes.ts'
import { subjectOf } from './request.ts'

/** A request, as the API lists it. */
export type LoggedRequest = Extract<
  Awaited<ReturnType<ConsoleApi['listRequests']>>,
  { readonly status: 200 }
>['body']['requests'][number]

/** The pages for a list of requests. */
export interface RequestList {
  /** Null for requests without a tenant's token. */
  readonly tenantId: string | null
  readonly href: (parameters?: Readonly<Record<string, string>>) => string
  readonly requestHref: (requestNumber: string) => string
  /** The URL for streaming new rows. */
  readonly liveHref: string
}

/** Returns the list for a tenant's requests. */
export function requestsOf(tenantId: string): RequestList {
  return {
    tenantId,
    href: (parameters = {}) => routes.requests.href({ tenantId }, parameters),
    requestHref: (requestNumber) => routes.request.href({ tenantId, requestNumber }),
    liveHref: routes.liveRequests.href({ tenantId }),
  }
}

/** The list for requests without a tenant's token. */
export const UNKNOWN_SENDERS: RequestList = {
  tenantId: null,
  href: (parameters = {}) => routes.unknownSenders.href(undefined, parameters),
  requestHref: (requestNumber) => routes.unknownSender.href({ requestNumber }),
  liveHref: routes.liveUnknownSenders.href(),
}

/** A list's columns, on the page and in the stream of new rows. */
export function requestColumns(
  { tenantId, requestHref }: RequestList,
  { origin, now }: { readonly origin: string; readonly now: number },
): readonly Column<LoggedRequest>[] {
  return [
    {
      title: 'Time',
      className: 'time',
      cell: (one) => html`<a href="${requestHref(one.number)}">${time(one.time, now)}</a>`,
    },
    { title: 'Status', cell: ({ status }) => statusBadge(status) },
    { title: 'Operation', cell: ({ operation }) => operation },
    { title: 'Subject', className: 'subject', cell: (one) => subjectOf(one, tenantId) },
    { title: 'Reason', className: 'cut', cell: reasonOf },
    {
      title: 'Took',
      className: 'number',
      cell: ({ milliseconds }) => `${milliseconds.toFixed(1)} ms`,
    },
    {
      title: 'Repeat',
      cell: (one) =>
        tenantId !== null &&
        canRepeat(one) &&
        html`<code id="curl-${one.number}" hidden>${curlOf(one, { origin, tenantId })}</code>${copyButton(`curl-${one.number}`, 'Copy as curl', { isSmall: true })}`,
    },
  ]
}

/** Returns an error's code and sentence, or the ignored attributes, in one line. The request's page explains them. */
export function reasonOf(request: LoggedRequest): Part {
  const why = explainRequest(request)
  if (why === null) return ignoredAttributes(request, { most: MAX_NAMES })
  const code = request.scimType ?? request.rejection
  // The answer to an unknown sender says less than the log knows.
  const detail = request.rejection === null ? request.detail : null
  const [sentence = ''] = (detail ?? why).split('\n')
  return html`${code !== null && html`<code>${code}</code> `}<span title="${detail === null ? why : `${sentence}: ${why}`}">${sentence}</span>`
}

/** The most ignored attributes named in a row. */
const MAX_NAMES = 3
