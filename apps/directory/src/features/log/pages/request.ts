import { html } from 'hono/html'
import { alert } from '../../../shell/console/components/alert.ts'
import { copyButton } from '../../../shell/console/components/copy-button.ts'
import { definitionList } from '../../../shell/console/components/table.ts'
import {
  code,
  codeBlock,
  exactTime,
  message,
  statusBadge,
} from '../../../shell/console/components/text.ts'
import type { ConsoleApi, ConsoleContext } from '../../../shell/console/context.ts'
import { expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html, Part } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { pageOf } from '../../../shell/console/type-pages.ts'
import { canRepeat, curlOf } from './curl.ts'
import { explainRequest } from './explain-request.ts'
import { ignoredAttributes } from './ignored-attributes.ts'
import { findOwner, type Owner } from './value-owner.ts'

/** Shows a tenant's request with its bodies. */
export async function showRequest(
  context: ConsoleContext<{ readonly tenantId: string; readonly requestNumber: string }>,
): Promise<Response> {
  const { tenantId } = context.params
  const tenant = await findTenant(context)
  const request = await readRequest(context, tenantId)
  const owner = await findOwner(context, tenantId, request)
  const body = request.exchange?.isCut ? undefined : request.exchange?.body
  return await context.page({
    title: titleOf(request),
    tenant,
    crumbs: [{ text: 'Requests', href: routes.requests.href({ tenantId }) }],
    body: html`${explanation(request, tenantId, owner)}
${facts(request, { tenantId, now: context.now(), token: await senderOf(context, request) })}
${exchangeOf(request)}
${
  canRepeat(request) &&
  html`<h2>Repeat the request</h2>
${codeBlock(curlOf({ ...request, body }, { origin: context.origin, tenantId }), { id: 'curl', label: 'The request as a curl command' })}
<p>${copyButton('curl', 'Copy as curl')} Set <code>TOKEN</code> to an administrator’s token. Sensitive values are <code>***</code>.</p>`
}`,
  })
}

/** Shows a request without a tenant's token. */
export async function showUnknownSender(
  context: ConsoleContext<{ readonly requestNumber: string }>,
): Promise<Response> {
  const request = await readRequest(context, undefined)
  return await context.page({
    title: titleOf(request),
    crumbs: [{ text: 'Unknown senders', href: routes.unknownSenders.href() }],
    body: html`${explanation(request, null, null)}${facts(request, { tenantId: null, now: context.now(), token: request.tokenId })}${exchangeOf(request)}`,
  })
}

/** Formats a request for a heading, such as `POST /Users: 409`. */
function titleOf({ method, path, status }: LoggedExchange): string {
  const [place = ''] = path.split('?')
  return `${method} ${place.length > MAX_PLACE_LENGTH ? `${place.slice(0, MAX_PLACE_LENGTH)}…` : place}: ${status}`
}

const MAX_PLACE_LENGTH = 60

type LoggedExchange = Extract<
  Awaited<ReturnType<ConsoleApi['getRequest']>>,
  { readonly status: 200 }
>['body']

/** Names the request's user or group, with a link if it has an id. */
export function subjectOf(
  {
    resourceType,
    resourceId,
    userName,
  }: Pick<LoggedExchange, 'resourceType' | 'resourceId' | 'userName'>,
  tenantId: string | null,
): Part {
  const name = userName ?? resourceId ?? resourceType ?? ''
  const page = pageOf(resourceType)
  if (tenantId === null || resourceId === null || page === null) return name
  return html`<a href="${page.routes.one.href({ tenantId, id: resourceId })}">${name}</a>`
}

async function readRequest(
  { api, params: { requestNumber } }: ConsoleContext<{ readonly requestNumber: string }>,
  tenantId: string | undefined,
): Promise<LoggedExchange> {
  const answer = await api.getRequest({ params: { requestNumber }, query: { tenantId } })
  if (answer.status === 404 || answer.problem === 'invalid') throw notFound('The request')
  return expectStatus(answer, 200).body
}

/** Links the token or the OAuth client that sent a request, by name. A revoked one is shown by id. */
async function senderOf(
  { api, params: { tenantId } }: ConsoleContext<{ readonly tenantId: string }>,
  { tokenId }: LoggedExchange,
): Promise<Part> {
  if (tokenId === null) return null
  const query = { tenantId }
  const { tokens } = expectStatus(await api.listTokens({ query }), 200).body
  const token = tokens.find(({ id }) => id === tokenId)
  if (token !== undefined) {
    return html`<a href="${routes.token.href({ tenantId, tokenId })}"><bdi>${token.name}</bdi></a>`
  }
  const { clients } = expectStatus(await api.listClients({ query }), 200).body
  const client = clients.find(({ id }) => id === tokenId)
  if (client === undefined) return code(tokenId)
  return html`<a href="${routes.client.href({ tenantId, clientId: client.id })}"><bdi>${client.name}</bdi></a>`
}

function facts(
  request: LoggedExchange,
  {
    tenantId,
    now,
    token,
  }: { readonly tenantId: string | null; readonly now: number; readonly token: Part },
): Html {
  return definitionList([
    ['Time', exactTime(request.time, now)],
    ['Request', code(`${request.method} ${request.path}`)],
    ['Status', statusBadge(request.status)],
    ['Operation', request.operation],
    ['Subject', subjectOf(request, tenantId)],
    ['Time taken', `${request.milliseconds.toFixed(1)} ms`],
    ['Token', token],
    ['Request id', code(request.requestId)],
  ])
}

function explanation(
  request: LoggedExchange,
  tenantId: string | null,
  owner: Owner | null,
): Html | '' {
  const why = explainRequest(request)
  if (why === null) return explainIgnored(request)
  const page = pageOf(owner?.type ?? null)
  return alert(
    request.status < 500 ? 'warning' : 'error',
    html`<h2>Why it was rejected</h2><p>${why}</p>
${request.detail !== null && html`<p>The answer said: ${message(request.detail, { end: '.' })}</p>`}
${
  owner !== null &&
  page !== null &&
  tenantId !== null &&
  html`<p>The ${owner.attribute} belongs to the ${page.noun} <a href="${page.routes.one.href({ tenantId, id: owner.id })}">${owner.id}</a>.</p>`
}`,
  )
}

function explainIgnored(request: LoggedExchange): Html | '' {
  const ignored = ignoredAttributes(request)
  if (ignored === '') return ''
  return alert(
    'info',
    html`<p>${ignored}</p>
<p>These attributes do not exist, and the profile of the token ignores such attributes. If a value is missing, compare the names with the attribute mapping of the provider.</p>`,
  )
}

function exchangeOf({ exchange }: LoggedExchange): Html {
  if (exchange === null) {
    return html`<p>The log contains the bodies of rejected requests only.</p>`
  }
  const { headers, body, isCut, answer } = exchange
  return html`<h2>Headers</h2>
${definitionList(Object.entries(headers).map(([name, value]) => [name, code(value)]))}
${
  body !== undefined &&
  html`<h2>Body</h2>
${isCut && html`<p>A part of the body was left out.</p>`}
${codeBlock(JSON.stringify(body, null, 2), { id: 'body', label: 'The body of the request' })}`
}
${
  answer !== null &&
  html`<h2>Answer</h2>
${codeBlock(JSON.stringify(answer, null, 2), { id: 'answer', label: 'The body of the answer' })}`
}`
}
