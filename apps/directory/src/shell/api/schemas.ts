import { z } from 'zod'
import { PROFILE_NAMES } from '../../kernel/profiles.ts'
import { TENANT_ID } from '../../kernel/requests/scim-path.ts'
import { TYPE_NAMES } from '../../kernel/resources/resource-types.ts'

/** A tenant's id. */
export const tenantId = z
  .string()
  .regex(TENANT_ID)
  .meta({ description: 'Lowercase letters, digits and hyphens' })

/** A string every database stores unchanged: without U+0000 and lone surrogates. */
export const text = z
  .string()
  .regex(/^[^\0]*$/, 'must not contain U+0000')
  .refine((value) => value.isWellFormed(), 'must not contain a lone surrogate')

/** The display name of a tenant or token. */
export const name = text.min(1).max(200)

/** The profile of a token or OAuth client. */
export const profile = z.enum(PROFILE_NAMES).meta({
  description:
    'The kind of client. `interop`, `ipsie-al1` and `ipsie-al2` reject requests of Okta and Entra ID.',
})

/** A number that may be a lower bound. */
export const Count = z
  .object({
    count: z.int(),
    isExact: z.boolean().meta({ description: 'If false, there are at least as many' }),
  })
  .meta({ id: 'Count' })

/** A number of each resource type, keyed by type name. */
export function countsOf<Schema extends z.ZodType>(count: Schema) {
  return z.object(Object.fromEntries(TYPE_NAMES.map((type) => [type, count])))
}

/** The query of an operation without query parameters, which rejects unknown ones. */
export const NO_QUERY = z.strictObject({})
