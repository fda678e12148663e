import { html } from 'hono/html'
import { type ConsoleContext, on, type Section } from '../../../shell/console/context.ts'
import type { IconName } from '../../../shell/console/design.ts'
import { findTenantBefore } from '../../../shell/console/find-tenant.ts'
import { stringOf } from '../../../shell/console/search-resources.ts'
import { TYPE_PAGES, type TypePage } from '../../../shell/console/type-pages.ts'
import { GROUP } from '../group.ts'
import { USER } from '../user.ts'
import { groupView } from './groups.ts'
import { readResource, resourceJson, resourceRequests } from './resource-parts.ts'
import { showResources } from './resource-search.ts'
import { defaultView, type TypeView } from './type-view.ts'
import { userView } from './users.ts'

/** Views for types whose pages show more than a list and a resource's JSON. */
const VIEWS: Readonly<Record<string, TypeView>> = {
  [USER.name]: userView,
  [GROUP.name]: groupView,
}

const LINKS: Readonly<Record<string, { readonly icon: IconName; readonly key: string }>> = {
  [USER.name]: { icon: 'person', key: 'u' },
  [GROUP.name]: { icon: 'people', key: 'p' },
}
const OTHER = { icon: 'inbox' } as const

/** Each resource type's section: a search, and one resource. */
export const RESOURCE_SECTIONS: readonly Section[] = TYPE_PAGES.map((page) => {
  const { type, title, routes } = page
  const view = VIEWS[type.name] ?? defaultView(type)
  return {
    tenantLink: {
      text: title,
      ...(LINKS[type.name] ?? OTHER),
      group: 'Directory',
      href: (params) => routes.list.href(params),
    },
    pages: [
      on(routes.list, (context) => showResources(context, page, view)),
      on(routes.one, (context) => showResource(context, page, view)),
    ],
  }
})

async function showResource(
  context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
  { type, title, routes }: TypePage,
  { name, large, badgeOf, related }: TypeView,
): Promise<Response> {
  const { tenantId, id } = context.params
  const parts = Promise.all([
    readResource(context, type, large),
    related?.(context),
    resourceRequests(context),
  ])
  const tenant = await findTenantBefore(context, parts)
  const [resource, others, requests] = await parts
  return await context.page({
    title: stringOf(resource[name]),
    tenant,
    crumbs: [{ text: title, href: routes.list.href({ tenantId }) }],
    body: html`<p>${badgeOf && html`${badgeOf(resource)} `}<code>${id}</code></p>
${resourceJson(resource)}
${others}
${requests}`,
  })
}
