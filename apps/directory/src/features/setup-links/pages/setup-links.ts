import { html } from 'hono/html'
import { card } from '../../../shell/console/components/card.ts'
import { field, fieldErrors, form, select } from '../../../shell/console/components/form.ts'
import { buttonLink, emptyState, table } from '../../../shell/console/components/table.ts'
import { time } from '../../../shell/console/components/text.ts'
import { type Confirmation, confirmed } from '../../../shell/console/confirm.ts'
import {
  type ConsoleApi,
  type ConsoleContext,
  on,
  type Section,
} from '../../../shell/console/context.ts'
import { expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html, Part } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>
type LinkContext = ConsoleContext<{ readonly tenantId: string; readonly linkId: string }>

/** Links for a customer's own administrator to connect a provider. */
export const setupLinksSection: Section = {
  tenantLink: {
    text: 'Set-up links',
    icon: 'link',
    group: 'Access',
    href: (params) => routes.setupLinks.href(params),
  },
  pages: [
    on(routes.setupLinks, (context) => showLinks(context)),
    on(routes.createSetupLink, createLink),
    on(routes.revokeSetupLink, confirmed(askToRevoke, revokeLink)),
  ],
}

type StoredLink = Extract<
  Awaited<ReturnType<ConsoleApi['listSetupLinks']>>,
  { readonly status: 200 }
>['body']['links'][number]

type Errors = Readonly<Record<string, string>>

/** Creates a link. The next page shows it once. */
async function createLink(context: Context): Promise<Response> {
  const { form: posted, params, api } = context
  const name = posted.get('name') ?? ''
  const lifetime = LIFETIMES.find(([seconds]) => seconds === posted.get('lifetime'))
  const lifetimeSeconds = Number((lifetime ?? LIFETIMES[0])[0])
  const answer = await api.createSetupLink({ body: { ...params, name, lifetimeSeconds } })
  if (answer.problem === 'invalid') return await showLinks(context, fieldErrors(answer.body.issues))
  const { url } = expectStatus(answer, 201).body
  return context.redirect(routes.setupLinks.href(params), {
    message: `The link for ${name} was created. It can be opened once.`,
    secret: url,
  })
}

async function askToRevoke(context: LinkContext): Promise<Confirmation> {
  const { name } = await findLink(context)
  return {
    question: `Revoke the link for ${name}?`,
    consequence: html`<p>The link and the pages that it has opened end. A token that was created with it stays valid.</p>`,
    submit: 'Revoke this link',
    back: routes.setupLinks.href(context.params),
    tenant: await findTenant(context),
  }
}

async function revokeLink(context: LinkContext): Promise<Response> {
  const { api, params, redirect } = context
  const { tenantId, linkId } = params
  const { name } = await findLink(context)
  expectStatus(await api.revokeSetupLink({ params: { linkId } }), 204)
  return redirect(routes.setupLinks.href({ tenantId }), {
    message: `The link for ${name} was revoked.`,
  })
}

async function findLink({ api, params }: LinkContext): Promise<StoredLink> {
  const query = { tenantId: params.tenantId }
  const { links } = expectStatus(await api.listSetupLinks({ query }), 200).body
  const link = links.find(({ id }) => id === params.linkId)
  if (link === undefined) throw notFound('This link')
  return link
}

async function showLinks(context: Context, errors: Errors = {}): Promise<Response> {
  const { params, api } = context
  const tenant = await findTenant(context)
  const { links } = expectStatus(await api.listSetupLinks({ query: params }), 200).body
  return await context.page({
    title: 'Set-up links',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    actions: buttonLink('#create', 'Create a link', { isPrimary: false }),
    body: html`<p>Send a link to the administrator of the customer. It opens the pages that connect a provider to this tenant, and nothing else of this console.</p>
${linkTable(context, links)}
${creationForm(context, errors)}`,
  })
}

function linkTable(context: Context, links: readonly StoredLink[]): Html {
  const { params } = context
  return table<StoredLink>({
    caption: 'A link is shown only once, when it is created.',
    columns: [
      { title: 'For', cell: ({ name }) => name },
      { title: 'Created', cell: ({ createdAt }) => time(createdAt, context.now()) },
      { title: 'Expires', cell: ({ expiresAt }) => time(expiresAt, context.now()) },
      { title: 'Opened', cell: ({ openedAt }) => time(openedAt, context.now()) },
      { title: 'Token', cell: (link) => tokenOf(link) },
      {
        title: 'Revoke',
        cell: ({ id, name }) =>
          form(context, {
            action: routes.revokeSetupLink.href({ ...params, linkId: id }),
            submit: `Revoke the link for ${name}`,
            look: 'danger',
          }),
      },
    ],
    rows: links,
    empty: emptyState('A link has not been created yet.', buttonLink('#create', 'Create a link')),
  })
}

function tokenOf({ tenantId, tokenId }: StoredLink): Part {
  if (tokenId === null) return ''
  return html`<a href="${routes.token.href({ tenantId, tokenId })}">created</a>`
}

function creationForm(context: Context, errors: Errors): Html {
  const { params, form: posted } = context
  return card({
    title: 'Create a link',
    id: 'create',
    body: form(context, {
      action: routes.createSetupLink.href(params),
      submit: 'Create link',
      body: [
        field({
          name: 'name',
          label: 'For',
          isRequired: true,
          maxLength: 200,
          hint: 'The person who gets the link.',
          value: posted.get('name') ?? undefined,
          error: errors.name,
        }),
        select({
          name: 'lifetime',
          label: 'Expires',
          value: posted.get('lifetime') ?? undefined,
          hint: 'The pages of the link also end then. A token that was created with it stays valid.',
          choices: LIFETIMES,
        }),
      ],
    }),
  })
}

const LIFETIMES = [
  ['604800', 'in one week'],
  ['86400', 'in one day'],
  ['3600', 'in one hour'],
] as const
