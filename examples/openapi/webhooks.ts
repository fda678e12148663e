/** A webhook: one value for the document, its sender and its receiver. */
import { createDocument, defineOperation, unwrap } from '@plumbline/openapi'
import {
  createSender,
  defineWebhook,
  signWebhooks,
  verifyWebhooks,
} from '@plumbline/openapi/webhooks'
import { isFailure } from '@plumbline/result'
import { z } from 'zod'

const bookSold = defineWebhook('bookSold', {
  summary: 'A book was sold',
  body: z.object({ title: z.string() }),
  responses: { '2XX': { description: 'Accepted' } },
})
const subscribe = defineOperation('subscribe', 'POST /subscriptions', {
  summary: 'Subscribe to sales',
  body: z.object({ callbackUrl: z.url() }),
  responses: { 201: { description: 'Subscribed' } },
  // The build checks that the expression leads to a member of the body.
  callbacks: { onSold: { url: '{$request.body#/callbackUrl}', webhook: bookSold } },
})
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } })
  .add(subscribe)
  .addWebhook(bookSold)
Object.keys(unwrap(builder.build()).webhooks ?? {}) //=> ['bookSold']

// The receiver. While the secret is replaced, it accepts both.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const verify = verifyWebhooks([secret, 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'])
const sold: string[] = []
async function receive(request: Request): Promise<Response> {
  const received = await bookSold.receive(request, { verify })
  if (isFailure(received)) return new Response(null, { status: 400 })
  sold.push(received.data.body.title)
  return new Response(null, { status: 204 })
}

// The sender. It does not repeat a message: store it, and send it again with the same `id`.
const sender = createSender({ bookSold }, { sign: signWebhooks(secret), fetch: receive })
const delivery = await sender.bookSold('https://shop.example/hooks', { title: 'Emma' })
delivery.outcome //=> 'accepted'
sold //=> ['Emma']

// A subscriber with a secret of its own: `sign` of a message replaces that of the sender.
const own = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
const title = 'Persuasion'
await sender.bookSold('https://other.example/hooks', { title }, { sign: signWebhooks(own) })
sold //=> ['Emma', 'Persuasion']
