import { html } from 'hono/html'
import { TOKEN_PATH } from '../../../kernel/requests/scim-path.ts'
import { card } from '../../../shell/console/components/card.ts'
import { fieldErrors, form, select, textArea } from '../../../shell/console/components/form.ts'
import {
  buttonLink,
  definitionList,
  emptyState,
  table,
} from '../../../shell/console/components/table.ts'
import { code, exactTime, time } from '../../../shell/console/components/text.ts'
import { type Confirmation, confirmed } from '../../../shell/console/confirm.ts'
import {
  type ConsoleApi,
  type ConsoleContext,
  on,
  type Section,
} from '../../../shell/console/context.ts'
import {
  credentialFields,
  permits,
  readCredentialFields,
} from '../../../shell/console/credential-fields.ts'
import { OVERLAPS, overlapOf } from '../../../shell/console/expiry.ts'
import { expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>
type ClientContext = ConsoleContext<{ readonly tenantId: string; readonly clientId: string }>

/** A tenant's OAuth 2.0 clients. */
export const clientsSection: Section = {
  tenantLink: {
    text: 'OAuth clients',
    icon: 'shield-lock',
    group: 'Access',
    href: (params) => routes.clients.href(params),
  },
  pages: [
    on(routes.clients, (context) => showClients(context)),
    on(routes.createClient, createClient),
    on(routes.client, (context) => showClient(context)),
    on(routes.rotateClient, rotateClient),
    on(routes.deleteClient, confirmed(askToDelete, deleteClient)),
  ],
}

type StoredClient = Extract<
  Awaited<ReturnType<ConsoleApi['listClients']>>,
  { readonly status: 200 }
>['body']['clients'][number]

async function createClient(context: Context): Promise<Response> {
  const { form: posted, params, api } = context
  const fields = readCredentialFields(posted)
  const jwks = readKeys(posted)
  if (jwks === null) return await showClients(context, NOT_JSON)
  const body = { tenantId: params.tenantId, ...fields, ...jwks }
  const answer = await api.createClient({ body })
  if (answer.problem === 'invalid') {
    return await showClients(context, fieldErrors(answer.body.issues))
  }
  const { id, secret } = expectStatus(answer, 201).body
  const href = routes.client.href({ ...params, clientId: id })
  if (secret === null) {
    return context.redirect(href, { message: `The client ${fields.name} was created.` })
  }
  return context.redirect(href, { message: `The secret of the client ${fields.name}:`, secret })
}

async function rotateClient(context: ClientContext): Promise<Response> {
  const { name, id: clientId } = await findClient(context)
  const jwks = readKeys(context.form)
  if (jwks === null) return await showClient(context, NOT_JSON)
  const body = { overlapSeconds: overlapOf(context.form.get('overlap')), ...jwks }
  const answer = await context.api.rotateClient({ params: { clientId }, body })
  if (answer.problem === 'invalid') {
    return await showClient(context, fieldErrors(answer.body.issues))
  }
  const { secret } = expectStatus(answer, 200).body
  const href = routes.client.href(context.params)
  if (secret === null) {
    return context.redirect(href, { message: `The keys of the client ${name} were replaced.` })
  }
  return context.redirect(href, { message: `The new secret of the client ${name}:`, secret })
}

async function askToDelete(context: ClientContext): Promise<Confirmation> {
  const { name } = await findClient(context)
  return {
    question: `Delete the client ${name}?`,
    consequence: DELETION,
    submit: 'Delete this client',
    back: routes.client.href(context.params),
    tenant: await findTenant(context),
  }
}

async function deleteClient(context: ClientContext): Promise<Response> {
  const { name, id: clientId } = await findClient(context)
  expectStatus(await context.api.deleteClient({ params: { clientId } }), 204)
  const message = `The client ${name} was deleted.`
  return context.redirect(routes.clients.href(context.params), { message })
}

async function showClients(
  context: Context,
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const tenant = await findTenant(context)
  return await context.page({
    title: 'OAuth clients',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    actions: buttonLink('#create', 'Create a client', { isPrimary: false }),
    body: html`<p>A client exchanges its id and secret for access tokens that are valid for an hour (OAuth 2.0 client credentials).</p>
${table({
  caption: 'A secret is shown only once, when it is created.',
  columns: [
    {
      title: 'Name',
      cell: ({ id, name }) =>
        html`<a href="${routes.client.href({ ...context.params, clientId: id })}">${name}</a>`,
    },
    { title: 'Client id', cell: ({ id }) => code(id) },
    { title: 'Permits', cell: permits },
    { title: 'Last used', cell: ({ lastUsedAt }) => time(lastUsedAt, context.now()) },
  ],
  rows: await listClients(context),
  empty: emptyState('A client has not been created yet.', buttonLink('#create', 'Create a client')),
})}
${card({
  title: 'Create a client',
  id: 'create',
  body: form(context, {
    action: routes.createClient.href(context.params),
    submit: 'Create client',
    body: [credentialFields(context, { errors }), keysField(context, errors)],
  }),
})}`,
  })
}

async function showClient(
  context: ClientContext,
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const tenant = await findTenant(context)
  const client = await findClient(context)
  return await context.page({
    title: client.name,
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    crumbs: [{ text: 'OAuth clients', href: routes.clients.href(context.params) }],
    body: html`${definitionList([
      ['Client id', code(client.id)],
      ['Token URL', code(`${context.origin}${TOKEN_PATH}`)],
      ['Permits', permits(client)],
      ['Created', exactTime(client.createdAt, context.now())],
      ['Last used', exactTime(client.lastUsedAt, context.now())],
      ['The old secret expires', exactTime(client.oldSecretExpiresAt, context.now())],
      ...(client.jwks?.keys ?? []).map((key) => ['Public key', code(nameOf(key))] as const),
    ])}
${card({
  title: `Rotate the ${client.jwks === null ? 'secret' : 'keys'}`,
  body: form(context, {
    action: routes.rotateClient.href(context.params),
    submit: 'Rotate',
    body: [
      select({
        name: 'overlap',
        label: 'Accept the old secret and its access tokens for',
        choices: OVERLAPS,
      }),
      keysField(context, errors),
    ],
  }),
})}
${card({
  title: 'Delete',
  isDangerous: true,
  body: form(context, {
    action: routes.deleteClient.href(context.params),
    submit: 'Delete this client',
    look: 'danger',
    body: DELETION,
  }),
})}`,
  })
}

/** The field for a provider's public keys, if it signs its requests for access tokens. */
function keysField({ form: posted }: Context, errors: Readonly<Record<string, string>>): Html {
  return textArea({
    name: 'jwks',
    label: 'Public keys',
    rows: 4,
    hint: 'For a provider that signs JWTs instead of sending a secret (RFC 7523): its JWK Set, such as {"keys": […]}. Empty for a secret.',
    value: posted.get('jwks') ?? undefined,
    error: errors.jwks,
  })
}

/** Reads the posted keys; null if they are not JSON. The API checks the rest. */
function readKeys(form: URLSearchParams): { readonly jwks?: KeySet } | null {
  const text = form.get('jwks')?.trim() ?? ''
  if (text === '') return {}
  try {
    return { jwks: JSON.parse(text) }
  } catch {
    return null
  }
}

type KeySet = NonNullable<StoredClient['jwks']>

function nameOf({ kty, kid }: KeySet['keys'][number]): string {
  return kid === undefined ? kty : `${kty} ${kid}`
}

const DELETION = html`<p>Every server process rejects its access tokens within a second.</p>`
const NOT_JSON = { jwks: 'must be JSON' }

async function listClients({ api, params: { tenantId } }: Context) {
  return expectStatus(await api.listClients({ query: { tenantId } }), 200).body.clients
}

/** Finds a page's client. Throws the page 404 for another tenant's client. */
async function findClient(context: ClientContext): Promise<StoredClient> {
  const { clientId } = context.params
  const client = (await listClients(context)).find(({ id }) => id === clientId)
  if (client === undefined) throw notFound('The client')
  return client
}
