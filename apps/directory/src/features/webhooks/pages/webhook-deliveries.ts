import { html } from 'hono/html'
import { count } from '../../../kernel/counts.ts'
import { form } from '../../../shell/console/components/form.ts'
import { emptyState, pager, table } from '../../../shell/console/components/table.ts'
import { badge, code, time } from '../../../shell/console/components/text.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { expectStatus } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'

/** The context for one webhook's page. */
export type WebhookContext = ConsoleContext<{
  readonly tenantId: string
  readonly webhookId: string
}>

/** A webhook's delivery attempts. */
export async function deliveryTable(context: WebhookContext): Promise<Html> {
  const { params, api, url } = context
  const before = url.searchParams.get('before')
  const query = before === null ? {} : { before }
  const { deliveries, nextBefore } = expectStatus(
    await api.listDeliveries({ params, query }),
    200,
  ).body
  const href = routes.webhook.href(params)
  return html`${table({
    caption: 'The newest attempts first',
    columns: [
      { title: 'Time', cell: ({ attemptedAt }) => time(attemptedAt, context.now()) },
      { title: 'Change', cell: ({ type, cursor }) => html`${type} ${code(cursor)}` },
      {
        title: 'Status',
        cell: ({ status, isAccepted }) =>
          badge(status ?? 'not answered', isAccepted ? 'good' : 'bad'),
      },
      { title: 'Milliseconds', className: 'number', cell: ({ duration }) => count(duration) },
      { title: 'Answer', cell: ({ answer }) => answer },
      {
        title: 'Again',
        cell: ({ id }) =>
          form(context, {
            action: routes.redeliver.href({ ...params, deliveryId: id }),
            submit: 'Send again',
            look: 'default',
          }),
      },
    ],
    rows: deliveries,
    empty: emptyState('Nothing has been sent yet.'),
  })}
${pager({
  previousText: 'First page',
  previous: before === null ? undefined : href,
  next: nextBefore === null ? undefined : `${href}?before=${nextBefore}`,
})}`
}
