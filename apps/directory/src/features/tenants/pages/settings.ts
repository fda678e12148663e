import { html } from 'hono/html'
import { alert } from '../../../shell/console/components/alert.ts'
import { card } from '../../../shell/console/components/card.ts'
import { field, fieldErrors, form } from '../../../shell/console/components/form.ts'
import { type Confirmation, confirmed } from '../../../shell/console/confirm.ts'
import { type ConsoleContext, on, type Section } from '../../../shell/console/context.ts'
import { expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>

/** Forms for renaming, disabling and deleting a tenant. */
export const settingsSection: Section = {
  tenantLink: {
    text: 'Settings',
    icon: 'gear',
    key: 's',
    group: 'Configuration',
    href: (params) => routes.settings.href(params),
  },
  pages: [
    on(routes.settings, (context) => showSettings(context)),
    on(routes.renameTenant, (context) =>
      change(context, { name: context.form.get('name') ?? '' }, 'The tenant was renamed.'),
    ),
    on(
      routes.disableTenant,
      confirmed(askToDisable, (context) =>
        change(context, { disabled: true }, 'The tenant was disabled: its tokens are rejected.'),
      ),
    ),
    on(routes.enableTenant, (context) =>
      change(context, { disabled: false }, 'The tenant was enabled: its tokens are accepted.'),
    ),
    on(routes.deleteTenant, confirmed(askToDelete, deleteTenant)),
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
    return await showSettings(context, fieldErrors(answer.body.issues))
  }
  if (answer.problem === 'notFound') throw notFound(`Tenant ${params.tenantId}`)
  if (answer.problem === 'notAllowed') {
    return await showSettings(context, { general: answer.body.detail ?? answer.body.title })
  }
  expectStatus(answer, 200)
  return context.redirect(routes.settings.href(params), { message })
}

async function askToDisable(context: Context): Promise<Confirmation> {
  const tenant = await findTenant(context)
  return {
    question: `Disable the tenant ${tenant.name}?`,
    consequence: html`<p>Every server process rejects its tokens within a second, so its provider cannot change users. They stay, and the tenant can be enabled
again. What the provider sends meanwhile is rejected, and some providers stop after many rejections.</p>`,
    submit: 'Disable tenant',
    back: routes.settings.href(context.params),
    tenant,
  }
}

async function askToDelete(context: Context): Promise<Confirmation> {
  const tenant = await findTenant(context)
  return {
    question: `Delete the tenant ${tenant.name}?`,
    consequence: html`<p>The users, groups, tokens and requests of the tenant are deleted.</p>`,
    submit: 'Delete tenant',
    back: routes.settings.href(context.params),
    tenant,
    expected: tenant.id,
  }
}

async function deleteTenant(context: Context): Promise<Response> {
  const { params, api } = context
  const { tenantId } = params
  const answer = await api.deleteTenant({ params })
  if (answer.problem === 'notFound') throw notFound(`Tenant ${tenantId}`)
  if (answer.problem === 'notAllowed') {
    return await showSettings(context, { general: answer.body.detail ?? answer.body.title })
  }
  expectStatus(answer, 202)
  return context.redirect(routes.tenants.href(), {
    message: `The tenant ${tenantId} is being deleted.`,
  })
}

type Errors = Readonly<Record<string, string>>

async function showSettings(context: Context, errors: Errors = {}): Promise<Response> {
  const tenant = await findTenant(context)
  return await context.page({
    title: 'Settings',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${errors.general !== undefined && alert('error', errors.general, { role: 'alert' })}
${tenant.deletedAt === null ? changes(context, tenant, errors) : html`<p>The tenant is being deleted.</p>`}`,
  })
}

function changes(
  context: Context,
  { name, disabledAt }: { readonly name: string; readonly disabledAt: string | null },
  errors: Errors,
): Html {
  const { params, form: posted } = context
  const isDisabled = disabledAt !== null
  return html`${card({
    title: 'Rename',
    body: form(context, {
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
    }),
  })}
${card({
  title: isDisabled ? 'Enable' : 'Disable',
  body: html`<p>${
    isDisabled
      ? 'The tokens of the tenant are rejected. Its users and groups are unchanged.'
      : 'The tokens of a disabled tenant are rejected. Its users and groups stay, and it can be enabled again.'
  }</p>
${form(context, {
  action: (isDisabled ? routes.enableTenant : routes.disableTenant).href(params),
  submit: isDisabled ? 'Enable tenant' : 'Disable tenant',
  look: 'default',
})}`,
})}
${card({
  title: 'Delete',
  isDangerous: true,
  body: form(context, {
    action: routes.deleteTenant.href(params),
    submit: 'Delete tenant',
    look: 'danger',
    body: html`<p>The users, groups, tokens and requests of the tenant are deleted. This cannot be reverted.</p>`,
  }),
})}`
}
