import { html } from 'hono/html'
import { findTokenById } from '../../../kernel/access/token-store.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { alert } from '../../../shell/console/components/alert.ts'
import { statusBadge, time } from '../../../shell/console/components/text.ts'
import {
  type ConnectPlace,
  providerChoice,
  providerSteps,
} from '../../../shell/console/connect-steps.ts'
import { expiryOf } from '../../../shell/console/expiry.ts'
import { ConsoleError, notFound } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { PROVIDERS, type ProviderName, providerOf } from '../../../shell/console/providers.ts'
import { setupRoutes } from '../../../shell/console/routes.ts'
import { createSetupToken } from '../setup-sessions.ts'
import type { SetupContext } from './context.ts'
import { requestsOfLink } from './requests.ts'

/** Shows the steps for connecting a provider. */
export async function showConnect(
  context: SetupContext,
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { origin, session, form, url } = context
  const provider = providerOf(form.get('provider') ?? url.searchParams.get('provider'))
  const place: ConnectPlace = {
    origin,
    session,
    form,
    action: setupRoutes.createToken.href(),
    hrefOf: (name) => setupRoutes.connect.href(undefined, { provider: name }),
  }
  const isCreated = url.searchParams.has('created')
  const first = isCreated ? await stateOfToken(context) : null
  const replaced =
    !isCreated &&
    session.link.token_id !== null &&
    alert(
      'warning',
      'You have created a token. Another one replaces it, and the provider cannot use the first one any more.',
    )
  return await context.page({
    title: 'Connect your provider',
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${providerChoice(place, provider)}
${replaced}
${provider !== null && providerSteps(place, provider, errors, first)}`,
  })
}

/** Creates the link's token. The next page shows it once. */
export async function createToken(context: SetupContext): Promise<Response> {
  const { form, session, auth } = context
  const provider = providerOf(form.get('provider'))
  if (provider === null) throw notFound('This provider')
  const name = (form.get('name') ?? '').trim()
  if (name === '' || name.length > MAX_NAME_LENGTH || /\0/.test(name) || !name.isWellFormed()) {
    return await showConnect(context, { name: `must have 1 to ${MAX_NAME_LENGTH} characters` })
  }
  const expiry = expiryOf(form.get('expiry'), auth.now())
  const expiresAt = expiry === null ? null : Date.parse(expiry)
  const { profile } = PROVIDERS[provider]
  const created = await createSetupToken(session, { name, profile, expiresAt }, auth)
  if (created === null) {
    throw new ConsoleError(409, 'Another token was created meanwhile. Open the page again.')
  }
  return context.redirect(createdHref(provider), {
    message: `The token ${name} was created.`,
    secret: created.text,
  })
}

function createdHref(provider: ProviderName): string {
  return setupRoutes.connect.href(undefined, { provider, created: '' })
}

/** Shows the token's first request, or the advice to wait for it. */
async function stateOfToken(context: SetupContext): Promise<Html | null> {
  const { link } = context.session
  const { token_id } = link
  const token =
    token_id === null ? null : await context.auth.store.read((db) => findTokenById(db, token_id))
  if (token === null) return null
  const first = (await requestsOfLink(context)).at(-1)
  const seen = first?.time ?? isoTime(token.last_used_at)
  if (seen === null) {
    return html`<p role="status">Waiting for the first request. Reload the page after the test.</p>
<p>If the provider reports an error and nothing appears here, compare the token in the provider with the one that was shown.</p>`
  }
  return html`<p role="status">Seen: a request ${time(seen, context.auth.now())}${first && html`, ${statusBadge(first.status)}`}. <a href="${setupRoutes.requests.href()}">First requests</a></p>`
}

const MAX_NAME_LENGTH = 200
