import type { Reading } from './readings.ts'

/** The outcome after trying to send a change to a webhook. */
export type DeliveryResult = 'accepted' | 'rejected' | 'unanswered'

/** This process's webhook metrics. */
export interface WebhookMetrics {
  readonly readings: readonly Reading[]
  observeDelivery(result: DeliveryResult): void
  /** Sets the function that returns whether this process delivers. */
  observeLease(isHeld: () => boolean): void
}

/** Creates the webhook metrics. */
export function createWebhookMetrics(): WebhookMetrics {
  const deliveries = new Map<DeliveryResult, number>()
  let isHeld = (): boolean => false
  const readings: readonly Reading[] = [
    {
      name: 'directory_webhook_deliveries',
      isCounter: true,
      labels: ['result'],
      help: 'Attempts to send a change to a webhook.',
      read: () => [...deliveries].map(([result, value]) => ({ labels: { result }, value })),
    },
    {
      name: 'directory_lease_held',
      isCounter: false,
      labels: ['lease'],
      help: 'Whether this process has the lease for some work: 1 for one process, 0 for the others.',
      read: () => [{ labels: { lease: 'webhooks' }, value: isHeld() ? 1 : 0 }],
    },
  ]
  return {
    readings,
    observeDelivery: (result) => deliveries.set(result, (deliveries.get(result) ?? 0) + 1),
    observeLease: (held) => {
      isHeld = held
    },
  }
}
