import { defineOperation } from '@plumbline/openapi'
import { z } from 'zod'

/** Routes for the keys of Security Event Tokens. */
export const eventRoutes = {
  getKeys: { method: 'GET', pattern: '/.well-known/jwks.json' },
} as const

/** Operations for the keys of Security Event Tokens. */
export const eventOperations = {
  getKeys: defineOperation('getKeys', eventRoutes.getKeys, {
    summary: 'Read the keys of Security Event Tokens',
    description:
      'The public keys as a JWK set (RFC 7517). Read it again if a token names another `kid`.',
    tags: ['events'],
    security: [],
    responses: {
      200: {
        description: 'The keys',
        body: z.object({
          keys: z.array(
            z.object({
              kty: z.literal('EC'),
              crv: z.literal('P-256'),
              x: z.string(),
              y: z.string(),
              kid: z.string(),
              alg: z.literal('ES256'),
              use: z.literal('sig'),
            }),
          ),
        }),
      },
    },
    problems: ['unavailable'],
  }),
}
