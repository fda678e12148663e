import { defineOperation } from '@plumbline/openapi'
import { createRoutes, del, get, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { NO_QUERY, name, tenantId, text } from '../../shell/api/schemas.ts'

/** Routes for set-up links. */
export const setupRoutes = createRoutes('/api', {
  listSetupLinks: get('/setup-links'),
  createSetupLink: post('/setup-links'),
  revokeSetupLink: del('/setup-links/:linkId'),
})

const DAY_SECONDS = 86_400

const SetupLink = z
  .object({
    id: z.string(),
    tenantId,
    name,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({
      description: 'The link cannot be opened from this time on, and its session ends',
    }),
    openedAt: z.iso.datetime().nullable().meta({
      description: 'When a browser opened the link, which is possible once',
    }),
    tokenId: z.string().nullable().meta({
      description: 'The id of the token that was created with the link; it may be revoked',
    }),
  })
  .meta({ id: 'SetupLink' })

const CreatedSetupLink = SetupLink.extend({
  url: z.url().meta({ description: 'The link, returned only in this response' }),
}).meta({ id: 'CreatedSetupLink' })

/** Operations for set-up links. */
export const setupOperations = {
  listSetupLinks: defineOperation('listSetupLinks', setupRoutes.listSetupLinks, {
    summary: 'List set-up links',
    tags: ['setup'],
    query: z.strictObject({
      tenantId: tenantId.default('default').meta({ description: 'The tenant of the links' }),
    }),
    responses: {
      200: {
        description: 'The links, without their secrets',
        body: z.object({ links: z.array(SetupLink) }),
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
  createSetupLink: defineOperation('createSetupLink', setupRoutes.createSetupLink, {
    summary: 'Create a set-up link',
    description:
      'With the link, a customer’s own administrator connects the provider of one tenant without a token of this API. The first browser that opens it gets a session, which ends with the link.',
    tags: ['setup'],
    query: NO_QUERY,
    body: {
      'application/json': z.strictObject({
        tenantId: tenantId.default('default'),
        name: name.meta({ description: 'The person who gets the link' }),
        lifetimeSeconds: z
          .int()
          .min(300)
          .max(30 * DAY_SECONDS)
          .default(7 * DAY_SECONDS),
      }),
    },
    responses: { 201: { description: 'The link', body: CreatedSetupLink } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  revokeSetupLink: defineOperation('revokeSetupLink', setupRoutes.revokeSetupLink, {
    summary: 'Revoke a set-up link',
    description: 'Also ends its session. A token that was created with it stays valid.',
    tags: ['setup'],
    params: z.object({ linkId: text.max(100) }),
    query: NO_QUERY,
    responses: { 204: { description: 'The link is revoked' } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
}
