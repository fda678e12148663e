import { html } from 'hono/html'
import { alert } from '../../../shell/console/components/alert.ts'
import { firstSteps } from '../../../shell/console/components/first-steps.ts'
import { field, select } from '../../../shell/console/components/form.ts'
import { icon } from '../../../shell/console/components/icon.ts'
import { buttonLink, emptyState, pager, table } from '../../../shell/console/components/table.ts'
import { type ConsoleContext, on, type Section } from '../../../shell/console/context.ts'
import { expectStatus } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { liveControl, watchRequests } from './live-requests.ts'
import { showRequest, showUnknownSender } from './request.ts'
import { type RequestList, requestColumns, requestsOf, UNKNOWN_SENDERS } from './request-rows.ts'

/** The provisioning log. */
export const requestsSection: Section = {
  link: { text: 'Unknown senders', icon: 'unverified', href: routes.unknownSenders.href() },
  tenantLink: {
    text: 'Requests',
    icon: 'log',
    key: 'r',
    group: 'Provisioning',
    href: (params) => routes.requests.href(params),
  },
  pages: [
    on(routes.requests, showRequests),
    on(routes.liveRequests, watchTenant, { isUse: false }),
    on(routes.request, showRequest),
    on(routes.unknownSenders, showUnknownSenders),
    on(routes.liveUnknownSenders, (context) => watchRequests(context, UNKNOWN_SENDERS), {
      isUse: false,
    }),
    on(routes.unknownSender, showUnknownSender),
  ],
}

async function showRequests(
  context: ConsoleContext<{ readonly tenantId: string }>,
): Promise<Response> {
  const tenant = await findTenant(context)
  const { body, status } = await listBody(context, requestsOf(context.params.tenantId))
  return await context.page({ title: 'Requests', tenant, status, body, scripts: ['requests.js'] })
}

async function watchTenant(
  context: ConsoleContext<{ readonly tenantId: string }>,
): Promise<Response> {
  await findTenant(context)
  return await watchRequests(context, requestsOf(context.params.tenantId))
}

async function showUnknownSenders(context: ConsoleContext): Promise<Response> {
  const { body, status } = await listBody(context, UNKNOWN_SENDERS)
  const intro = html`<p>These requests did not have a token of a tenant. A mistyped token of a provider is found here.</p>
${body}`
  const scripts = ['requests.js'] as const
  return await context.page({ title: 'Unknown senders', status, body: intro, scripts })
}

async function listBody(
  context: ConsoleContext,
  list: RequestList,
): Promise<{ readonly body: Html; readonly status: number }> {
  const { url, api } = context
  const search = Object.fromEntries(
    FIELDS.map((name) => [name, (url.searchParams.get(name) ?? '').trim()]).filter(
      ([, value]) => value !== '',
    ),
  )
  const cursor = url.searchParams.get('cursor') ?? undefined
  const { user, requestId, status, from, to } = search
  const answer = await api.listRequests({
    query: {
      tenantId: list.tenantId ?? undefined,
      user,
      requestId,
      status: STATUSES.find((one) => one === status),
      from: instantOf(from),
      to: instantOf(to),
      cursor,
      count: IN_PAGE,
    },
  })
  if (answer.problem === 'invalid') {
    const reasons = answer.body.issues.map(({ detail }) => detail).join(', ')
    const fault = alert('error', `The search is not valid: ${reasons}.`, { role: 'alert' })
    return { status: 422, body: html`${filters(list, search)}${fault}` }
  }
  const { requests, nextCursor, dropped } = expectStatus(answer, 200).body
  const isLive = cursor === undefined && Object.keys(search).length === 0
  return {
    status: 200,
    body: html`${filters(list, search)}
${isLive && liveControl(list, requests[0]?.number ?? '0')}
${table({
  id: 'requests',
  caption: 'The newest requests are first.',
  columns: requestColumns(list, { origin: context.origin, now: context.now() }),
  rows: requests,
  empty: emptyRequests(list, isLive),
})}
${pager({
  previous: cursor === undefined ? undefined : list.href(search),
  previousText: 'Newest requests',
  next: nextCursor === undefined ? undefined : list.href({ ...search, cursor: nextCursor }),
})}
${dropped > 0 && html`<p>This server process could not log ${dropped} requests since its start.</p>`}`,
  }
}

/** Explains an empty list. */
function emptyRequests({ tenantId, href }: RequestList, isLive: boolean): Html {
  if (!isLive) {
    return emptyState('No request matches.', buttonLink(href(), 'Show all', { isPrimary: false }))
  }
  if (tenantId === null) return emptyState('Every request had a token of a tenant.')
  return emptyState(
    html`${firstSteps(2)}<p>The log does not contain a request yet. One appears here as soon as the provider sends it.</p>`,
    buttonLink(routes.connect.href({ tenantId }), 'Connect a provider'),
  )
}

/** The list's filters, which are kept in the URL. */
function filters({ href }: RequestList, search: Readonly<Record<string, string>>): Html {
  const { user, requestId, status, from, to } = search
  const hasMore = [requestId, from, to].some((one) => one !== undefined)
  return html`<form class="filters" role="search" action="${href()}" method="get">
${field({ name: 'user', label: 'User or id', type: 'search', value: user, maxLength: 2_000, keys: '/' })}
${select({ name: 'status', label: 'Status', value: status, choices: STATUS_CHOICES })}
<button class="btn">Filter</button>
${Object.keys(search).length > 0 && html`<a class="btn btn-ghost" href="${href()}">Show all</a>`}
<details${hasMore && html` open`}><summary class="btn btn-ghost">More filters${icon('chevron-down')}</summary><div class="filters">
${field({ name: 'requestId', label: 'Request id', type: 'search', value: requestId, maxLength: 64 })}
${field({ name: 'from', label: 'From (UTC)', type: 'datetime-local', value: from })}
${field({ name: 'to', label: 'Before (UTC)', type: 'datetime-local', value: to })}</div></details>
</form>`
}

/** Converts a form's time, such as `2026-11-22T10:00`, for the API; other values are passed for it to reject. */
function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : `${text}Z`
}

const FIELDS = ['user', 'requestId', 'status', 'from', 'to'] as const
const STATUSES = ['2xx', '4xx', '5xx', 'errors'] as const
const STATUS_CHOICES = [
  ['', 'All'],
  ['errors', 'Errors'],
  ['2xx', '2xx: succeeded'],
  ['4xx', '4xx: rejected'],
  ['5xx', '5xx: failed'],
] as const
/** How many requests a page shows. */
const IN_PAGE = 50
