import { html } from 'hono/html'
import { firstRequest } from '../features/log/pages/first-request.ts'
import { firstSteps } from './console/components/first-steps.ts'
import { fieldErrors } from './console/components/form.ts'
import { type ConnectPlace, providerChoice, providerSteps } from './console/connect-steps.ts'
import { type ConsoleContext, on, type Section } from './console/context.ts'
import { expiryOf } from './console/expiry.ts'
import { expectStatus, notFound } from './console/faults.ts'
import { findTenant } from './console/find-tenant.ts'
import { PROVIDERS, type ProviderName, providerOf } from './console/providers.ts'
import { routes } from './console/routes.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>

/** Steps for connecting an identity provider to a tenant. */
export const connectSection: Section = {
  tenantLink: {
    text: 'Connect',
    icon: 'plug',
    key: 'n',
    group: 'Access',
    href: (params) => routes.connect.href(params),
  },
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
  const { origin, session, form, params } = context
  const place: ConnectPlace = {
    origin,
    session,
    form,
    action: routes.connectProvider.href(params),
    hrefOf: (name) => routes.connect.href(params, { provider: name }),
  }
  const tokenId = context.url.searchParams.get('token')
  const first = tokenId === null ? null : await firstRequest(context, tokenId)
  return await context.page({
    title: 'Connect a provider',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    scripts: first?.isWaiting ? ['connect.js'] : [],
    body: html`${firstSteps(1)}
${provider === null && html`<p>Choose the identity provider of this tenant.</p>`}
${providerChoice(place, provider)}
${provider !== null && providerSteps(place, provider, errors, first?.body ?? null)}`,
  })
}
