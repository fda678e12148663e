import { html } from 'hono/html'
import { alert } from '../../../shell/console/components/alert.ts'
import { select } from '../../../shell/console/components/form.ts'
import { buttonLink, emptyState, pager, table } from '../../../shell/console/components/table.ts'
import { message } from '../../../shell/console/components/text.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import { routes as routesOfConsole } from '../../../shell/console/routes.ts'
import {
  type Resource,
  searchResources,
  stringOf,
} from '../../../shell/console/search-resources.ts'
import type { TypePage } from '../../../shell/console/type-pages.ts'
import type { TypeView } from './type-view.ts'

/** Shows a resource list, and a search form. The search is in the URL. */
export async function showResources(
  context: ConsoleContext<{ readonly tenantId: string }>,
  { type, title, routes }: TypePage,
  { name: sortBy, fields, columns }: TypeView,
): Promise<Response> {
  const tenant = await findTenant(context)
  const tenantId = tenant.id
  const href = (parameters: Readonly<Record<string, string>>) =>
    routes.list.href({ tenantId }, parameters)
  const { searchParams } = context.url
  const wanted = (searchParams.get('q') ?? '').trim()
  const field = fields.find(({ key }) => key === searchParams.get('by')) ?? fields[0]
  const isSearch = wanted !== '' && field !== undefined
  const { resources, nextCursor, fault } = await searchResources(context, {
    tenantId,
    endpoint: type.endpoint,
    filter: isSearch ? field.filter(JSON.stringify(wanted)) : undefined,
    sortBy: !isSearch || field.isSorted ? sortBy : undefined,
    cursor: searchParams.get('cursor') ?? undefined,
    attributes: columns.map(({ attribute }) => attribute),
  })
  const search = isSearch ? { by: field.key, q: wanted } : {}
  const [first, ...others] = columns
  const now = context.now()
  return await context.page({
    title,
    tenant,
    status: fault?.status ?? 200,
    body: html`<form class="filters" role="search" action="${href({})}" method="get">
${select({ name: 'by', label: 'Search by', value: field?.key, choices: fields.map(({ key, label }) => [key, label]) })}
<div class="field"><label for="field-q">Value</label>
<input class="input" id="field-q" name="q" type="search" value="${wanted}" maxlength="1000" autocomplete="off" spellcheck="false" data-keys="/"></div>
<button class="btn">Search</button>
</form>
${
  fault === null
    ? table({
        caption: isSearch ? `${field.label} ${wanted}` : `${title} by ${sortBy}`,
        columns: [
          {
            title: first?.title ?? '',
            cell: (resource) =>
              html`<a href="${routes.one.href({ tenantId, id: stringOf(resource.id) })}">${first?.cell(resource, now) || stringOf(resource.id)}</a>`,
          },
          ...others.map(({ title, cell }) => ({ title, cell: (one: Resource) => cell(one, now) })),
        ],
        rows: resources,
        empty: isSearch
          ? emptyState('No match.', buttonLink(href({}), 'Show all', { isPrimary: false }))
          : emptyState(
              `This tenant does not have ${title.toLowerCase()} yet. A provider creates them.`,
              buttonLink(routesOfConsole.connect.href({ tenantId }), 'Connect a provider'),
            ),
      })
    : alert('error', html`The search failed: ${message(fault.detail, { end: '.' })}`, {
        role: 'alert',
      })
}
${pager({
  previous: searchParams.has('cursor') ? href(search) : undefined,
  previousText: 'First page',
  next: nextCursor === undefined ? undefined : href({ ...search, cursor: nextCursor }),
})}`,
  })
}
