import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { advanceFeed } from '../../../src/features/changes/feed.ts'
import { createTenant } from '../../../src/features/tenants/store.ts'
import type { DeliveryRow } from '../../../src/features/webhooks/deliveries.ts'
import { createDeliveryJob } from '../../../src/features/webhooks/delivery-job.ts'
import type { SendChange } from '../../../src/features/webhooks/send-change.ts'
import { HOUR } from '../../../src/kernel/durations.ts'
import { insertRows } from '../../../src/kernel/store/database.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'
import { OWN_LEASE } from '../../support/webhook-receiver.ts'

const { storeOf } = useSqliteStore()
const NOW = 1_000_000

it('a receiver hanging for 100 tenants gets 8 places, and all others are served in one search', async () => {
  await createWebhooks(storeOf(), 100, 'https://hanging.example.com/')
  await createWebhooks(storeOf(), 200, 'https://healthy.example.com/')
  const { send, hanging, answered, end } = createReceivers()
  const job = createDeliveryJob({ store: storeOf(), send, now: () => NOW, lease: OWN_LEASE })
  await job.run()
  await expect.poll(() => answered.size, PATIENTLY).toBe(200)
  expect(hanging.size).toBe(8)
  end()
  // Each turn that ends gives its place to the next one.
  await job.idle()
  expect(hanging.size).toBe(100)
  await job.close()
})

it('turns waiting for receivers that have answered before return their places', async () => {
  const hosts = Array.from({ length: 70 }, (_, at) => `https://hanging-${at}.example.com/`)
  for (const url of hosts) await createWebhooks(storeOf(), 1, url)
  const { send, hanging, answered, end } = createReceivers()
  const options = { store: storeOf(), now: () => NOW, lease: OWN_LEASE }
  const job = createDeliveryJob({ ...options, send, slowAfter: 10 })
  await job.run()
  await createWebhooks(storeOf(), 10, 'https://other.example.com/')
  await expect.poll(() => hanging.size, PATIENTLY).toBe(70)
  await job.run()
  await expect.poll(() => answered.size, PATIENTLY).toBe(10)
  end()
  await job.close()
})

/** Receivers of which those named `hanging` do not answer until the end. */
function createReceivers() {
  const [hanging, answered] = [new Set<string>(), new Set<string>()]
  const ending = new AbortController()
  const send: SendChange = async ({ tenant_id, id, url }, { position }) => {
    const isHanging = url.includes('hanging')
    ;(isHanging ? hanging : answered).add(id)
    if (isHanging) await setTimeout(HOUR, null, { signal: ending.signal }).catch(() => null)
    const attempt: DeliveryRow = {
      tenant_id,
      webhook_id: id,
      id: crypto.randomUUID(),
      position,
      type: 'user.created',
      attempted_at: NOW,
      duration: 0,
      answer: '',
      status: isHanging ? null : 204,
    }
    return attempt
  }
  return { send, hanging, answered, end: () => ending.abort() }
}

/** Creates tenants with one webhook and one change. */
async function createWebhooks(store: Store, count: number, url: string): Promise<void> {
  const change = { type: 'user.created', resourceType: 'User', id: 'ada', time: '', requestId: '' }
  await store.write(async (db) => {
    for (let at = 0; at < count; at += 1) {
      const tenant_id = crypto.randomUUID()
      await createTenant(db, { id: tenant_id, name: 'Test', created_at: NOW })
      await advanceFeed(db, tenant_id, { count: 1, bytes: 1 })
      const text = JSON.stringify(change)
      const facts = { tenant_id, type: change.type, resource_id: 'ada', change: text, bytes: 1 }
      await insertRows(db, 'changes', [{ ...facts, position: 1, time: NOW }])
      const webhook = { tenant_id, id: tenant_id, url, secret: 'whsec_', created_at: NOW }
      await insertRows(db, 'webhooks', [
        { ...webhook, position: 0, attempts: 0, next_attempt_at: NOW },
      ])
    }
  })
}

const PATIENTLY = { timeout: 60_000 }
