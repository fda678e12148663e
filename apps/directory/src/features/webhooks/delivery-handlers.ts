import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { hideSecrets } from '../../kernel/hide-secrets.ts'
import { type FeedName, writeCursor } from '../../kernel/store/cursor.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { readFeed } from '../changes/feed.ts'
import { findChange, type ReadChange } from '../changes/read-changes.ts'
import {
  acceptedBy,
  type DeliveryRow,
  findDelivery,
  insertDeliveries,
  listDeliveries,
} from './deliveries.ts'
import { findWebhook, type WebhookKey, type WebhookRow } from './store.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Sends a change to a webhook. */
export type Send = (webhook: WebhookRow, change: ReadChange) => Promise<DeliveryRow>

/** The server part that sends a change again. */
export interface DeliverySources {
  readonly send: Send
}

/** Handlers for webhook deliveries. */
export function deliveryHandlers(
  { store }: AuthOptions,
  { send }: DeliverySources,
): Pick<ApiHandlers, 'listDeliveries' | 'redeliver'> {
  let redeliveries = 0
  return {
    listDeliveries: async ({ params, query: { before, count }, reply, problems }) => {
      const key = { tenant_id: params.tenantId, id: params.webhookId }
      const found = await store.read(async (db) => {
        const webhook = await findWebhook(db, key)
        const rows = await listDeliveries(db, key, { before, count: count + 1 })
        return webhook && { webhook, rows, feed: await readFeed(db, key.tenant_id) }
      })
      if (found === null) return problems.notFound()
      const { webhook, rows, feed } = found
      const deliveries = rows.slice(0, count).map((row) => deliveryBody(webhook, row, feed))
      const nextBefore = rows.length > count ? (deliveries.at(-1)?.id ?? null) : null
      return reply(200, { deliveries, nextBefore })
    },
    redeliver: async ({ params: { tenantId, webhookId, deliveryId }, reply, problems }) => {
      const key = { tenant_id: tenantId, id: webhookId }
      const found = await findSent(store, key, deliveryId)
      if (found === null) return problems.notFound()
      const { webhook, change } = found
      if (change === null) return problems.changesDeleted()
      // Each redelivery waits for its receiver.
      if (redeliveries >= MAX_REDELIVERIES) return problems.tooManyRequests()
      redeliveries += 1
      try {
        const attempt = await send(webhook, change)
        await store.write(async (db) => {
          // The webhook may have been deleted meanwhile.
          if (await findWebhook(db, key)) await insertDeliveries(db, key, [attempt])
        })
        return reply(200, deliveryBody(webhook, attempt, change))
      } finally {
        redeliveries -= 1
      }
    },
  }
}

/** Finds a delivery's webhook and change; the change is null if it was deleted. */
function findSent(store: Store, key: WebhookKey, deliveryId: string) {
  return store.read(async (db) => {
    const webhook = await findWebhook(db, key)
    const delivery = await findDelivery(db, key, deliveryId)
    if (webhook === null || delivery === null) return null
    return { webhook, change: await findChange(db, key.tenant_id, delivery.position) }
  })
}

/** Converts a delivery to the API form. */
export function deliveryBody(
  webhook: Pick<WebhookRow, 'audience' | 'secret' | 'old_secret'>,
  row: DeliveryRow,
  feed: Pick<FeedName, 'epoch'>,
) {
  const { id, type, duration, status } = row
  // Earlier versions have stored answers with secrets.
  const answer = hideSecrets(row.answer, [webhook.secret, webhook.old_secret])
  return {
    id,
    type,
    duration,
    status,
    answer,
    cursor: writeCursor(feed, row.position),
    attemptedAt: new Date(row.attempted_at).toISOString(),
    isAccepted: acceptedBy(webhook)(row),
  }
}

/** How many redeliveries per process may wait for their receivers. */
const MAX_REDELIVERIES = 16
