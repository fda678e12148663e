import { html } from 'hono/html'
import { describeConnection } from '../../features/connections/pages/describe-connection.ts'
import { describeState } from '../../features/tenants/pages/describe-state.ts'
import type { TenantState } from '../../features/tenants/tenant-state.ts'
import { PERIODS, type Period } from '../../kernel/store/buckets.ts'
import { type AlertKind, alert } from '../console/components/alert.ts'
import { definitionList } from '../console/components/table.ts'
import { code, time } from '../console/components/text.ts'
import { type ConsoleContext, on, type Section } from '../console/context.ts'
import { expectStatus } from '../console/faults.ts'
import { findTenant } from '../console/find-tenant.ts'
import type { Html } from '../console/html.ts'
import { routes } from '../console/routes.ts'
import { type Activity, activityCharts } from './charts.ts'
import { lastSuccesses, newestErrors, stats, webhookHealth } from './parts.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>
type Tenant = Awaited<ReturnType<typeof findTenant>>

/** A tenant's overview: its state in one sentence, the newest errors, and its activity. */
export const overviewSection: Section = {
  tenantLink: {
    text: 'Overview',
    icon: 'home',
    key: 'o',
    group: 'Provisioning',
    href: (params) => routes.tenant.href(params),
  },
  pages: [on(routes.tenant, showOverview)],
}

async function showOverview(context: Context): Promise<Response> {
  const tenant = await findTenant(context)
  const period = periodOf(context.url)
  const activity = await readActivity(context, period)
  const body =
    tenant.deletedAt === null
      ? await overviewOf(context, tenant, { activity, period })
      : stateSentence(context, tenant, { activity, connection: null })
  return await context.page({
    title: 'Overview',
    heading: tenant.name,
    tenant,
    body: html`${body}
<h2>Facts</h2>
${facts(context, tenant, activity)}`,
  })
}

function periodOf(url: URL): Period {
  const wanted = url.searchParams.get('period')
  return PERIODS.find((one) => one === wanted) ?? 'day'
}

async function readActivity(
  { params, api }: Pick<Context, 'params' | 'api'>,
  period: Period,
): Promise<Activity> {
  return expectStatus(await api.getActivity({ params, query: { period } }), 200).body
}

async function overviewOf(
  context: Context,
  tenant: Tenant,
  { activity, period }: { readonly activity: Activity; readonly period: Period },
): Promise<Html> {
  const { params, api } = context
  const [errors, webhooks, connection] = await Promise.all([
    api.listRequests({ query: { ...params, status: 'errors', count: MAX_ERRORS } }),
    api.listWebhooks({ params }),
    api.getConnection({ params }),
  ])
  const waiting = expectStatus(connection, 200).body
  return html`${stateSentence(context, tenant, { activity, connection: waiting })}
${newestErrors(context, expectStatus(errors, 200).body.requests)}
<h2>Activity</h2>
${stats(context, activity, period)}
${activityCharts(context, activity, period)}
<h2>Last success of each kind</h2>
${lastSuccesses(context, activity)}
<h2>Webhooks</h2>
${webhookHealth(context, expectStatus(webhooks, 200).body.webhooks)}
<h2>Changes</h2>
<p>${describeConnection(waiting, activity.summary.resources)} <a href="${routes.connection.href(params)}">${waiting.state === 'active' ? 'Pause them, or change the rule that holds them' : 'Release or drop them'}</a></p>`
}

function stateSentence(
  context: Context,
  tenant: Tenant,
  {
    activity: { summary },
    connection,
  }: {
    readonly activity: Activity
    readonly connection: Parameters<typeof describeState>[1]
  },
): Html {
  const now = context.now()
  const { state, sentence, next } = describeState({ ...tenant, summary }, connection, now)
  return alert(
    ALERTS[state],
    html`<p>${sentence}${next !== null && html` <a href="${next.href}">${next.text}</a>`}</p>`,
  )
}

function facts(context: Context, tenant: Tenant, { summary }: Activity): Html {
  const { nextExpiry } = summary
  return definitionList([
    ['Id', code(tenant.id)],
    ['SCIM base URL', code(`${context.origin}/scim/v2`)],
    ['Last request', time(summary.lastRequestAt, context.now())],
    [
      'Next token to expire',
      nextExpiry && html`${nextExpiry.name}, ${time(nextExpiry.expiresAt, context.now())}`,
    ],
    ['Created', time(tenant.createdAt, context.now())],
  ])
}

const ALERTS: Readonly<Record<TenantState, AlertKind>> = {
  deleted: 'error',
  disabled: 'warning',
  held: 'error',
  paused: 'warning',
  review: 'warning',
  undelivered: 'error',
  waiting: 'info',
  errors: 'error',
  silent: 'warning',
  healthy: 'success',
}
const MAX_ERRORS = 5
