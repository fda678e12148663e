import { defineOperation } from '@plumbline/openapi'
import { defineWebhook } from '@plumbline/openapi/webhooks'
import { createRoutes, del, get, patch, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { NO_QUERY, tenantId, text } from '../../shell/api/schemas.ts'
import { Change, changeCursor } from '../changes/operations.ts'
import { DISABLED_REASONS } from './store.ts'

/** Routes for webhooks. */
export const webhookRoutes = createRoutes('/api/tenants/:tenantId/webhooks', {
  listWebhooks: get('/'),
  createWebhook: post('/'),
  getWebhook: get('/:webhookId'),
  changeWebhook: patch('/:webhookId'),
  deleteWebhook: del('/:webhookId'),
  rotateWebhook: post('/:webhookId/rotate'),
  listDeliveries: get('/:webhookId/deliveries'),
  redeliver: post('/:webhookId/deliveries/:deliveryId/redeliver'),
})

const url = text.min(1).max(2_000).meta({
  description: 'Starts with `https://`, and must not lead to a private network',
})
const kinds = z
  .array(z.string().regex(/^[a-z]\w{0,99}\.[a-z]{1,20}$/))
  .min(1)
  .max(50)
  .nullable()
  .meta({ description: 'The kinds of changes to send, such as `user.deactivated`; null for all' })

const format = z.enum(['standard', 'set']).meta({
  description:
    '`standard`: JSON, signed as Standard Webhooks defines it. `set`: a Security Event Token, pushed as RFC 8935 defines it; it needs an `audience`, and `PUBLIC_URL` of the server',
})

/** The claim `aud`. */
const audience = text.min(1).max(500).meta({ description: 'The claim `aud` of the tokens' })

const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    kinds,
    format,
    audience: audience.nullable(),
    state: z.enum(['active', 'failing', 'disabled']),
    createdAt: z.iso.datetime(),
    cursor: changeCursor.meta({ description: 'The changes up to this one are done' }),
    next: changeCursor.nullable().meta({
      description: 'The change after the cursor; as the new `cursor`, it is skipped',
    }),
    waiting: z.int().meta({ description: 'How many changes, of any kind, follow the cursor' }),
    lastDelivery: z
      .object({
        attemptedAt: z.iso.datetime(),
        status: z.int().nullable().meta({ description: 'Null without an answer' }),
        isAccepted: z.boolean(),
      })
      .nullable()
      .meta({ description: 'The newest attempt; null without one' }),
    failingSince: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable().meta({ description: 'When a failing one is tried' }),
    disabledAt: z.iso.datetime().nullable(),
    disabledReason: z.enum(DISABLED_REASONS).nullable().meta({
      description:
        '`failing` after three days of failures, and `changes-deleted` if changes were deleted before they could be delivered',
    }),
    oldSecretExpiresAt: z.iso.datetime().nullable().meta({
      description:
        'Until when messages are signed with the old secret, too, or tokens are sent with it',
    }),
  })
  .meta({ id: 'Webhook' })

const secret = z.string().meta({
  description:
    'Verifies messages, or is the bearer token with which tokens are sent; returned only in this response',
})

const CreatedWebhook = Webhook.pick({
  id: true,
  url: true,
  kinds: true,
  format: true,
  audience: true,
  createdAt: true,
  cursor: true,
})
  .extend({ secret })
  .meta({ id: 'CreatedWebhook' })

const Delivery = z
  .object({
    id: z.uuid(),
    cursor: changeCursor.meta({ description: 'The `cursor` of the change' }),
    type: z.string().meta({ description: 'The kind of the change' }),
    attemptedAt: z.iso.datetime(),
    duration: z.int().meta({ description: 'In milliseconds' }),
    isAccepted: z.boolean(),
    status: z.int().nullable().meta({ description: 'Null without an answer' }),
    answer: z.string().meta({
      description:
        'The first 1,024 bytes of the answer without secrets, or the reason why the receiver did not answer',
    }),
  })
  .meta({ id: 'Delivery' })

const params = z.object({ tenantId, webhookId: z.uuid() })
const tags = ['webhooks']
const problems = [...COMMON_PROBLEMS, 'notFound'] as const

/** Operations for webhooks. */
export const webhookOperations = {
  listWebhooks: defineOperation('listWebhooks', webhookRoutes.listWebhooks, {
    summary: 'List the webhooks of a tenant',
    tags,
    params: z.object({ tenantId }),
    query: NO_QUERY,
    responses: {
      200: {
        description: 'The webhooks, the oldest first',
        body: z.object({ webhooks: z.array(Webhook) }),
      },
    },
    problems,
  }),
  createWebhook: defineOperation('createWebhook', webhookRoutes.createWebhook, {
    summary: 'Create a webhook',
    description:
      'The changes from now on are sent to the URL: see the webhooks `change` and `securityEvent`. A tenant has up to 20 webhooks.',
    tags,
    params: z.object({ tenantId }),
    query: NO_QUERY,
    body: z.strictObject({
      url,
      kinds: kinds.default(null),
      format: format.default('standard'),
      audience: audience.nullable().default(null),
    }),
    responses: { 201: { description: 'The webhook, with its secret', body: CreatedWebhook } },
    problems: [...problems, 'invalid', 'notAllowed'],
  }),
  getWebhook: defineOperation('getWebhook', webhookRoutes.getWebhook, {
    summary: 'Read a webhook',
    tags,
    params,
    query: NO_QUERY,
    responses: { 200: { description: 'The webhook', body: Webhook } },
    problems,
  }),
  changeWebhook: defineOperation('changeWebhook', webhookRoutes.changeWebhook, {
    summary: 'Change, enable or disable a webhook',
    description:
      'A change that a receiver never accepts stops its webhook: it is the one after the `cursor`. A webhook that is enabled continues after its `cursor`, or with the oldest stored change if the ones before were deleted.',
    tags,
    params,
    query: NO_QUERY,
    body: z.strictObject({
      url: url.optional(),
      kinds: kinds.optional(),
      audience: audience.optional().meta({ description: 'Only of the format `set`' }),
      cursor: changeCursor.optional().meta({
        description:
          'Skips the changes up to this one, which are not sent any more. Changes that wait are not skipped, and an earlier cursor changes nothing',
      }),
      enabled: z.boolean().optional().meta({
        description: 'True also sends the next change immediately if the webhook is failing',
      }),
    }),
    responses: { 200: { description: 'The changed webhook', body: Webhook } },
    problems: [...problems, 'invalid'],
  }),
  deleteWebhook: defineOperation('deleteWebhook', webhookRoutes.deleteWebhook, {
    summary: 'Delete a webhook and its deliveries',
    tags,
    params,
    query: NO_QUERY,
    responses: { 204: { description: 'The webhook is deleted' } },
    problems,
  }),
  rotateWebhook: defineOperation('rotateWebhook', webhookRoutes.rotateWebhook, {
    summary: 'Replace the secret of a webhook',
    description:
      'During the overlap, messages are signed with both secrets, and tokens are sent with the old one.',
    tags,
    params,
    query: NO_QUERY,
    body: z.strictObject({ overlapSeconds: z.int().min(0).max(604_800).default(86_400) }),
    responses: {
      200: {
        description: 'The new secret',
        body: z.object({ secret, oldSecretExpiresAt: z.iso.datetime() }),
      },
    },
    problems,
  }),
  listDeliveries: defineOperation('listDeliveries', webhookRoutes.listDeliveries, {
    summary: 'List the deliveries of a webhook',
    description: 'The newest 1,000 attempts are kept.',
    tags,
    params,
    query: z.strictObject({
      before: z.uuid().optional().meta({ description: 'The `nextBefore` of the page before' }),
      count: z.int().min(1).max(100).default(50),
    }),
    responses: {
      200: {
        description: 'The attempts, the newest first',
        body: z.object({ deliveries: z.array(Delivery), nextBefore: z.uuid().nullable() }),
      },
    },
    problems,
  }),
  redeliver: defineOperation('redeliver', webhookRoutes.redeliver, {
    summary: 'Send the change of a delivery again',
    description:
      'The message has the same `webhook-id`. It is sent immediately, also by a disabled webhook, and does not change its state.',
    tags,
    params: params.extend({ deliveryId: z.uuid() }),
    query: NO_QUERY,
    responses: { 200: { description: 'The new delivery', body: Delivery } },
    problems: [...problems, 'changesDeleted'],
  }),
}

/** A webhook's message. */
export const changeMessage = defineWebhook('change', {
  summary: 'A user or a group changed',
  description:
    'Signed as Standard Webhooks defines it. The changes of one resource are sent in their order, each until the receiver accepts it. A receiver may get a change more than once, with the same `webhook-id`.',
  tags: ['webhooks'],
  body: z.object({
    type: z.string(),
    timestamp: z.iso.datetime().meta({ description: 'The time of the change' }),
    data: z.intersection(Change, z.object({ tenantId })),
  }),
  responses: {
    '2XX': {
      description: 'Accepted; the body is ignored. The change is sent again after any other',
    },
  },
})

/** A webhook's Security Event Token (RFC 8935). */
export const securityEvent = defineWebhook('securityEvent', {
  summary: 'A user or a group changed, as a Security Event Token',
  description:
    'A token of RFC 9967, for webhooks with the format `set`. `Authorization` is `Bearer` and the secret of the webhook. Order and repetitions are those of `change`: a receiver knows a token that it gets again by its `jti`.',
  tags: ['webhooks'],
  body: { 'application/secevent+jwt': z.string() },
  responses: {
    202: { description: 'Accepted. The token is sent again after any other answer' },
    400: {
      description: 'Rejected (RFC 8935 §2.3)',
      body: z.object({ err: z.string(), description: z.string().optional() }),
    },
  },
})
