import { html } from 'hono/html'
import { confirmByName, field, fieldErrors, form } from '../components/form.ts'
import { definitionList } from '../components/table.ts'
import { code, countOf, time } from '../components/text.ts'
import { type ConsoleContext, on, type Section } from '../context.ts'
import { expectStatus, notFound } from '../faults.ts'
import type { Html } from '../html.ts'
import { routes } from '../routes.ts'
import { stateOf } from './tenants.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>

/** A tenant's overview, and the forms that rename, disable and delete it. */
export const tenantSection: Section = {
  tenantLink: { text: 'Overview', href: (params) => routes.tenant.href(params) },
  pages: [
    on(routes.tenant, (context) => showTenant(context)),
    on(routes.renameTenant, (context) =>
      change(context, { name: context.form.get('name') ?? '' }, 'The tenant was renamed.'),
    ),
    on(routes.disableTenant, (context) =>
      change(context, { disabled: true }, 'The tenant was disabled: its tokens are rejected.'),
    ),
    on(routes.enableTenant, (context) =>
      change(context, { disabled: false }, 'The tenant was enabled: its tokens are accepted.'),
    ),
    on(routes.deleteTenant, deleteTenant),
  ],
}

async function change(
  context: Context,
  body: { readonly name?: string; readonly disabled?: boolean },
  message: string,
): Promise<Response> {
  const { params, api } = context
  const answer = await api.changeTenant({ params, body })
  if (answer.problem === 'invalid') {
    return await showTenant(context, fieldErrors(answer.body.issues))
  }
  if (answer.problem === 'notFound') throw notFound(`Tenant ${params.tenantId}`)
  if (answer.problem === 'notAllowed') {
    return await showTenant(context, { general: answer.body.detail ?? answer.body.title })
  }
  expectStatus(answer, 200)
  return context.redirect(routes.tenant.href(params), { message })
}

async function deleteTenant(context: Context): Promise<Response> {
  const { params, api, form: posted } = context
  const { tenantId } = params
  if (posted.get('confirmation') !== tenantId) {
    return await showTenant(context, { confirmation: `Type ${tenantId}. Nothing was deleted.` })
  }
  const answer = await api.deleteTenant({ params })
  if (answer.problem === 'notFound') throw notFound(`Tenant ${tenantId}`)
  if (answer.problem === 'notAllowed') {
    return await showTenant(context, { confirmation: answer.body.detail ?? answer.body.title })
  }
  expectStatus(answer, 202)
  return context.redirect(routes.tenants.href(), {
    message: `The tenant ${tenantId} is being deleted.`,
  })
}

type Errors = Readonly<Record<string, string>>

async function showTenant(context: Context, errors: Errors = {}): Promise<Response> {
  const { params, api } = context
  const answer = await api.getTenant({ params, query: { summary: true } })
  if (answer.status === 404 || answer.status === 422) throw notFound(`Tenant ${params.tenantId}`)
  const tenant = expectStatus(answer, 200).body
  const { summary } = tenant
  return await context.page({
    title: 'Overview',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${errors.general !== undefined && html`<div class="problem" role="alert"><p>${errors.general}</p></div>`}
${definitionList([
  ['Id', code(tenant.id)],
  ['State', stateOf(tenant)],
  ['Users', summary && countOf(summary.users)],
  ['Groups', summary && countOf(summary.groups)],
  ['Last request', time(summary?.lastRequestAt)],
  ['Errors in 24 hours', summary && countOf(summary.errors)],
  [
    'Next token to expire',
    summary?.nextExpiry && html`${summary.nextExpiry.name}, ${time(summary.nextExpiry.expiresAt)}`,
  ],
  ['Created', time(tenant.createdAt)],
  ['SCIM base URL', code(`${context.origin}/scim/v2`)],
])}
${tenant.deletedAt === null && changes(context, tenant, errors)}`,
  })
}

function changes(
  context: Context,
  {
    id,
    name,
    disabledAt,
  }: { readonly id: string; readonly name: string; readonly disabledAt: string | null },
  errors: Errors,
): Html {
  const { params, form: posted } = context
  const isDisabled = disabledAt !== null
  return html`<h2>Rename</h2>
${form(context, {
  action: routes.renameTenant.href(params),
  submit: 'Rename',
  body: field({
    name: 'name',
    label: 'Name',
    value: posted.get('name') ?? name,
    isRequired: true,
    maxLength: 200,
    error: errors.name,
  }),
})}
<h2>${isDisabled ? 'Enable' : 'Disable'}</h2>
<p>${
    isDisabled
      ? 'The tokens of the tenant are rejected. Its users and groups are unchanged.'
      : 'The tokens of a disabled tenant are rejected. Its users and groups stay, and it can be enabled again.'
  }</p>
${form(context, {
  action: (isDisabled ? routes.enableTenant : routes.disableTenant).href(params),
  submit: isDisabled ? 'Enable tenant' : 'Disable tenant',
})}
<section class="danger" aria-labelledby="delete"><h2 id="delete">Delete</h2>
${confirmByName(context, {
  action: routes.deleteTenant.href(params),
  submit: 'Delete tenant',
  expected: id,
  error: errors.confirmation,
  body: html`<p>The users, groups, tokens and requests of the tenant are deleted. This cannot be reverted.</p>`,
})}</section>`
}
