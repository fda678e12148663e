import { html } from 'hono/html'
import { count } from '../../../kernel/counts.ts'
import { card } from '../../../shell/console/components/card.ts'
import { emptyState, pager, table } from '../../../shell/console/components/table.ts'
import { badge, code, time } from '../../../shell/console/components/text.ts'
import type { ConsoleApi, ConsoleContext } from '../../../shell/console/context.ts'
import { expectStatus } from '../../../shell/console/faults.ts'
import type { Html, Part } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { TYPE_PAGES } from '../../../shell/console/type-pages.ts'
import { isChangeOf } from '../../changes/change-row.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>
type WaitingChange = Extract<
  Awaited<ReturnType<ConsoleApi['listWaitingChanges']>>,
  { readonly status: 200 }
>['body']['changes'][number]
type Members = NonNullable<WaitingChange['added']>

/** Lists by name whom the waiting changes concern. Users who lose access are listed alone if there are any. */
export async function waitingCard(context: Context, hasLosses: boolean): Promise<Html> {
  const { params, api, url } = context
  const takesAccess = hasLosses && url.searchParams.get('show') !== 'all'
  const after = /^\d{1,15}$/.exec(url.searchParams.get('after') ?? '')?.[0]
  const query = { takesAccess, count: PAGE, ...(after !== undefined && { after }) }
  const answer = expectStatus(await api.listWaitingChanges({ params, query }), 200).body
  const show = takesAccess ? {} : { show: 'all' }
  const other = takesAccess ? { show: 'all' } : {}
  return card({
    title: takesAccess ? 'Users who would lose access' : 'Changes that wait',
    body: html`${table({
      caption: 'Applications do not see these changes yet',
      columns: [
        { title: 'Name', cell: (change) => subjectOf(change, params.tenantId) },
        { title: 'Change', className: 'wrap', cell: effectOf },
        { title: 'Request', className: 'time', cell: (change) => requestOf(change, context) },
      ],
      rows: answer.changes,
      empty: emptyState('No changes wait.'),
    })}
${pager({
  previous: after && routes.connection.href(params, show),
  previousText: 'First page',
  next: answer.nextAfter && routes.connection.href(params, { ...show, after: answer.nextAfter }),
})}
${hasLosses && html`<p><a href="${routes.connection.href(params, other)}">${takesAccess ? 'Show all changes that wait' : 'Show only users who would lose access'}</a></p>`}`,
  })
}

function subjectOf({ type, id, name }: WaitingChange, tenantId: string): Part {
  const text = name === null ? code(id) : html`<bdi>${name}</bdi>`
  const page = TYPE_PAGES.find((one) => isChangeOf(type, one.type.name))
  if (page === undefined || type.endsWith('.deleted')) return text
  return html`<a href="${page.routes.one.href({ tenantId, id })}">${text}</a>`
}

function effectOf({ type, takesAccess, attributes = [], added, removed }: WaitingChange): Part {
  const kind = type.slice(type.indexOf('.') + 1)
  if (added !== undefined && removed !== undefined) {
    return html`${membersOf('gains', added)}${added.count > 0 && removed.count > 0 && ', '}${membersOf('loses', removed)}`
  }
  const text = kind === 'changed' ? `changed: ${attributes.join(', ')}` : kind
  return takesAccess ? html`${badge('loses access', 'bad')} ${text}` : text
}

function membersOf(verb: string, { count: all, first }: Members): Part {
  if (all === 0) return ''
  const more = all - first.length
  return html`${verb} ${first.map(({ id, name }, at) => html`${at > 0 && ', '}<bdi>${name ?? id}</bdi>`)}${more > 0 && ` and ${count(more)} more`}`
}

function requestOf({ requestId, time: at }: WaitingChange, { params, now }: Context): Html {
  const href = `${routes.requests.href(params)}?requestId=${encodeURIComponent(requestId)}`
  return html`<a href="${href}">${time(at, now())}</a>`
}

const PAGE = 50
