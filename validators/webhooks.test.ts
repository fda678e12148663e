import { unwrap } from '@plumbline/openapi'
import {
  createSender,
  defineWebhook,
  signWebhooks,
  verifyWebhooks,
} from '@plumbline/openapi/webhooks'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
const bookSold = defineWebhook('bookSold', {
  summary: 'A book was sold',
  body: z.object({ title: z.string() }),
  responses: { '2XX': { description: 'Accepted' } },
})
const titles = ['Emma', 'Ünïcode 😀', '', 'a'.repeat(10_000)]

describe('the reference implementation of Standard Webhooks', () => {
  it.each(titles)(
    'the reference implementation verifies what a sender signs: %#',
    async (title) => {
      const verified: unknown[] = []
      const fetch = async (request: Request) => {
        const headers = Object.fromEntries(request.headers)
        const text = await request.text()
        verified.push(new Webhook(SECRET).verify(text, headers))
        expect(() => new Webhook(OTHER).verify(text, headers)).not.toThrow()
        expect(() => new Webhook(SECRET).verify(`${text} `, headers)).toThrow()
        return new Response(null, { status: 204 })
      }
      const sender = createSender({ bookSold }, { sign: signWebhooks(SECRET, OTHER), fetch })
      const { outcome } = await sender.bookSold('https://example.com/hooks', { title })
      expect([outcome, verified]).toEqual(['accepted', [{ title }]])
    },
  )

  it.each(titles)(
    'the reference implementation signs what a receiver verifies: %#',
    async (title) => {
      const body = JSON.stringify({ title })
      const now = new Date()
      const headers = {
        'Content-Type': 'application/json',
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(SECRET).sign('msg_1', now, body),
      }
      const request = () => new Request('https://example.com/', { method: 'POST', headers, body })
      const received = await bookSold.receive(request(), {
        verify: verifyWebhooks([OTHER, SECRET]),
      })
      expect(unwrap(received)).toMatchObject({ id: 'msg_1', body: { title } })
      expect(await bookSold.receive(request(), { verify: verifyWebhooks(OTHER) })).toMatchObject({
        error: { code: 'invalid-signature' },
      })
    },
  )

  it.each(['msg.1', 'msg 1', 'a'.repeat(257)])(
    'the reference implementation signs a message with the id %s, which a receiver rejects',
    async (id) => {
      const now = new Date()
      const headers = {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(SECRET).sign(id, now, '{"title":"Emma"}'),
      }
      const request = new Request('https://example.com/', {
        method: 'POST',
        headers,
        body: '{"title":"Emma"}',
      })
      expect(await bookSold.receive(request, { verify: verifyWebhooks(SECRET) })).toMatchObject({
        error: { code: 'malformed-header' },
      })
    },
  )

  it.each([24, 32, 64])(
    'the reference implementation has the same key for a secret of %i bytes',
    async (length) => {
      const secret = `whsec_${btoa('k'.repeat(length))}`
      const body = new TextEncoder().encode('{"title":"Emma"}')
      const timestamp = Math.floor(Date.now() / 1_000)
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': await signWebhooks(secret)({ id: 'msg_1', timestamp, body }),
      }
      expect(new Webhook(secret).verify('{"title":"Emma"}', headers)).toEqual({ title: 'Emma' })
    },
  )
})
