import { html } from 'hono/html'
import { countOf } from '../../../kernel/counts.ts'
import { card } from '../../../shell/console/components/card.ts'
import { firstSteps } from '../../../shell/console/components/first-steps.ts'
import { field, fieldErrors, form } from '../../../shell/console/components/form.ts'
import { buttonLink, emptyState, pager, table } from '../../../shell/console/components/table.ts'
import { badge, time } from '../../../shell/console/components/text.ts'
import {
  type ConsoleApi,
  type ConsoleContext,
  on,
  type Section,
} from '../../../shell/console/context.ts'
import { expectStatus } from '../../../shell/console/faults.ts'
import type { Html, Part } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { TYPE_PAGES } from '../../../shell/console/type-pages.ts'
import { LABELS } from './describe-state.ts'

/** The tenant list, and the form for a new tenant. */
export const tenantsSection: Section = {
  link: { text: 'Tenants', icon: 'organization', key: 't', href: routes.tenants.href() },
  pages: [
    on(routes.home, ({ redirect }) => redirect(routes.tenants.href())),
    on(routes.tenants, (context) => showTenants(context)),
    on(routes.createTenant, createTenant),
    on(routes.openTenant, ({ url, redirect }) => {
      const tenantId = (url.searchParams.get('id') ?? '').trim()
      return redirect(tenantId === '' ? routes.tenants.href() : routes.tenant.href({ tenantId }))
    }),
  ],
}

async function createTenant(context: ConsoleContext): Promise<Response> {
  const body = { id: context.form.get('id') ?? '', name: context.form.get('name') ?? '' }
  const answer = await context.api.createTenant({ body })
  if (answer.problem === 'conflict') {
    return await showTenants(context, { id: `The tenant ${body.id} already exists.` })
  }
  if (answer.problem === 'invalid') {
    return await showTenants(context, fieldErrors(answer.body.issues))
  }
  const { id } = expectStatus(answer, 201).body
  return context.redirect(routes.connect.href({ tenantId: id }), {
    message: `The tenant ${id} was created. Next, connect its provider.`,
  })
}

/** Shows the page, with a posted form's errors. */
async function showTenants(
  context: ConsoleContext,
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const cursor = context.url.searchParams.get('cursor') ?? undefined
  const query = { summary: true, count: PAGE, ...(cursor === undefined ? {} : { cursor }) }
  const { tenants, nextCursor } = expectStatus(await context.api.listTenants({ query }), 200).body
  return await context.page({
    title: 'Tenants',
    actions: buttonLink('#create', 'Create a tenant', { isPrimary: false }),
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${cursor === undefined && isFirstVisit(tenants) && firstVisit()}
${tenantTable(tenants, context.now())}
${pager({
  previous: cursor && routes.tenants.href(),
  next: nextCursor && routes.tenants.href(null, { cursor: nextCursor }),
})}
${card({ title: 'Create a tenant', id: 'create', body: creation(context, errors) })}`,
  })
}

type Tenant = Extract<
  Awaited<ReturnType<ConsoleApi['listTenants']>>,
  { readonly status: 200 }
>['body']['tenants'][number]

/** Whether no provider has sent a request yet. */
function isFirstVisit(tenants: readonly Tenant[]): boolean {
  return tenants.every(({ summary }) => summary?.lastRequestAt === null)
}

function firstVisit(): Html {
  return card({
    title: 'Connect the first provider',
    body: html`${firstSteps(0)}
<p>Create a tenant for the company whose users you want to receive. The next page has the values that its provider needs.</p>
<p>${buttonLink('#create', 'Create a tenant')}</p>`,
  })
}

function tenantTable(tenants: readonly Tenant[], now: number): Html {
  return table({
    caption: 'A tenant is a company whose users and groups the directory stores.',
    columns: [
      {
        title: 'Tenant',
        cell: ({ id, name }) =>
          html`<a href="${routes.tenant.href({ tenantId: id })}">${name}</a> <code>${id}</code>`,
      },
      { title: 'State', cell: stateBadge },
      ...TYPE_PAGES.map(({ type, title }) => ({
        title,
        className: 'number',
        cell: ({ summary }: Tenant) => summary && countOf(summary.resources[type.name]),
      })),
      { title: 'Last request', cell: ({ summary }) => time(summary?.lastRequestAt, now) },
      { title: 'Errors in 24 h', cell: errorsOf, className: 'number' },
      { title: 'Next token to expire', cell: (one) => expiryOf(one, now) },
    ],
    rows: tenants,
    empty: emptyState('Create the first tenant.', buttonLink('#create', 'Create a tenant')),
  })
}

function stateBadge({ summary }: Tenant): Part {
  if (summary === undefined) return null
  if (summary === null) return badge('unknown', 'warning')
  const { text, kind } = LABELS[summary.state]
  return badge(text, kind)
}

function errorsOf({ id, summary }: Tenant): Part {
  if (summary === undefined || summary === null) return null
  if (summary.errors.count === 0) return '0'
  const href = routes.requests.href({ tenantId: id }, { status: 'errors' })
  return html`<a href="${href}">${countOf(summary.errors)}</a>`
}

function expiryOf({ id, summary }: Tenant, now: number): Part {
  const next = summary?.nextExpiry
  if (next === undefined || next === null) return null
  const href = routes.tokens.href({ tenantId: id })
  return html`<a href="${href}">${next.name}</a> ${time(next.expiresAt, now)}`
}

function creation(context: ConsoleContext, errors: Readonly<Record<string, string>>): Html {
  const { form: posted } = context
  return form(context, {
    action: routes.createTenant.href(),
    submit: 'Create tenant',
    body: [
      field({
        name: 'id',
        label: 'Id',
        hint: 'Lowercase letters, digits and hyphens. It cannot be changed later.',
        isRequired: true,
        maxLength: 63,
        pattern: '[a-z0-9][a-z0-9\\-]*',
        value: posted.get('id') ?? '',
        error: errors.id,
      }),
      field({
        name: 'name',
        label: 'Name',
        isRequired: true,
        maxLength: 200,
        value: posted.get('name') ?? '',
        error: errors.name,
      }),
    ],
  })
}

const PAGE = 50
