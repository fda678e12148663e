import { html } from 'hono/html'
import { count } from '../../../kernel/counts.ts'
import { alert } from '../../../shell/console/components/alert.ts'
import { card } from '../../../shell/console/components/card.ts'
import { fieldErrors, form, select } from '../../../shell/console/components/form.ts'
import { definitionList } from '../../../shell/console/components/table.ts'
import { badge, exactTime } from '../../../shell/console/components/text.ts'
import type { Confirmation } from '../../../shell/console/confirm.ts'
import type { ConsoleApi, ConsoleContext } from '../../../shell/console/context.ts'
import { OVERLAPS, overlapOf } from '../../../shell/console/expiry.ts'
import { expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { deliveryTable, type WebhookContext } from './webhook-deliveries.ts'
import { FORMAT_NAMES, readChanged, webhookFields } from './webhook-fields.ts'

type DeliveryContext = ConsoleContext<{
  readonly tenantId: string
  readonly webhookId: string
  readonly deliveryId: string
}>

type Webhook = Extract<
  Awaited<ReturnType<ConsoleApi['getWebhook']>>,
  { readonly status: 200 }
>['body']
type Errors = Readonly<Record<string, string>>

/** Shows a webhook with its deliveries, and the forms to change it. */
export async function showWebhook(context: WebhookContext, errors: Errors = {}): Promise<Response> {
  const { params, api } = context
  const tenant = await findTenant(context)
  const answer = await api.getWebhook({ params })
  if (answer.problem === 'notFound') throw notFound('The webhook')
  const webhook = expectStatus(answer, 200).body
  return await context.page({
    title: webhook.url,
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    crumbs: [{ text: 'Webhooks', href: routes.webhooks.href(params) }],
    body: html`${stateOf(webhook, context.now())}
${webhook.state !== 'active' && enableForm(context, webhook)}
${webhook.state !== 'active' && webhook.failingSince !== null && skipForm(context, webhook)}
<h2>Deliveries</h2>
${await deliveryTable(context)}
${settings(context, webhook, errors)}`,
  })
}

/** Shows a webhook's state and explains it. */
function stateOf(webhook: Webhook, now: number): Html {
  const reason = webhook.disabledReason === null ? null : REASONS[webhook.disabledReason]
  return html`${webhook.state === 'disabled' && alert('error', `Disabled: ${reason}`, { role: 'alert' })}
${definitionList([
  ['State', stateBadge(webhook)],
  ['Kinds of changes', webhook.kinds === null ? 'all' : webhook.kinds.join(', ')],
  ['Format', FORMAT_NAMES[webhook.format]],
  ['Audience', webhook.audience],
  ['Waiting changes', count(webhook.waiting)],
  ['Failing since', exactTime(webhook.failingSince, now)],
  ['Next attempt', exactTime(webhook.nextAttemptAt, now)],
  ['Created', exactTime(webhook.createdAt, now)],
  ['The old secret expires', exactTime(webhook.oldSecretExpiresAt, now)],
])}`
}

/** Shows a webhook's state in one word. */
export function stateBadge({ state }: Pick<Webhook, 'state'>): Html {
  return badge(state, ({ active: 'good', failing: 'warning', disabled: 'bad' } as const)[state])
}

function enableForm(context: WebhookContext, { state }: Webhook): Html {
  return form(context, {
    action: routes.enableWebhook.href(context.params),
    submit: state === 'disabled' ? 'Enable' : 'Try again now',
  })
}

/** Skips a change the receiver does not accept: all others wait for it. */
function skipForm(context: WebhookContext, { next }: Webhook): Html | '' {
  if (next === null) return ''
  return form(context, {
    action: routes.skipChange.href(context.params),
    submit: `Skip the change ${next}`,
    body: html`<p class="hint">The receiver does not accept the change ${next}, and all later ones wait. A change that is skipped is
not sent any more.</p><input type="hidden" name="cursor" value="${next}">`,
    look: 'danger',
  })
}

function settings(context: WebhookContext, webhook: Webhook, errors: Errors): Html {
  const { params } = context
  return html`${card({
    title: 'Change',
    body: form(context, {
      action: routes.changeWebhook.href(params),
      submit: 'Save',
      body: webhookFields(context, webhook, errors),
    }),
  })}
${card({
  title: 'Rotate the secret',
  body: form(context, {
    action: routes.rotateWebhook.href(params),
    submit: 'Rotate',
    look: 'default',
    body: select({
      name: 'overlap',
      label: 'Sign with the old secret, too, for',
      choices: OVERLAPS,
    }),
  }),
})}
${card({
  title: 'Disable or delete',
  isDangerous: true,
  body: html`<div class="actions">${
    webhook.state !== 'disabled' &&
    form(context, {
      action: routes.disableWebhook.href(params),
      submit: 'Disable this webhook',
      look: 'default',
    })
  }
${form(context, {
  action: routes.deleteWebhook.href(params),
  submit: 'Delete this webhook',
  look: 'danger',
})}</div>`,
})}`
}

/** Changes a webhook as the form says. */
export async function changeWebhook(context: WebhookContext): Promise<Response> {
  const { params, api } = context
  const answer = await api.changeWebhook({ params, body: readChanged(context) })
  if (answer.problem === 'invalid') {
    return await showWebhook(context, fieldErrors(answer.body.issues))
  }
  return back(context, answer, 'The webhook was changed.')
}

/** Enables or disables a webhook. */
export async function setEnabled(context: WebhookContext, enabled: boolean): Promise<Response> {
  const { params, api } = context
  const answer = await api.changeWebhook({ params, body: { enabled } })
  return back(context, answer, `The webhook was ${enabled ? 'enabled' : 'disabled'}.`)
}

function back(
  context: WebhookContext,
  answer: { readonly status: number; readonly body: unknown },
  message: string,
): Response {
  expectStatus(answer, 200)
  return context.redirect(routes.webhook.href(context.params), { message })
}

/** Asks whether to skip a change. */
export async function askToSkip(context: WebhookContext): Promise<Confirmation> {
  const cursor = context.form.get('cursor') ?? ''
  return {
    question: `Skip the change ${cursor}?`,
    consequence: html`<p>The webhook does not send the change any more. Its application does not learn of it.</p>`,
    submit: 'Skip this change',
    ...(await placeOf(context)),
  }
}

async function placeOf(context: WebhookContext): Promise<Pick<Confirmation, 'back' | 'tenant'>> {
  return { back: routes.webhook.href(context.params), tenant: await findTenant(context) }
}

/** Skips the changes up to the one in the form. */
export async function skipChange(context: WebhookContext): Promise<Response> {
  const { params, api, form: posted } = context
  const cursor = posted.get('cursor') ?? ''
  return back(
    context,
    await api.changeWebhook({ params, body: { cursor } }),
    `The change ${cursor} is not sent any more.`,
  )
}

/** Creates a new secret. The next page shows it once. */
export async function rotateWebhook(context: WebhookContext): Promise<Response> {
  const { params, api, form: posted } = context
  const body = { overlapSeconds: overlapOf(posted.get('overlap')) }
  const { secret } = expectStatus(await api.rotateWebhook({ params, body }), 200).body
  const message = 'The new secret of the webhook:'
  return context.redirect(routes.webhook.href(params), { message, secret })
}

/** Asks whether to delete a webhook. */
export async function askToDelete(context: WebhookContext): Promise<Confirmation> {
  const { params, api } = context
  const { url } = expectStatus(await api.getWebhook({ params }), 200).body
  return {
    question: `Delete the webhook ${url}?`,
    consequence: html`<p>Its secret and its deliveries are deleted, and changes are not sent to it any more.</p>`,
    submit: 'Delete this webhook',
    ...(await placeOf(context)),
  }
}

/** Deletes a webhook. */
export async function deleteWebhook(context: WebhookContext): Promise<Response> {
  expectStatus(await context.api.deleteWebhook({ params: context.params }), 204)
  const message = 'The webhook was deleted.'
  return context.redirect(routes.webhooks.href(context.params), { message })
}

/** Sends a change again, and says whether the receiver accepted it. */
export async function redeliver(context: DeliveryContext): Promise<Response> {
  const { params } = context
  const { body } = expectStatus(await context.api.redeliver({ params }), 200)
  const message = body.isAccepted ? 'The receiver accepted it.' : 'The receiver did not accept it.'
  return context.redirect(routes.webhook.href(params), { message })
}

const REASONS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  failing: 'the receiver has failed for three days.',
  'changes-deleted': 'changes were deleted before they could be sent.',
  administrator: 'an administrator has disabled it.',
}
