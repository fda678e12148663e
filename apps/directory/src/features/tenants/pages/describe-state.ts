import { nounOf } from '../../../kernel/counts.ts'
import { relativeTime } from '../../../shell/console/assets/times.js'
import type { BadgeKind } from '../../../shell/console/components/text.ts'
import type { ConsoleApi } from '../../../shell/console/context.ts'
import { routes } from '../../../shell/console/routes.ts'
import { type Connection, describeConnection } from '../../connections/pages/describe-connection.ts'
import type { TenantState } from '../tenant-state.ts'

type Body<Name extends 'getTenant' | 'getActivity'> = Extract<
  Awaited<ReturnType<ConsoleApi[Name]>>,
  { readonly status: 200 }
>['body']

/** The input for describing a tenant's state. */
export interface StateFacts extends Pick<Body<'getTenant'>, 'id' | 'disabledAt'> {
  readonly summary: Pick<
    Body<'getActivity'>['summary'],
    'state' | 'resources' | 'lastRequestAt' | 'errors' | 'recent' | 'webhooks'
  >
}

/** A tenant's state in one sentence, and the page to open next. */
export interface DescribedState {
  readonly state: TenantState
  readonly sentence: string
  readonly next: { readonly text: string; readonly href: string } | null
}

/** Describes a tenant's state. */
export function describeState(
  facts: StateFacts,
  connection: Connection | null,
  now: number,
): DescribedState {
  const { state } = facts.summary
  return {
    state,
    sentence: sentenceOf(facts, connection, now),
    next: nextOf(facts),
  }
}

function sentenceOf(
  { disabledAt, summary }: StateFacts,
  connection: Connection | null,
  now: number,
): string {
  const { state, resources, errors, recent } = summary
  const ago = (time: string | null) => relativeTime(Date.parse(time ?? ''), now)
  switch (state) {
    case 'deleted':
      return 'Being deleted: its tokens are rejected, and its rows are deleted in the background.'
    case 'disabled':
      return `Disabled ${ago(disabledAt)}: its tokens are rejected.`
    case 'held':
    case 'paused':
    case 'review':
      return connection === null
        ? `${LABELS[state].text}.`
        : describeConnection(connection, resources)
    case 'undelivered':
      return `Not delivered: ${undeliveredOf(summary.webhooks, now)}.`
    case 'waiting':
      return 'Waiting for the first request.'
    case 'errors':
      return `Errors: ${rejectedOf(recent)}. The last request was ${ago(summary.lastRequestAt)}.`
    case 'silent':
      return `Silent: last request ${ago(summary.lastRequestAt)}.`
    case 'healthy':
      return `Healthy: last request ${ago(summary.lastRequestAt)}, ${nounOf(errors, 'error')} in 24 hours.`
  }
}

function undeliveredOf(
  { failing, stopped, oldestChangeAt }: StateFacts['summary']['webhooks'],
  now: number,
): string {
  const oldest = relativeTime(Date.parse(oldestChangeAt ?? ''), now)
  return [
    ...(failing === 0
      ? []
      : [`${failing === 1 ? '1 webhook is' : `${failing} webhooks are`} failing`]),
    ...(stopped === 0
      ? []
      : [
          `${stopped === 1 ? '1 webhook was' : `${stopped} webhooks were`} disabled after failures`,
        ]),
    ...(oldestChangeAt === null ? [] : [`the oldest waiting change is from ${oldest}`]),
  ].join(', ')
}

function rejectedOf({ requests, errors }: StateFacts['summary']['recent']): string {
  if (requests === 1) return 'the only request was rejected'
  return `${errors} of the last ${requests} requests were rejected`
}

function nextOf({ id, summary }: StateFacts): DescribedState['next'] {
  const tenantId = id
  const { state } = summary
  switch (state) {
    case 'deleted':
      return null
    case 'disabled':
      return { text: 'Enable it', href: routes.settings.href({ tenantId }) }
    case 'held':
    case 'paused':
    case 'review':
      return { text: 'Release or drop them', href: routes.connection.href({ tenantId }) }
    case 'undelivered':
      return { text: 'Show the webhooks', href: routes.webhooks.href({ tenantId }) }
    case 'waiting':
      return { text: 'Connect the provider', href: routes.connect.href({ tenantId }) }
    case 'silent':
      return { text: 'Check its tokens', href: routes.tokens.href({ tenantId }) }
    case 'errors':
    case 'healthy':
      if (summary.errors.count === 0 && state === 'healthy') return null
      return {
        text: 'Show the errors',
        href: routes.requests.href({ tenantId }, { status: 'errors' }),
      }
  }
}

/** The states' labels in lists. */
export const LABELS: Readonly<
  Record<TenantState, { readonly text: string; readonly kind: BadgeKind }>
> = {
  deleted: { text: 'being deleted', kind: 'bad' },
  disabled: { text: 'disabled', kind: 'warning' },
  held: { text: 'held', kind: 'bad' },
  paused: { text: 'paused', kind: 'warning' },
  review: { text: 'in review', kind: 'warning' },
  undelivered: { text: 'not delivered', kind: 'bad' },
  waiting: { text: 'waiting', kind: 'neutral' },
  errors: { text: 'errors', kind: 'bad' },
  silent: { text: 'silent', kind: 'warning' },
  healthy: { text: 'healthy', kind: 'good' },
}
