import type { WebhookCount } from '../store/webhooks/webhooks.ts'
import type { Reading } from './readings.ts'

/** The outcome after trying to send a change to a webhook. */
export type DeliveryResult = 'accepted' | 'rejected' | 'unanswered'

/** Webhook metrics: this process's deliveries and, if this process delivers, the webhooks in all tenants. */
export interface WebhookMetrics {
  readonly readings: readonly Reading[]
  observeDelivery(result: DeliveryResult): void
  /** Keeps the webhook counts; null if another process delivers. */
  observeWebhooks(counts: readonly WebhookCount[] | null): void
}

/** Creates the webhook metrics. */
export function createWebhookMetrics(now: () => number): WebhookMetrics {
  const deliveries = new Map<DeliveryResult, number>()
  let counts: readonly WebhookCount[] = []
  const readings: readonly Reading[] = [
    {
      ...{ name: 'directory_webhook_deliveries', isCounter: true, labels: ['result'] },
      help: 'Attempts to send a change to a webhook.',
      read: () => [...deliveries].map(([result, value]) => ({ labels: { result }, value })),
    },
    {
      ...{ name: 'directory_webhooks', isCounter: false, labels: ['state'] },
      help: 'Webhooks of all tenants. Only the process that delivers has them.',
      read: () => counts.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    {
      ...{ name: 'directory_webhook_oldest_change_seconds', isCounter: false, labels: ['state'] },
      help: 'The age of the oldest change that waits for a webhook.',
      read: () =>
        counts
          .filter(({ state }) => state !== 'disabled')
          .map(({ state, oldest }) => ({ labels: { state }, value: ageOf(oldest, now()) })),
    },
  ]
  return {
    readings,
    observeDelivery: (result) => deliveries.set(result, (deliveries.get(result) ?? 0) + 1),
    observeWebhooks: (counted) => {
      counts = counted === null ? [] : STATES.map((state) => foundIn(counted, state))
    },
  }
}

function ageOf(oldest: number | null, now: number): number {
  return oldest === null ? 0 : Math.max(0, now - oldest) / 1_000
}

function foundIn(counts: readonly WebhookCount[], state: WebhookCount['state']): WebhookCount {
  return counts.find((one) => one.state === state) ?? { state, count: 0, oldest: null }
}

const STATES = ['active', 'failing', 'disabled'] as const
