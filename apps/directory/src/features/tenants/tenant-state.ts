import type { TenantRow } from '../../kernel/store/tables.ts'
import type { TenantSummary } from './summarize-tenants.ts'
import type { WebhookSummary } from './summarize-webhooks.ts'

/** A tenant's states, the most urgent first. */
export const TENANT_STATES = [
  'deleted',
  'disabled',
  'held',
  'paused',
  'review',
  'undelivered',
  'waiting',
  'errors',
  'silent',
  'healthy',
] as const

/** A tenant's state, the most urgent one if several apply. */
export type TenantState = (typeof TENANT_STATES)[number]

/** Finds a tenant's state. `now` is in milliseconds since 1970. */
export function stateOf(
  { disabled_at, deleted_at }: Pick<TenantRow, 'disabled_at' | 'deleted_at'>,
  { connection, webhooks, lastRequestAt, recent }: TenantSummary,
  now: number,
): TenantState {
  if (deleted_at !== null) return 'deleted'
  if (disabled_at !== null) return 'disabled'
  if (connection !== 'active') return connection
  if (isUndelivered(webhooks, now)) return 'undelivered'
  if (lastRequestAt === null) return 'waiting'
  if (recent.errors > 0 && recent.errors * 2 >= recent.requests) return 'errors'
  return now - lastRequestAt > SILENCE ? 'silent' : 'healthy'
}

/** Whether changes that applications may see do not reach one of them. */
function isUndelivered({ failing, stopped, oldestChangeAt }: WebhookSummary, now: number): boolean {
  return failing + stopped > 0 || (oldestChangeAt !== null && now - oldestChangeAt > LAG)
}

/** How long (ms) a provider may send nothing: a weekend, because many send changes only. */
const SILENCE = 3 * 86_400_000
/** How long (ms) a change may wait for a webhook that accepts the changes before it. */
const LAG = 10 * 60_000
