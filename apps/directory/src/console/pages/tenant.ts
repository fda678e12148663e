import { html } from 'hono/html'
import { definitionList } from '../components/table.ts'
import { code, time } from '../components/text.ts'
import { on, type Section } from '../context.ts'
import { findTenant } from '../find-tenant.ts'
import { routes } from '../routes.ts'

/** The overview of a tenant. */
export const tenantSection: Section = {
  tenantLink: { text: 'Overview', href: (params) => routes.tenant.href(params) },
  pages: [
    on(routes.tenant, async (context) => {
      const tenant = await findTenant(context)
      return await context.page({
        title: 'Overview',
        tenant,
        body: html`${definitionList([
          ['Id', code(tenant.id)],
          ['Name', tenant.name],
          ['Created', time(tenant.createdAt)],
          ['SCIM base URL', code(`${context.origin}/scim/v2`)],
        ])}`,
      })
    }),
  ],
}
