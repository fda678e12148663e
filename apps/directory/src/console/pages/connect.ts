import { html } from 'hono/html'
import { copyButton } from '../components/copy-button.ts'
import { field, fieldErrors, form, select } from '../components/form.ts'
import { definitionList } from '../components/table.ts'
import { code } from '../components/text.ts'
import { type ConsoleContext, on, type Section } from '../context.ts'
import { expiryOf, LIFETIMES } from '../expiry.ts'
import { expectStatus, notFound } from '../faults.ts'
import { findTenant } from '../find-tenant.ts'
import type { Html } from '../html.ts'
import { PROVIDERS, type Provider, type ProviderName, providerOf } from '../providers.ts'
import { routes } from '../routes.ts'
import { firstRequest } from './first-request.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>

/** The steps that connect an identity provider to a tenant. */
export const connectSection: Section = {
  tenantLink: { text: 'Connect', href: (params) => routes.connect.href(params) },
  pages: [
    on(routes.connect, (context) => showSteps(context)),
    on(routes.connectProvider, makeToken),
  ],
}

/** Creates a provider's token. The next page shows it once. */
async function makeToken(context: Context): Promise<Response> {
  const { form: posted, params } = context
  const provider = providerOf(posted.get('provider'))
  if (provider === null) throw notFound('This provider')
  const { tenantId } = params
  const name = posted.get('name') ?? ''
  const expiresAt = expiryOf(posted.get('expiry'), context.now())
  const { profile } = PROVIDERS[provider]
  const answer = await context.api.createToken({ body: { tenantId, name, profile, expiresAt } })
  if (answer.problem === 'invalid') {
    return await showSteps(context, provider, fieldErrors(answer.body.issues))
  }
  const { id, token } = expectStatus(answer, 201).body
  const href = routes.connect.href(params, { provider, token: id })
  return context.redirect(href, { message: `The token ${name} was created.`, secret: token })
}

async function showSteps(
  context: Context,
  provider: ProviderName | null = providerOf(context.url.searchParams.get('provider')),
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const tenant = await findTenant(context)
  const tokenId = context.url.searchParams.get('token')
  const first = tokenId === null ? null : await firstRequest(context, tokenId)
  return await context.page({
    title: 'Connect a provider',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    scripts: first?.isWaiting ? ['connect.js'] : [],
    body: html`${choice(context, provider)}
${provider !== null && providerSteps(context, provider, errors, first?.body ?? null)}`,
  })
}

function choice({ params }: Context, chosen: ProviderName | null): Html {
  const names = Object.keys(PROVIDERS).flatMap((name) => providerOf(name) ?? [])
  return html`<nav aria-label="Provider"><ul>${names.map((name) => {
    const href = routes.connect.href(params, { provider: name })
    const current = name === chosen && html` aria-current="page"`
    return html`<li><a href="${href}"${current}>${PROVIDERS[name].name}</a></li>`
  })}</ul></nav>`
}

function providerSteps(
  context: Context,
  name: ProviderName,
  errors: Readonly<Record<string, string>>,
  first: Html | null,
): Html {
  const provider: Provider = PROVIDERS[name]
  return html`<h2>1. Enter the address</h2>
${
  !context.origin.startsWith('https:') &&
  html`<div class="problem"><p>Identity providers require HTTPS, and the address of this server is ${context.origin}. Set <code>PUBLIC_URL</code> to the address at which the provider reaches it.</p></div>`
}
${provider.steps.map((step) => html`<p>${step}</p>`)}
${definitionList(
  provider
    .values(context.origin)
    .map(([label, value], at) => [
      label,
      html`<code id="value-${at}">${value}</code> ${copyButton(`value-${at}`)}`,
    ]),
)}
<h2>2. Enter a token</h2>
${first === null ? tokenForm(context, name, errors) : html`<p>Paste the token into the field ${code(provider.tokenField)}. <a href="${routes.connect.href(context.params, { provider: name })}">Create another token</a></p>`}
<h2>3. Test the connection</h2>
<p>${provider.test}</p>
${first}`
}

function tokenForm(
  context: Context,
  provider: ProviderName,
  errors: Readonly<Record<string, string>>,
): Html {
  const { form: posted, params } = context
  return form(context, {
    action: routes.connectProvider.href(params),
    submit: 'Create token',
    body: [
      html`<input type="hidden" name="provider" value="${provider}">`,
      field({
        name: 'name',
        label: 'Name of the token',
        value: posted.get('name') ?? PROVIDERS[provider].name,
        isRequired: true,
        maxLength: 200,
        error: errors.name,
      }),
      select({
        name: 'expiry',
        label: 'Expires',
        value: posted.get('expiry') ?? '365',
        hint: 'Rotate the token before that: the provider cannot send requests with an expired one.',
        error: errors.expiresAt,
        choices: LIFETIMES,
      }),
    ],
  })
}
