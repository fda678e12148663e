import { html } from 'hono/html'
import { emptyState, pager, table } from '../../../shell/console/components/table.ts'
import { badge } from '../../../shell/console/components/text.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import type { Html } from '../../../shell/console/html.ts'
import {
  type Resource,
  searchResources,
  stringOf,
} from '../../../shell/console/search-resources.ts'
import { pageOf } from '../../../shell/console/type-pages.ts'
import { GROUP } from '../group.ts'
import { USER } from '../user.ts'
import { isField, LAST_CHANGE, type TypeView, textColumn } from './type-view.ts'

/** A tenant's users. */
export const userView: TypeView = {
  name: 'userName',
  fields: [
    {
      key: 'userName',
      label: 'userName starts with',
      filter: (value) => `userName sw ${value}`,
      isSorted: true,
    },
    { key: 'name', label: 'Name starts with', filter: nameFilter },
    { key: 'email', label: 'Email starts with', filter: (value) => `emails.value sw ${value}` },
    isField('externalId'),
  ],
  columns: [
    textColumn('userName'),
    { ...textColumn('displayName'), title: 'Name' },
    { title: 'Email', attribute: 'emails', cell: ({ emails }) => emailOf(emails) },
    { title: 'Active', attribute: 'active', cell: activeBadge },
    textColumn('externalId'),
    LAST_CHANGE,
  ],
  large: 'groups',
  badgeOf: activeBadge,
  related: groupsOf,
}

/** The groups with the user as a direct member. */
async function groupsOf(
  context: ConsoleContext<{ readonly tenantId: string; readonly id: string }>,
): Promise<Html> {
  const { tenantId, id } = context.params
  const cursor = context.url.searchParams.get('groups') ?? undefined
  const { resources, nextCursor, fault } = await searchResources(context, {
    tenantId,
    endpoint: GROUP.endpoint,
    filter: `members.value eq ${JSON.stringify(id)}`,
    cursor,
    excludedAttributes: ['members'],
  })
  const href = (parameters: Readonly<Record<string, string>>) =>
    `${pageOf(USER.name)?.routes.one.href({ tenantId, id }, parameters)}#groups`
  if (fault !== null) return html`<h2 id="groups">Groups</h2><p>${fault.detail}</p>`
  return html`<h2 id="groups">Groups</h2>
${table({
  caption: 'Groups with the user as a member, without groups of these groups',
  columns: [
    {
      title: 'displayName',
      cell: (group) =>
        html`<a href="${pageOf(GROUP.name)?.routes.one.href({ tenantId, id: stringOf(group.id) })}">${stringOf(group.displayName)}</a>`,
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

/** Returns the primary address, or the first one. */
function emailOf(emails: unknown): string {
  const all: readonly Resource[] = Array.isArray(emails) ? emails.map(Object) : []
  const shown = all.find(({ primary }) => primary === true) ?? all[0]
  return stringOf(shown?.value)
}

/** RFC 7643 §4.1.1: a user without `active` is not known to be inactive. */
function activeBadge({ active }: Resource): Html {
  return active === false ? badge('inactive', 'neutral') : badge('active', 'good')
}
