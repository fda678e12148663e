import { html } from 'hono/html'
import { count } from '../../../kernel/counts.ts'
import { card } from '../../../shell/console/components/card.ts'
import { fieldErrors, form } from '../../../shell/console/components/form.ts'
import { buttonLink, emptyState, table } from '../../../shell/console/components/table.ts'
import { confirmed } from '../../../shell/console/confirm.ts'
import { type ConsoleContext, on, type Section } from '../../../shell/console/context.ts'
import { detailOf, expectStatus } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import { routes } from '../../../shell/console/routes.ts'
import {
  askToDelete,
  askToSkip,
  changeWebhook,
  deleteWebhook,
  redeliver,
  rotateWebhook,
  setEnabled,
  showWebhook,
  skipChange,
  stateBadge,
} from './webhook.ts'
import { readNew, webhookFields } from './webhook-fields.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>

/** A tenant's webhooks, and their deliveries. */
export const webhooksSection: Section = {
  tenantLink: {
    text: 'Webhooks',
    icon: 'webhook',
    key: 'w',
    group: 'Access',
    href: (params) => routes.webhooks.href(params),
  },
  pages: [
    on(routes.webhooks, (context) => showWebhooks(context)),
    on(routes.createWebhook, createWebhook),
    on(routes.webhook, (context) => showWebhook(context)),
    on(routes.changeWebhook, changeWebhook),
    on(routes.enableWebhook, (context) => setEnabled(context, true)),
    on(routes.skipChange, confirmed(askToSkip, skipChange)),
    on(routes.disableWebhook, (context) => setEnabled(context, false)),
    on(routes.rotateWebhook, rotateWebhook),
    on(routes.deleteWebhook, confirmed(askToDelete, deleteWebhook)),
    on(routes.redeliver, redeliver),
  ],
}

type Errors = Readonly<Record<string, string>>

async function createWebhook(context: Context): Promise<Response> {
  const { params, api } = context
  const answer = await api.createWebhook({ params, body: readNew(context) })
  if (answer.problem === 'invalid') {
    return await showWebhooks(context, fieldErrors(answer.body.issues))
  }
  if (answer.problem === 'notAllowed') {
    return await showWebhooks(context, { url: detailOf(answer.body) })
  }
  const { id, secret } = expectStatus(answer, 201).body
  const href = routes.webhook.href({ ...params, webhookId: id })
  return context.redirect(href, { message: 'The secret of the webhook:', secret })
}

async function showWebhooks(context: Context, errors: Errors = {}): Promise<Response> {
  const { params, api } = context
  const tenant = await findTenant(context)
  const { webhooks } = expectStatus(await api.listWebhooks({ params }), 200).body
  return await context.page({
    title: 'Webhooks',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    actions: buttonLink('#create', 'Create a webhook', { isPrimary: false }),
    body: html`<p>A webhook sends the changes of users and groups to an application.</p>
${table({
  caption: 'The webhooks of this tenant',
  columns: [
    { title: 'State', cell: stateBadge },
    {
      title: 'URL',
      cell: ({ id, url }) =>
        html`<a href="${routes.webhook.href({ ...params, webhookId: id })}">${url}</a>`,
    },
    { title: 'Waiting changes', className: 'number', cell: ({ waiting }) => count(waiting) },
  ],
  rows: webhooks,
  empty: emptyState(
    'A webhook has not been created yet.',
    buttonLink('#create', 'Create a webhook'),
  ),
})}
${card({
  title: 'Create a webhook',
  id: 'create',
  body: form(context, {
    action: routes.createWebhook.href(params),
    submit: 'Create webhook',
    body: webhookFields(context, null, errors),
  }),
})}`,
  })
}
