import { html } from 'hono/html'
import { emptyState, pager, table } from '../../../shell/console/components/table.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { expectStatus } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { RESOURCES_IN_PAGE } from '../../../shell/console/search-resources.ts'
import { pageOf } from '../../../shell/console/type-pages.ts'
import { GROUP } from '../group.ts'
import { isField, LAST_CHANGE, type TypeView, textColumn } from './type-view.ts'

/** A tenant's groups. */
export const groupView: TypeView = {
  name: 'displayName',
  fields: [
    {
      key: 'displayName',
      label: 'displayName starts with',
      filter: (value) => `displayName sw ${value}`,
      isSorted: true,
    },
    isField('externalId'),
  ],
  columns: [textColumn('displayName'), textColumn('externalId'), LAST_CHANGE],
  large: 'members',
  related: membersOf,
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
    `${pageOf(GROUP.name)?.routes.one.href({ tenantId, id: groupId }, parameters)}#members`
  return html`<h2 id="members">Members</h2>
${table({
  caption: 'Members in the order of their ids',
  columns: [
    {
      title: 'Name',
      cell: ({ id, type, name, display }) =>
        html`<a href="${pageOf(type)?.routes.one.href({ tenantId, id })}">${name ?? display ?? id}</a>`,
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
