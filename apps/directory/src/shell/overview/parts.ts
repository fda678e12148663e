import { html } from 'hono/html'
import { isChangeOf } from '../../features/changes/change-row.ts'
import { subjectOf } from '../../features/log/pages/request.ts'
import { type LoggedRequest, reasonOf } from '../../features/log/pages/request-rows.ts'
import { stateBadge } from '../../features/webhooks/pages/webhook.ts'
import { count, countOf } from '../../kernel/counts.ts'
import type { Period } from '../../kernel/store/buckets.ts'
import { emptyState, table } from '../console/components/table.ts'
import { badge, code, statusBadge, time } from '../console/components/text.ts'
import type { ConsoleApi, ConsoleContext } from '../console/context.ts'
import type { Html, Part } from '../console/html.ts'
import { routes } from '../console/routes.ts'
import { TYPE_PAGES, type TypePage } from '../console/type-pages.ts'
import { type Activity, PERIOD_NAMES } from './charts.ts'

/** A tenant's page. */
type Place = Pick<ConsoleContext<{ readonly tenantId: string }>, 'params' | 'now'>
type Webhook = Extract<
  Awaited<ReturnType<ConsoleApi['listWebhooks']>>,
  { readonly status: 200 }
>['body']['webhooks'][number]

/** The newest rejected requests, with their reasons in words. */
export function newestErrors(
  { params: { tenantId }, now }: Place,
  requests: readonly LoggedRequest[],
): Html | '' {
  if (requests.length === 0) return ''
  const all = routes.requests.href({ tenantId }, { status: 'errors' })
  return html`<div class="heading"><h2>Newest errors</h2><a href="${all}">All errors</a></div>
<ul class="list errors">${requests.map((request) => {
    const href = routes.request.href({ tenantId, requestNumber: request.number })
    return html`
<li><p>${statusBadge(request.status)} <a href="${href}">${time(request.time, now())}</a> ${subjectOf(request, tenantId)}</p>
<div>${reasonOf(request)}</div></li>`
  })}
</ul>`
}

/** A tenant's numbers. */
export function stats(
  { params: { tenantId } }: Pick<Place, 'params'>,
  { summary, points }: Activity,
  period: Period,
): Html {
  const sumOf = (key: 'requests' | 'errors') =>
    count(points.reduce((sum, point) => sum + (point[key] ?? 0), 0))
  const changeOf = (name: string) => {
    const [first = 0, ...later] = points.flatMap(({ resources }) => resources[name] ?? [])
    const change = (later.at(-1) ?? first) - first
    if (change === 0) return 'unchanged'
    return `${change < 0 ? '−' : '+'}${count(Math.abs(change))}`
  }
  const within = `in ${PERIOD_NAMES[period]}`
  const errors = routes.requests.href({ tenantId }, { status: 'errors' })
  return html`<dl class="stats">
${TYPE_PAGES.map(({ type, title }) => stat(title, countOf(summary.resources[type.name]), `${changeOf(type.name)} ${within}`))}
${stat('Requests', sumOf('requests'), within)}
${stat('Errors', html`<a href="${errors}">${sumOf('errors')}</a>`, within)}
</dl>`
}

/** The newest success for each kind of change, and for any request. */
export function lastSuccesses(
  { params: { tenantId }, now }: Place,
  { lastSuccess, lastChanges }: Activity,
): Html {
  const request = lastSuccess && {
    kind: 'Any request',
    time: lastSuccess.time,
    subject: html`<a href="${routes.request.href({ tenantId, requestNumber: lastSuccess.number })}">The request</a>`,
  }
  const changes = lastChanges.map((change) => ({
    kind: kindOf(change.type),
    time: change.time,
    subject: changedResource(tenantId, change),
  }))
  return table({
    caption: 'A request that changed nothing is not a change.',
    columns: [
      { title: 'Kind', cell: ({ kind }) => kind },
      { title: 'Last success', className: 'time', cell: (row) => time(row.time, now()) },
      { title: 'Subject', cell: ({ subject }) => subject },
    ],
    rows: request === null ? changes : [request, ...changes],
    empty: emptyState('A request has not succeeded yet.'),
  })
}

function changedResource(
  tenantId: string,
  { type, resourceId }: Activity['lastChanges'][number],
): Part {
  const page = pageOfChange(type)
  if (page === undefined || type.endsWith('.deleted')) return code(resourceId)
  const href = page.routes.one.href({ tenantId, id: resourceId })
  return html`<a href="${href}">${code(resourceId)}</a>`
}

/** Whether a tenant's webhooks reach their receivers. */
export function webhookHealth(
  { params: { tenantId }, now }: Place,
  webhooks: readonly Webhook[],
): Html {
  return table({
    caption: 'Whether applications accept the changes',
    columns: [
      {
        title: 'URL',
        cell: ({ id, url }) =>
          html`<a href="${routes.webhook.href({ tenantId, webhookId: id })}">${url}</a>`,
      },
      { title: 'State', cell: stateBadge },
      { title: 'Last delivery', cell: ({ lastDelivery: last }) => last && deliveryOf(last, now()) },
      { title: 'Waiting changes', className: 'number', cell: ({ waiting }) => count(waiting) },
    ],
    rows: webhooks,
    empty: emptyState(
      'Changes are not sent to an application.',
      html`<a href="${routes.webhooks.href({ tenantId })}">Create a webhook</a>`,
    ),
  })
}

function deliveryOf(
  { attemptedAt, status }: NonNullable<Webhook['lastDelivery']>,
  now: number,
): Html {
  return html`${status === null ? badge('not answered', 'bad') : statusBadge(status)} ${time(attemptedAt, now)}`
}

function stat(title: string, value: Part, description: string): Html {
  return html`<div class="stat"><dt class="stat-title">${title}</dt><dd class="stat-value">${value}</dd><dd class="stat-desc">${description}</dd></div>`
}

/** A kind of change in words, such as `Create a user` for `user.created`. */
function kindOf(change: string): string {
  const words = KINDS.get(change.slice(change.indexOf('.')))
  const noun = pageOfChange(change)?.noun
  return words === undefined || noun === undefined ? change : `${words} a ${noun}`
}

function pageOfChange(change: string): TypePage | undefined {
  return TYPE_PAGES.find(({ type }) => isChangeOf(change, type.name))
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['.created', 'Create'],
  ['.changed', 'Change'],
  ['.deactivated', 'Deactivate'],
  ['.reactivated', 'Reactivate'],
  ['.members', 'Change the members of'],
  ['.deleted', 'Delete'],
])
