import { type Fragment, sql } from '@plumbline/scim/internal'
import {
  type Database,
  insertRows,
  readRow,
  readRows,
  updateRows,
} from '../../kernel/store/database.ts'
import { ofTenant, rowsOf } from '../../kernel/store/tenant-rows.ts'
import { delayedAt } from '../changes/feed.ts'

/** Why a webhook is disabled. */
export const DISABLED_REASONS = ['failing', 'changes-deleted', 'administrator'] as const

/** A URL to which a tenant's changes are sent. */
export interface WebhookRow {
  readonly tenant_id: string
  readonly id: string
  readonly url: string
  /** The kinds of changes to send, as a JSON list; null for all. */
  readonly kinds: string | null
  /** The `aud` claim of the Security Event Tokens it pushes; null if it sends Standard Webhooks messages. */
  readonly audience: string | null
  /** It signs messages or is sent with tokens, so it is stored itself and not as a hash. */
  readonly secret: string
  readonly old_secret: string | null
  /** Messages are signed with the old secret, too, until this time. */
  readonly old_secret_until: number | null
  /** Times are in milliseconds since 1970. */
  readonly created_at: number
  /** The changes up to this position were delivered, or are of other kinds. */
  readonly position: number
  /** How many deliveries have failed since the last accepted one. */
  readonly attempts: number
  readonly next_attempt_at: number
  /** When the first of these deliveries failed. */
  readonly failing_since: number | null
  readonly disabled_at: number | null
  readonly disabled_reason: (typeof DISABLED_REASONS)[number] | null
}

/** A webhook's id in its tenant. */
export type WebhookKey = Pick<WebhookRow, 'tenant_id' | 'id'>

/** Lists a tenant's webhooks, oldest first. */
export async function listWebhooks(db: Database, tenantId: string): Promise<readonly WebhookRow[]> {
  return await readRows(db, sql`select * from ${rowsOf(tenantId, 'webhooks')} order by id`)
}

/** Finds a webhook, or null. */
export async function findWebhook(
  db: Database,
  { tenant_id, id }: WebhookKey,
): Promise<WebhookRow | null> {
  return await readRow(db, sql`select * from ${rowsOf(tenant_id, 'webhooks')} and id = ${id}`)
}

/** Stores a new webhook. */
export async function insertWebhook(db: Database, row: WebhookRow): Promise<void> {
  await insertRows(db, 'webhooks', [row])
}

/**
 * Changes a webhook. With a `position`, nothing is changed if the webhook has another one by now: another
 * process or an administrator has moved it. Returns whether it was changed.
 */
export async function updateWebhook(
  db: Database,
  { tenant_id, id }: WebhookKey,
  changes: Partial<WebhookRow>,
  position?: number,
): Promise<boolean> {
  const isSame = position === undefined ? sql`` : sql` and position = ${position}`
  const where = sql`${ofTenant(tenant_id, 'webhooks')} and id = ${id}${isSame}`
  return (await updateRows(db, 'webhooks', changes, where)) === 1
}

/** Deletes a webhook and its deliveries. Returns whether it existed. */
export async function deleteWebhook(db: Database, { tenant_id, id }: WebhookKey): Promise<boolean> {
  const { affectedRows } = await db.exec(
    sql`delete from webhooks where ${ofTenant(tenant_id, 'webhooks')} and id = ${id}`,
  )
  await db.exec(
    sql`delete from deliveries where ${ofTenant(tenant_id, 'deliveries')} and webhook_id = ${id}`,
  )
  return affectedRows === 1
}

/** A webhook with changes to deliver. */
export type DueWebhook = Pick<WebhookRow, 'tenant_id' | 'id' | 'url' | 'attempts'>

/**
 * Finds all tenants' webhooks with changes to deliver now, longest waiting first. A change that takes access from a
 * user waits before it is visible, and later changes wait with it. Only a failing webhook waits for the next attempt,
 * and never longer than the longest pause: the clock that set this time may have been ahead. If dropped changes follow
 * a webhook's position, the next turn moves it behind them.
 */
export async function findDueWebhooks(db: Database, now: number): Promise<readonly DueWebhook[]> {
  return await readRows(
    db,
    sql`select w.tenant_id, w.id, w.url, w.attempts from webhooks w
      join change_feeds f on f.tenant_id = w.tenant_id
      where ${isDueAt(now)}
        and not exists (
          select 1 from changes c where c.tenant_id = w.tenant_id and ${isWaitingAt(now)}
        )
      order by w.next_attempt_at limit 10000`,
  )
}

/** Finds one tenant's webhooks with changes to deliver now; null if it does not have webhooks. */
export async function findDueOfTenant(
  db: Database,
  tenantId: string,
  now: number,
): Promise<readonly DueWebhook[] | null> {
  const rows = await readRows<DueWebhook & { readonly is_due: unknown }>(
    db,
    sql`select w.tenant_id, w.id, w.url, w.attempts, case when ${isDueAt(now)}
          and not exists (
            select 1 from changes c where c.tenant_id = ${tenantId} and ${isWaitingAt(now)}
          ) then 1 else 0 end as is_due
      from webhooks w left join change_feeds f on f.tenant_id = ${tenantId}
      where w.tenant_id = ${tenantId} order by w.next_attempt_at`,
  )
  if (rows.length === 0) return null
  return rows.flatMap(({ is_due, ...webhook }) => (Number(is_due) === 1 ? [webhook] : []))
}

function isDueAt(now: number): Fragment {
  return sql`w.disabled_at is null and (
      w.failing_since is null or w.next_attempt_at <= ${now}
      or w.next_attempt_at > ${now + MAX_PAUSE_MS}
    )
    and w.position < coalesce(f.held_after, f.position)`
}

function isWaitingAt(now: number): Fragment {
  return sql`${delayedAt(now, 'c')} and c.position <= w.position + 1`
}
/** The longest pause (ms) before the next attempt of a failing webhook, which is up to 20 % later than an hour. */
const MAX_PAUSE_MS = 1.2 * 3_600_000

/** All tenants' webhooks in one state. */
export interface WebhookCount {
  /** In the state `disabled`, the directory has given up on the webhook; `off` is an administrator's choice. */
  readonly state: 'active' | 'failing' | 'disabled' | 'off'
  readonly count: number
  /** The time of the oldest change waiting for these webhooks; null without one. */
  readonly oldest: number | null
}

/** Counts all tenants' webhooks per state. Held and delayed changes do not wait for a webhook. */
export async function countWebhooks(db: Database, now: number): Promise<readonly WebhookCount[]> {
  return await readRows(
    db,
    sql`select state, count(*) as count, min(time) as oldest from (
      select c.time as time, case when w.disabled_reason = 'administrator' then 'off'
          when w.disabled_at is not null then 'disabled'
          when w.failing_since is not null then 'failing' else 'active' end as state
        from webhooks w
        left join change_feeds f on f.tenant_id = w.tenant_id
        left join changes c on c.tenant_id = w.tenant_id and c.position = w.position + 1
          and c.position <= coalesce(f.held_after, f.position)
          and not coalesce(${delayedAt(now, 'c')}, false)
      ) states group by state`,
  )
}
