import { html } from 'hono/html'
import { alert } from '../../../shell/console/components/alert.ts'
import { select } from '../../../shell/console/components/form.ts'
import { buttonLink, emptyState, pager, table } from '../../../shell/console/components/table.ts'
import { message } from '../../../shell/console/components/text.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes as routesOfConsole } from '../../../shell/console/routes.ts'
import {
  type Resource,
  searchResources,
  stringOf,
} from '../../../shell/console/search-resources.ts'
import type { TypePage } from '../../../shell/console/type-pages.ts'
import type { SearchField, TypeView } from './type-view.ts'

/** Shows a resource list, and a search form. The search is in the URL. */
export async function showResources(
  context: ConsoleContext<{ readonly tenantId: string }>,
  page: TypePage,
  view: TypeView,
): Promise<Response> {
  const { type, title, routes } = page
  const { name: sortBy, fields, columns } = view
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
  const caption = isSearch ? `${field.label} ${wanted}` : `${title} by ${sortBy}`
  const empty = isSearch
    ? emptyState('No match.', buttonLink(href({}), 'Show all', { isPrimary: false }))
    : noneYet(tenantId, title)
  return await context.page({
    title,
    tenant,
    status: fault?.status ?? 200,
    body: html`${searchForm(href({}), { fields, field, wanted })}
${
  fault === null
    ? resourceTable(resources, { tenantId, page, view, caption, empty, now: context.now() })
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

/** Explains the empty list of a tenant without resources. */
function noneYet(tenantId: string, title: string): Html {
  return emptyState(
    `This tenant does not have ${title.toLowerCase()} yet. A provider creates them.`,
    buttonLink(routesOfConsole.connect.href({ tenantId }), 'Connect a provider'),
  )
}

function searchForm(
  action: string,
  {
    fields,
    field,
    wanted,
  }: {
    readonly fields: readonly SearchField[]
    /** The attribute that is searched. */
    readonly field: SearchField | undefined
    /** The searched value; empty without a search. */
    readonly wanted: string
  },
): Html {
  return html`<form class="filters" role="search" action="${action}" method="get">
${select({ name: 'by', label: 'Search by', value: field?.key, choices: fields.map(({ key, label }) => [key, label]) })}
<div class="field"><label for="field-q">Value</label>
<input class="input" id="field-q" name="q" type="search" value="${wanted}" maxlength="1000" autocomplete="off" spellcheck="false" data-keys="/"></div>
<button class="btn">Search</button>
</form>`
}

/** A table with the view's columns. The first one links each resource's page. */
function resourceTable(
  resources: readonly Resource[],
  {
    tenantId,
    page,
    view,
    caption,
    empty,
    now,
  }: {
    readonly tenantId: string
    readonly page: TypePage
    readonly view: TypeView
    readonly caption: string
    readonly empty: Html
    readonly now: number
  },
): Html {
  const [first, ...others] = view.columns
  return table({
    caption,
    columns: [
      {
        title: first?.title ?? '',
        cell: (resource) =>
          html`<a href="${page.routes.one.href({ tenantId, id: stringOf(resource.id) })}">${first?.cell(resource, now) || stringOf(resource.id)}</a>`,
      },
      ...others.map(({ title, cell }) => ({ title, cell: (one: Resource) => cell(one, now) })),
    ],
    rows: resources,
    empty,
  })
}
