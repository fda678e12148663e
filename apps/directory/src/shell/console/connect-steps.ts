import { html } from 'hono/html'
import type { Session } from '../../kernel/access/sessions.ts'
import { alert } from './components/alert.ts'
import { card } from './components/card.ts'
import { copyButton } from './components/copy-button.ts'
import { field, form, select } from './components/form.ts'
import { definitionList } from './components/table.ts'
import { code } from './components/text.ts'
import { LIFETIMES } from './expiry.ts'
import type { Html } from './html.ts'
import { PROVIDERS, type Provider, type ProviderName, providerOf } from './providers.ts'

/** The page that shows a provider's steps. */
export interface ConnectPlace {
  readonly origin: string
  readonly session: Session
  /** A posted form's fields. */
  readonly form: URLSearchParams
  /** The path for posting the token form. */
  readonly action: string
  /** Returns the page with a provider's steps. */
  readonly hrefOf: (provider: ProviderName) => string
}

/** Links to each provider's steps. */
export function providerChoice(
  { hrefOf }: Pick<ConnectPlace, 'hrefOf'>,
  chosen: ProviderName | null,
): Html {
  const names = Object.keys(PROVIDERS).flatMap((name) => providerOf(name) ?? [])
  return html`<nav aria-label="Provider"><ul class="actions">${names.map((name) => {
    const href = hrefOf(name)
    const current = name === chosen && html` aria-current="page"`
    return html`<li><a class="btn" href="${href}"${current}>${PROVIDERS[name].name}</a></li>`
  })}</ul></nav>`
}

/** Shows a provider's steps. `first` is the created token's state; null before. */
export function providerSteps(
  place: ConnectPlace,
  name: ProviderName,
  errors: Readonly<Record<string, string>>,
  first: Html | null,
): Html {
  const provider: Provider = PROVIDERS[name]
  return html`${card({
    title: '1. Enter the address',
    body: html`${
      !place.origin.startsWith('https:') &&
      alert(
        isLocal(place.origin) ? 'info' : 'warning',
        html`Identity providers require HTTPS, and the address of this server is ${place.origin}. ${isLocal(place.origin) && 'That is enough for a trial with a provider on this machine. '}Set <code>PUBLIC_URL</code> to the address at which the provider reaches it.`,
      )
    }
${provider.steps.map((step) => html`<p>${step}</p>`)}
${definitionList(
  provider
    .values(place.origin)
    .map(([label, value], at) => [
      label,
      html`<code id="value-${at}">${value}</code> ${copyButton(`value-${at}`)}`,
    ]),
)}`,
  })}
${card({
  title: '2. Enter a token',
  body:
    first === null
      ? tokenForm(place, name, errors)
      : html`<p>Paste the token into the field ${code(provider.tokenField)}. <a href="${place.hrefOf(name)}">Create another token</a></p>`,
})}
${card({ title: '3. Test the connection', body: html`<p>${provider.test}</p>${first}` })}`
}

/** Whether the administrator reaches the server on the same machine, as in a trial. */
function isLocal(origin: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)
}

function tokenForm(
  place: ConnectPlace,
  provider: ProviderName,
  errors: Readonly<Record<string, string>>,
): Html {
  const { form: posted, action } = place
  return form(place, {
    action,
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
