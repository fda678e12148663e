import { html } from 'hono/html'
import { emptyState, pager, table } from '../components/table.ts'
import { type ConsoleContext, on, type Section } from '../context.ts'
import { expectStatus } from '../faults.ts'
import { findTenantBefore } from '../find-tenant.ts'
import type { Html } from '../html.ts'
import { routes } from '../routes.ts'
import { RESOURCES_IN_PAGE, stringOf } from '../search-resources.ts'
import { readResource, resourceJson, resourceRequests } from './resource-parts.ts'
import { lastModified, showResources } from './resource-search.ts'

/** The groups of a tenant. */
export const groupsSection: Section = {
  tenantLink: { text: 'Groups', href: (params) => routes.groups.href(params) },
  pages: [on(routes.groups, showGroups), on(routes.group, showGroup)],
}

function showGroups(context: ConsoleContext<{ readonly tenantId: string }>): Promise<Response> {
  const { tenantId } = context.params
  return showResources(context, {
    title: 'Groups',
    sortBy: 'displayName',
    fields: [
      {
        key: 'displayName',
        label: 'displayName starts with',
        filter: (value) => `displayName sw ${value}`,
        isSorted: true,
      },
      { key: 'externalId', label: 'externalId is', filter: (value) => `externalId eq ${value}` },
    ],
    columns: [
      {
        title: 'displayName',
        attribute: 'displayName',
        cell: ({ displayName }) => stringOf(displayName),
      },
      {
        title: 'externalId',
        attribute: 'externalId',
        cell: ({ externalId }) => stringOf(externalId),
      },
      { title: 'Last change', attribute: 'meta.lastModified', cell: lastModified },
    ],
    href: (parameters) => routes.groups.href({ tenantId }, parameters),
    resourceHref: (id) => routes.group.href({ tenantId, id }),
  })
}

async function showGroup(
  context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
): Promise<Response> {
  const { tenantId, id } = context.params
  const parts = Promise.all([
    readResource(context, '/Groups', 'members'),
    membersOf(context),
    resourceRequests(context),
  ])
  const tenant = await findTenantBefore(context, parts)
  const [group, members, requests] = await parts
  return await context.page({
    title: stringOf(group.displayName),
    tenant,
    crumbs: [{ text: 'Groups', href: routes.groups.href({ tenantId }) }],
    body: html`<p><code>${id}</code></p>
${resourceJson(group)}
${members}
${requests}`,
  })
}

async function membersOf(
  context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
): Promise<Html> {
  const { tenantId, id: groupId } = context.params
  const after = context.url.searchParams.get('members') ?? undefined
  const answer = await context.api.listMembers({
    params: { tenantId, groupId },
    query: { after, count: RESOURCES_IN_PAGE },
  })
  const { members, nextAfter } = expectStatus(answer, 200).body
  const href = (parameters: Readonly<Record<string, string>>) =>
    `${routes.group.href({ tenantId, id: groupId }, parameters)}#members`
  return html`<h2 id="members">Members</h2>
${table({
  caption: 'Members in the order of their ids',
  columns: [
    {
      title: 'Name',
      cell: ({ id, type, name, display }) =>
        html`<a href="${routes[type === 'User' ? 'user' : 'group'].href({ tenantId, id })}">${name ?? display ?? id}</a>`,
    },
    { title: 'Type', cell: ({ type }) => type },
    { title: 'Display', cell: ({ display }) => display },
  ],
  rows: members,
  empty: emptyState('The group does not have members.'),
})}
${pager({
  previous: after === undefined ? undefined : href({}),
  previousText: 'First page',
  next: nextAfter === undefined ? undefined : href({ members: nextAfter }),
})}`
}
