import { html } from 'hono/html'
import { card } from '../../../shell/console/components/card.ts'
import { fieldErrors, form, select } from '../../../shell/console/components/form.ts'
import { buttonLink, emptyState, table } from '../../../shell/console/components/table.ts'
import { badge, code, time } from '../../../shell/console/components/text.ts'
import { confirmed } from '../../../shell/console/confirm.ts'
import { type ConsoleContext, on, type Section } from '../../../shell/console/context.ts'
import {
  ACCESS,
  credentialFields,
  permits,
  RECEIVER,
  readCredentialFields,
} from '../../../shell/console/credential-fields.ts'
import { expiryOf, LIFETIMES } from '../../../shell/console/expiry.ts'
import { expectStatus } from '../../../shell/console/faults.ts'
import type { Html, Part } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { askToRevoke, revokeToken, rotateToken, showToken } from './token.ts'
import {
  ADMINISTRATORS,
  listTokens,
  type StoredToken,
  type TokenOwner,
  tokenOwnerOf,
} from './token-owner.ts'

/** Tokens for tenants and administrators. */
export const tokensSection: Section = {
  link: {
    text: 'Administrators',
    icon: 'key-asterisk',
    key: 'a',
    href: routes.administrators.href(),
  },
  tenantLink: {
    text: 'Tokens',
    icon: 'key',
    key: 'k',
    group: 'Access',
    href: (params) => routes.tokens.href(params),
  },
  pages: [
    on(routes.tokens, async (context) => showTokens(context, await tokenOwnerOf(context))),
    on(routes.createToken, async (context) => createToken(context, await tokenOwnerOf(context))),
    on(routes.token, async (context) => showToken(context, await tokenOwnerOf(context))),
    on(routes.rotateToken, async (context) => rotateToken(context, await tokenOwnerOf(context))),
    on(
      routes.revokeToken,
      confirmed(
        async (context) => askToRevoke(context, await tokenOwnerOf(context)),
        async (context) => revokeToken(context, await tokenOwnerOf(context)),
      ),
    ),
    on(routes.administrators, (context) => showTokens(context, ADMINISTRATORS)),
    on(routes.createAdministrator, (context) => createToken(context, ADMINISTRATORS)),
    on(routes.administrator, (context) => showToken(context, ADMINISTRATORS)),
    on(routes.rotateAdministrator, (context) => rotateToken(context, ADMINISTRATORS)),
    on(
      routes.revokeAdministrator,
      confirmed(
        (context) => askToRevoke(context, ADMINISTRATORS),
        (context) => revokeToken(context, ADMINISTRATORS),
      ),
    ),
  ],
}

async function createToken(context: ConsoleContext, owner: TokenOwner): Promise<Response> {
  const { form: posted, api, now } = context
  const { name, profile, access } = readCredentialFields(posted)
  const isReceiver = owner.tenant !== null && posted.get('access') === RECEIVER
  const answer = await api.createToken({
    body: {
      ...(owner.tenant === null ? { role: 'admin' } : { tenantId: owner.tenant.id, profile }),
      name,
      ...(isReceiver ? { role: 'receiver' } : { access }),
      expiresAt: expiryOf(posted.get('expiry'), now()),
    },
  })
  if (answer.problem === 'invalid') {
    return await showTokens(context, owner, fieldErrors(answer.body.issues))
  }
  const { token } = expectStatus(answer, 201).body
  return context.redirect(owner.list, { message: `The token ${name} was created.`, secret: token })
}

async function showTokens(
  context: ConsoleContext,
  owner: TokenOwner,
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const tokens = await listTokens(context, owner)
  return await context.page({
    title: owner.title,
    actions: buttonLink('#create', 'Create a token', { isPrimary: false }),
    ...(owner.tenant === null ? {} : { tenant: owner.tenant }),
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${owner.tenant === null && html`<p>An administrator’s token does not belong to a tenant. It is accepted by this console, by the management API, and at the SCIM endpoint of each tenant.</p>`}
${table({
  caption: 'A token is shown only once, when it is created.',
  columns: [
    { title: 'Name', cell: ({ id, name }) => html`<a href="${owner.token(id)}">${name}</a>` },
    { title: 'Id', cell: ({ id }) => code(id) },
    {
      title: 'Permits',
      cell: (one) => (owner.tenant === null ? ACCESS[one.access] : permits(one)),
    },
    { title: 'Created', cell: ({ createdAt }) => time(createdAt, context.now()) },
    { title: 'Last used', cell: ({ lastUsedAt }) => time(lastUsedAt, context.now()) },
    { title: 'Expires', cell: (one) => expiry(one, context.now()) },
  ],
  rows: tokens,
  empty: emptyState('A token has not been created yet.', buttonLink('#create', 'Create a token')),
})}
${card({ title: 'Create a token', id: 'create', body: tokenForm(context, owner, errors) })}`,
  })
}

function tokenForm(
  context: ConsoleContext,
  { tenant, create }: TokenOwner,
  errors: Readonly<Record<string, string>>,
): Html {
  return form(context, {
    action: create,
    submit: 'Create token',
    body: [
      credentialFields(context, {
        errors,
        hasProfile: tenant !== null,
        hasReceiver: tenant !== null,
      }),
      select({
        name: 'expiry',
        label: 'Expires',
        value: context.form.get('expiry') ?? undefined,
        error: errors.expiresAt,
        choices: LIFETIMES,
      }),
    ],
  })
}

/** Shows when a token expires, with a badge if it has expired or will soon. */
function expiry({ expiresAt }: StoredToken, now: number): Part {
  if (expiresAt === null) return 'never'
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return html`${badge('expired', 'bad')} ${time(expiresAt, now)}`
  return left < SOON
    ? html`${badge('soon', 'warning')} ${time(expiresAt, now)}`
    : time(expiresAt, now)
}

const SOON = 14 * 24 * 60 * 60 * 1_000
