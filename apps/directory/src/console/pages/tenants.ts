import { html } from 'hono/html'
import { field, fieldErrors, form } from '../components/form.ts'
import { emptyState, pager, table } from '../components/table.ts'
import { badge, countOf, time } from '../components/text.ts'
import { type ConsoleApi, type ConsoleContext, on, type Section } from '../context.ts'
import { expectStatus } from '../faults.ts'
import type { Html, Part } from '../html.ts'
import { routes } from '../routes.ts'

/** The list of tenants, and the creation of one. */
export const tenantsSection: Section = {
  link: { text: 'Tenants', href: routes.tenants.href() },
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
  return context.redirect(routes.tenant.href({ tenantId: id }), {
    message: `The tenant ${id} was created.`,
  })
}

/** The page, with the errors of a posted form. */
async function showTenants(
  context: ConsoleContext,
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const cursor = context.url.searchParams.get('cursor') ?? undefined
  const query = { summary: true, count: PAGE, ...(cursor === undefined ? {} : { cursor }) }
  const { tenants, nextCursor } = expectStatus(await context.api.listTenants({ query }), 200).body
  return await context.page({
    title: 'Tenants',
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${tenantTable(tenants)}
${pager({
  previous: cursor && routes.tenants.href(),
  next: nextCursor && routes.tenants.href(null, { cursor: nextCursor }),
})}
<h2>Create a tenant</h2>
${creation(context, errors)}`,
  })
}

type Tenant = Extract<
  Awaited<ReturnType<ConsoleApi['listTenants']>>,
  { readonly status: 200 }
>['body']['tenants'][number]

function tenantTable(tenants: readonly Tenant[]): Html {
  return table({
    caption: 'A tenant is a company whose users and groups the directory stores.',
    columns: [
      {
        title: 'Tenant',
        cell: ({ id, name }) =>
          html`<a href="${routes.tenant.href({ tenantId: id })}">${name}</a> <code>${id}</code>`,
      },
      { title: 'State', cell: stateOf },
      {
        title: 'Users',
        cell: ({ summary }) => summary && countOf(summary.users),
        className: 'number',
      },
      {
        title: 'Groups',
        cell: ({ summary }) => summary && countOf(summary.groups),
        className: 'number',
      },
      { title: 'Last request', cell: ({ summary }) => time(summary?.lastRequestAt) },
      { title: 'Errors in 24 h', cell: errorsOf, className: 'number' },
      { title: 'Next token to expire', cell: expiryOf },
    ],
    rows: tenants,
    empty: emptyState('Create the first tenant below.'),
  })
}

/** Whether a tenant's tokens are accepted. */
export function stateOf({ disabledAt, deletedAt }: Pick<Tenant, 'disabledAt' | 'deletedAt'>): Html {
  if (deletedAt !== null) return badge('is being deleted', 'bad')
  return disabledAt === null ? badge('active', 'good') : badge('disabled', 'warning')
}

function errorsOf({ id, summary }: Tenant): Part {
  if (summary === undefined || summary.errors.count === 0) return summary && '0'
  const href = routes.requests.href({ tenantId: id }, { status: 'errors' })
  return html`<a href="${href}">${countOf(summary.errors)}</a>`
}

function expiryOf({ id, summary }: Tenant): Part {
  const next = summary?.nextExpiry
  if (next === undefined || next === null) return null
  const href = routes.tokens.href({ tenantId: id })
  return html`<a href="${href}">${next.name}</a> ${time(next.expiresAt)}`
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
