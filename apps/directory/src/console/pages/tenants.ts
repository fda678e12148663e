import { html } from 'hono/html'
import { field, fieldErrors, form } from '../components/form.ts'
import { emptyState, table } from '../components/table.ts'
import { time } from '../components/text.ts'
import { type ConsoleContext, on, type Section } from '../context.ts'
import { expectStatus } from '../faults.ts'
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
  const { tenants } = expectStatus(await context.api.listTenants(), 200).body
  const { form: posted } = context
  return await context.page({
    title: 'Tenants',
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${table({
      caption: 'A tenant is a company whose users and groups the directory stores.',
      columns: [
        {
          title: 'Tenant',
          cell: ({ id, name }) =>
            html`<a href="${routes.tenant.href({ tenantId: id })}">${name}</a>`,
        },
        { title: 'Id', cell: ({ id }) => html`<code>${id}</code>` },
        { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
      ],
      rows: tenants,
      empty: emptyState('Create the first tenant below.'),
    })}
<h2>Create a tenant</h2>
${form(context, {
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
})}`,
  })
}
