import { html } from 'hono/html'
import { emptyState, pager, table } from '../components/table.ts'
import { badge } from '../components/text.ts'
import { type ConsoleContext, on, type Section } from '../context.ts'
import { findTenantBefore } from '../find-tenant.ts'
import type { Html } from '../html.ts'
import { routes } from '../routes.ts'
import { type Resource, searchResources, stringOf } from '../search-resources.ts'
import { readResource, resourceJson, resourceRequests } from './resource-parts.ts'
import { lastModified, showResources } from './resource-search.ts'

/** The users of a tenant. */
export const usersSection: Section = {
  tenantLink: { text: 'Users', href: (params) => routes.users.href(params) },
  pages: [on(routes.users, showUsers), on(routes.user, showUser)],
}

function showUsers(context: ConsoleContext<{ readonly tenantId: string }>): Promise<Response> {
  const { tenantId } = context.params
  return showResources(context, {
    title: 'Users',
    sortBy: 'userName',
    fields: [
      {
        key: 'userName',
        label: 'userName starts with',
        filter: (value) => `userName sw ${value}`,
        isSorted: true,
      },
      { key: 'name', label: 'Name starts with', filter: nameFilter },
      {
        key: 'email',
        label: 'Email starts with',
        filter: (value) => `emails.value sw ${value}`,
      },
      { key: 'externalId', label: 'externalId is', filter: (value) => `externalId eq ${value}` },
    ],
    columns: [
      { title: 'userName', attribute: 'userName', cell: ({ userName }) => stringOf(userName) },
      {
        title: 'Name',
        attribute: 'displayName',
        cell: ({ displayName }) => stringOf(displayName),
      },
      { title: 'Email', attribute: 'emails', cell: ({ emails }) => emailOf(emails) },
      { title: 'Active', attribute: 'active', cell: ({ active }) => activeBadge(active) },
      {
        title: 'externalId',
        attribute: 'externalId',
        cell: ({ externalId }) => stringOf(externalId),
      },
      { title: 'Last change', attribute: 'meta.lastModified', cell: lastModified },
    ],
    href: (parameters) => routes.users.href({ tenantId }, parameters),
    resourceHref: (id) => routes.user.href({ tenantId, id }),
  })
}

async function showUser(
  context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
): Promise<Response> {
  const { tenantId, id } = context.params
  const parts = Promise.all([
    readResource(context, '/Users', 'groups'),
    groupsOf(context),
    resourceRequests(context),
  ])
  const tenant = await findTenantBefore(context, parts)
  const [user, groups, requests] = await parts
  return await context.page({
    title: stringOf(user.userName),
    tenant,
    crumbs: [{ text: 'Users', href: routes.users.href({ tenantId }) }],
    body: html`<p>${activeBadge(user.active)} <code>${id}</code></p>
${resourceJson(user)}
${groups}
${requests}`,
  })
}

/** The groups that have the user as a member themselves. */
async function groupsOf(
  context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
): Promise<Html> {
  const { tenantId, id } = context.params
  const cursor = context.url.searchParams.get('groups') ?? undefined
  const { resources, nextCursor, fault } = await searchResources(context, {
    tenantId,
    endpoint: '/Groups',
    filter: `members.value eq ${JSON.stringify(id)}`,
    cursor,
    excludedAttributes: ['members'],
  })
  const href = (parameters: Readonly<Record<string, string>>) =>
    `${routes.user.href({ tenantId, id }, parameters)}#groups`
  if (fault !== null) return html`<h2 id="groups">Groups</h2><p>${fault.detail}</p>`
  return html`<h2 id="groups">Groups</h2>
${table({
  caption: 'Groups with the user as a member, without groups of these groups',
  columns: [
    {
      title: 'displayName',
      cell: (group) =>
        html`<a href="${routes.group.href({ tenantId, id: stringOf(group.id) })}">${stringOf(group.displayName)}</a>`,
    },
    { title: 'externalId', cell: ({ externalId }) => stringOf(externalId) },
  ],
  rows: resources,
  empty: emptyState('The user is not a member of a group.'),
})}
${pager({
  previous: cursor === undefined ? undefined : href({}),
  previousText: 'First page',
  next: nextCursor === undefined ? undefined : href({ groups: nextCursor }),
})}`
}

/** Users are known by their display name, or by their family name. */
function nameFilter(value: string): string {
  return `displayName sw ${value} or name.familyName sw ${value} or name.givenName sw ${value}`
}

/** The primary address, or the first one. */
function emailOf(emails: unknown): string {
  const all: readonly Resource[] = Array.isArray(emails) ? emails.map(Object) : []
  const shown = all.find(({ primary }) => primary === true) ?? all[0]
  return stringOf(shown?.value)
}

/** RFC 7643 §4.1.1: a user without `active` is not known to be inactive. */
function activeBadge(active: unknown): Html {
  return active === false ? badge('inactive', 'neutral') : badge('active', 'good')
}
