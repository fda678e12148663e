import { z } from 'zod'
import { PROFILE_NAMES } from '../profiles.ts'
import { TENANT_ID } from '../scim-path.ts'

/** The id of a tenant. */
export const tenantId = z
  .string()
  .regex(TENANT_ID)
  .meta({ description: 'Lowercase letters, digits and hyphens' })

/** A string that every database stores unchanged: without U+0000 and lone surrogates. */
export const text = z
  .string()
  .regex(/^[^\0]*$/, 'must not contain U+0000')
  .refine((value) => value.isWellFormed(), 'must not contain a lone surrogate')

/** The name of a tenant or a token, for people. */
export const name = text.min(1).max(200)

/** The profile of a token or an OAuth client. */
export const profile = z.enum(PROFILE_NAMES).meta({
  description:
    'The kind of client. `interop`, `ipsie-al1` and `ipsie-al2` reject requests of Okta and Entra ID.',
})
