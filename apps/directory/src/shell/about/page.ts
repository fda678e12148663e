import { html } from 'hono/html'
import { count } from '../../kernel/counts.ts'
import { definitionList, table } from '../console/components/table.ts'
import { badge, code, codeBlock } from '../console/components/text.ts'
import { type ConsoleContext, on, type Section } from '../console/context.ts'
import { ConsoleError, expectStatus } from '../console/faults.ts'
import { routes } from '../console/routes.ts'

/** The page about this server. */
export const aboutSection: Section = {
  link: { text: 'About', icon: 'server', href: routes.about.href() },
  pages: [on(routes.about, showAbout)],
}

async function showAbout(context: ConsoleContext): Promise<Response> {
  const { api, origin } = context
  const about = expectStatus(await api.getAbout(), 200).body
  const command = `npm run doctor -- ${origin}/scim/v2 --token <a token of the tenant>`
  return await context.page({
    title: 'About',
    body: html`${definitionList([
      ['Version', about.version],
      ['Runtime', about.runtime],
      ['Database', DATABASES.get(about.database) ?? about.database],
      ['Tenants', count(about.tenants)],
      [
        'Provisioning log',
        about.logsRequests ? badge('on', 'good') : badge('off: REQUEST_LOG_ROWS is 0', 'warning'),
      ],
      ['Address', code(origin)],
      ['SCIM base URL', code(`${origin}/scim/v2`)],
      ['API reference', html`<a href="/openapi.json">/openapi.json</a>, an OpenAPI 3.1 document`],
    ])}
<h2>Limits</h2>
${table({
  caption: 'The limits that this server tells its clients in ServiceProviderConfig.',
  columns: [
    { title: 'Limit', cell: ([name]) => name },
    { title: 'Value', cell: ([, value]) => count(value), className: 'number' },
  ],
  rows: await limitsOf(context),
  empty: '',
})}
<h2>Examine this server</h2>
<p>The doctor examines a SCIM server by its URL, and reports where it departs from the standard. It creates only resources that it deletes.</p>
${codeBlock(command, { id: 'doctor', label: 'The command of the doctor' })}`,
  })
}

/** Reads the limits in the ServiceProviderConfig (RFC 7643 §5). */
async function limitsOf({
  scim,
}: ConsoleContext): Promise<readonly (readonly [name: string, value: number])[]> {
  const response = await scim('default', '/ServiceProviderConfig')
  if (response.status !== 200) throw new ConsoleError(response.status, '')
  const config: unknown = await response.json()
  return LIMITS.flatMap(({ name, path }) => {
    const value = path.reduce<unknown>(memberOf, config)
    return typeof value === 'number' ? [[name, value] as const] : []
  })
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

const DATABASES: ReadonlyMap<string, string> = new Map([
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
])
const LIMITS = [
  { name: 'Resources of a page', path: ['filter', 'maxResults'] },
  { name: 'Operations of a bulk request', path: ['bulk', 'maxOperations'] },
  { name: 'Bytes of a bulk request', path: ['bulk', 'maxPayloadSize'] },
]
