import { expect } from 'vitest'
import { createReceivers } from '../../src/features/webhooks/addresses.ts'
import { createDeliveryJob } from '../../src/features/webhooks/delivery-job.ts'
import { createSendChange, type SendOptions } from '../../src/features/webhooks/send-change.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect, recorder } from './harness.ts'
import { type AnswerMessage, OWN_LEASE, startReceiver } from './webhook-receiver.ts'

/** The issuer and the audience of the tokens. */
export const ORIGIN = 'https://directory.example.com'
export const AUDIENCE = 'https://receiver.example.com'

/** Options for `openPushedTenant`. */
export interface PushedTenantOptions {
  readonly store: Store
  readonly now: () => number
  readonly answer?: AnswerMessage | undefined
  readonly sending?: Partial<SendOptions> | undefined
}

/** Creates a tenant whose changes are pushed to a receiver on this machine, as Security Event Tokens. */
export async function openPushedTenant({
  store,
  now,
  answer = (_, response) => response.writeHead(202).end(),
  // The messages and answers are checked against the document of the API.
  sending = { middleware: recorder.middleware },
}: PushedTenantOptions) {
  const { accepted, url, close } = await startReceiver(answer)
  const receivers = createReceivers({ allow: ['127.0.0.1'] })
  const sources = { receivers, now, publicOrigin: ORIGIN }
  const client = await connect(store, { role: 'admin', ...sources })
  const path = `/api/tenants/${client.tenantId}/webhooks`
  const sent = { url, format: 'set', audience: AUDIENCE }
  const { status, body } = await client.send('POST', path, sent)
  expect([status, body.format, body.audience]).toEqual([201, 'set', AUDIENCE])
  const hook = `${path}/${body.id}`
  const create = async (userName: string) =>
    String((await client.send('POST', '/Users', { userName })).body.id)
  const deliveries = async () =>
    (await client.send('GET', `${hook}/deliveries`)).body.deliveries ?? []
  const send = createSendChange({ store, ...sources, ...sending })
  const deliver = async () => {
    const job = createDeliveryJob({ store, send, now, lease: OWN_LEASE })
    await job.run()
    await job.idle()
    await job.close()
  }
  const secret = String(body.secret)
  return { client, accepted, path, hook, secret, create, deliver, deliveries, close }
}
