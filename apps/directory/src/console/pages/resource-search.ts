import { html } from 'hono/html'
import { select } from '../components/form.ts'
import { emptyState, pager, table } from '../components/table.ts'
import { message, time } from '../components/text.ts'
import type { ConsoleContext } from '../context.ts'
import { findTenant } from '../find-tenant.ts'
import type { Part } from '../html.ts'
import { type Resource, searchResources, stringOf } from '../search-resources.ts'

/** A type of resource with a page of its own. */
export interface SearchPage {
  readonly title: 'Users' | 'Groups'
  /** The attributes to search by; the first one is the default. */
  readonly fields: readonly SearchField[]
  /** The attribute that the list is sorted by without a search. */
  readonly sortBy: string
  readonly columns: readonly {
    readonly title: string
    /** The attribute that the cell shows. */
    readonly attribute: string
    readonly cell: (resource: Resource) => Part
  }[]
  readonly href: (parameters: Readonly<Record<string, string>>) => string
  readonly resourceHref: (id: string) => string
}

/** An attribute that resources are searched by. */
export interface SearchField {
  readonly key: string
  readonly label: string
  /** The filter for a quoted value. */
  readonly filter: (quoted: string) => string
  /** Whether the database returns the matches in the order of `sortBy` quickly. */
  readonly isSorted?: boolean
}

/** Shows a list of resources, and a form to search them. The search is in the URL. */
export async function showResources(
  context: ConsoleContext<{ readonly tenantId: string }>,
  { title, fields, sortBy, columns, href, resourceHref }: SearchPage,
): Promise<Response> {
  const tenant = await findTenant(context)
  const { searchParams } = context.url
  const sought = (searchParams.get('q') ?? '').trim()
  const field = fields.find(({ key }) => key === searchParams.get('by')) ?? fields[0]
  const isSearch = sought !== '' && field !== undefined
  const { resources, nextCursor, fault } = await searchResources(context, {
    tenantId: tenant.id,
    endpoint: `/${title}`,
    filter: isSearch ? field.filter(JSON.stringify(sought)) : undefined,
    sortBy: !isSearch || field.isSorted ? sortBy : undefined,
    cursor: searchParams.get('cursor') ?? undefined,
    attributes: columns.map(({ attribute }) => attribute),
  })
  const search = isSearch ? { by: field.key, q: sought } : {}
  const [first, ...others] = columns
  return await context.page({
    title,
    tenant,
    status: fault?.status ?? 200,
    body: html`<form class="filters" role="search" action="${href({})}" method="get">
${select({ name: 'by', label: 'Search by', value: field?.key, choices: fields.map(({ key, label }) => [key, label]) })}
<div class="field"><label for="field-q">Value</label>
<input id="field-q" name="q" type="search" value="${sought}" maxlength="1000" autocomplete="off" spellcheck="false"></div>
<p class="actions"><button class="primary">Search</button></p>
</form>
${
  fault === null
    ? table({
        caption: isSearch ? `${field.label} ${sought}` : `${title} by ${sortBy}`,
        columns: [
          {
            title: first?.title ?? '',
            cell: (resource) =>
              html`<a href="${resourceHref(stringOf(resource.id))}">${first?.cell(resource) || stringOf(resource.id)}</a>`,
          },
          ...others,
        ],
        rows: resources,
        empty: emptyState(
          isSearch ? 'No match.' : `This tenant does not have ${title.toLowerCase()} yet.`,
        ),
      })
    : html`<div class="problem" role="alert"><p>The search failed: ${message(fault.detail, { end: '.' })}</p></div>`
}
${pager({
  previous: searchParams.has('cursor') ? href(search) : undefined,
  previousText: 'First page',
  next: nextCursor === undefined ? undefined : href({ ...search, cursor: nextCursor }),
})}`,
  })
}

/** The time of the last change of a resource. */
export function lastModified({ meta }: Resource): Part {
  const { lastModified: text }: Resource = Object(meta)
  return time(typeof text === 'string' ? text : null)
}
