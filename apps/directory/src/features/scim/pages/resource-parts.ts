import { html } from 'hono/html'
import type { ResourceType } from '../../../kernel/resources/resource-type.ts'
import { copyButton } from '../../../shell/console/components/copy-button.ts'
import { emptyState, table } from '../../../shell/console/components/table.ts'
import { codeBlock, message, statusBadge, time } from '../../../shell/console/components/text.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { ConsoleError, expectStatus, notFound } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { type Resource, stringOf } from '../../../shell/console/search-resources.ts'

type ResourceContext = ConsoleContext<{ readonly tenantId: string; readonly id: string }>

/** Reads a resource without an attribute that may be large. Throws the page 404 if it does not exist. */
export async function readResource(
  { params: { tenantId, id }, scim }: ResourceContext,
  { name, endpoint }: Pick<ResourceType, 'name' | 'endpoint'>,
  excluded = '',
): Promise<Resource> {
  const query = excluded && `?excludedAttributes=${excluded}`
  const path = `${endpoint}/${encodeURIComponent(id)}${query}`
  const response = await scim(tenantId, path)
  if (response.status === 404) throw notFound(`${name} ${id}`)
  const body: Resource = await response.json()
  if (response.status !== 200) throw new ConsoleError(response.status, stringOf(body.detail))
  return body
}

/** Shows a resource's JSON. */
export function resourceJson(resource: Resource): Html {
  return html`<h2>Resource</h2>
${codeBlock(JSON.stringify(resource, null, 2), { id: 'resource', label: 'The resource as JSON' })}
<p>${copyButton('resource', 'Copy JSON')}</p>`
}

/** The newest requests that read or changed a resource, with a link to all of them. */
export async function resourceRequests({
  params: { tenantId, id },
  api,
  now,
}: ResourceContext): Promise<Html> {
  const query = { tenantId, user: id, count: NEWEST }
  const { requests } = expectStatus(await api.listRequests({ query }), 200).body
  return html`<h2>Requests</h2>
${table({
  caption: `The newest ${NEWEST} requests for this resource`,
  columns: [
    {
      title: 'Time',
      cell: ({ number, time: at }) =>
        html`<a href="${routes.request.href({ tenantId, requestNumber: number })}">${time(at, now())}</a>`,
    },
    { title: 'Operation', cell: ({ operation }) => operation },
    { title: 'Status', cell: ({ status }) => statusBadge(status) },
    { title: 'Detail', cell: ({ detail }) => detail && message(detail) },
  ],
  rows: requests,
  empty: emptyState('The provisioning log does not contain a request for this resource.'),
})}
<p><a href="${routes.requests.href({ tenantId }, { user: id })}">All requests for this resource</a></p>`
}

const NEWEST = 20
