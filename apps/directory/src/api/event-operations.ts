import { defineOperation } from '@plumbline/openapi'
import { createRoutes, del, get, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { changeCursor } from './change-operations.ts'
import { COMMON_PROBLEMS } from './problems.ts'
import { name, tenantId, text } from './schemas.ts'

/** Routes for Security Event Tokens. */
export const eventRoutes = {
  ...createRoutes('/api/tenants/:tenantId/receivers', {
    listReceivers: get('/'),
    createReceiver: post('/'),
    deleteReceiver: del('/:receiverId'),
    pollEvents: post('/:receiverId/events'),
  }),
  getKeys: { method: 'GET', pattern: '/.well-known/jwks.json' },
} as const

const receiverId = text.max(100)
/** The claim `aud`. */
export const audience = text.min(1).max(500).meta({ description: 'The claim `aud` of the tokens' })

const Receiver = z
  .object({
    id: z.string(),
    name,
    audience,
    cursor: changeCursor.meta({
      description: 'The `cursor` of the last change that the receiver has acknowledged',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Receiver' })

/** RFC 8936 §2.2. Undefined members are ignored. */
const PollRequest = z.object({
  maxEvents: z.int().min(0).optional().meta({
    description: 'An answer has at most 100 tokens. With 0, the request only acknowledges.',
  }),
  returnImmediately: z.boolean().default(false).meta({
    description: 'Without tokens, the answer waits for up to 15 seconds by default.',
  }),
  ack: z.array(z.string().max(200)).max(1_000).default([]).meta({
    description: 'The `jti` of each token that the receiver has stored',
  }),
  setErrs: z
    .record(z.string().max(200), z.object({ err: z.string(), description: z.string().optional() }))
    .default({})
    .meta({
      description: 'The `jti` of each token that the receiver rejects. It is not sent again.',
    }),
})

const tags = ['events']
const tenant = z.object({ tenantId })
const receiver = z.object({ tenantId, receiverId })

/** Operations for Security Event Tokens. */
export const eventOperations = {
  listReceivers: defineOperation('listReceivers', eventRoutes.listReceivers, {
    summary: 'List the receivers of Security Event Tokens',
    tags,
    params: tenant,
    responses: {
      200: { description: 'The receivers', body: z.object({ receivers: z.array(Receiver) }) },
    },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  createReceiver: defineOperation('createReceiver', eventRoutes.createReceiver, {
    summary: 'Create a receiver of Security Event Tokens',
    description:
      'The receiver gets the changes from now on. For a copy of the tenant, create the receiver, read the resources by SCIM, and then poll.',
    tags,
    params: tenant,
    body: { 'application/json': z.object({ name, audience }) },
    responses: { 201: { description: 'The receiver', body: Receiver } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'invalid'],
  }),
  deleteReceiver: defineOperation('deleteReceiver', eventRoutes.deleteReceiver, {
    summary: 'Delete a receiver of Security Event Tokens',
    tags,
    params: receiver,
    responses: { 204: { description: 'The receiver is deleted' } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  pollEvents: defineOperation('pollEvents', eventRoutes.pollEvents, {
    summary: 'Poll Security Event Tokens',
    description:
      'Acknowledges tokens, and returns the oldest ones that are not acknowledged (RFC 8936). They are the changes of `listChanges`, in their order. A token that comes after one without acknowledgment is sent again with it.',
    tags,
    params: receiver,
    body: { 'application/json': PollRequest },
    responses: {
      200: {
        description: 'The tokens',
        body: z.object({
          sets: z.record(z.string(), z.string()).meta({ description: 'The tokens, by `jti`' }),
          moreAvailable: z.boolean(),
        }),
      },
    },
    problems: [...COMMON_PROBLEMS, 'notFound', 'invalid', 'changesDeleted'],
  }),
  getKeys: defineOperation('getKeys', eventRoutes.getKeys, {
    summary: 'Read the keys of Security Event Tokens',
    description:
      'The public keys as a JWK set (RFC 7517). Read it again if a token names another `kid`.',
    tags,
    security: [],
    responses: {
      200: {
        description: 'The keys',
        body: z.object({
          keys: z.array(
            z.object({
              ...{ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() },
              ...{ kid: z.string(), alg: z.literal('ES256'), use: z.literal('sig') },
            }),
          ),
        }),
      },
    },
    problems: ['unavailable'],
  }),
}
