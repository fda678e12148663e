import { ScimError } from '@plumbline/scim'
import type { UserIdOf } from './users.ts'

/** The id of the user that the token belongs to (RFC 7644 §3.11: `/Me`). */
export const ownId: UserIdOf = ({ principal }) => {
  if (principal.userId === null) throw new ScimError(404, 'the token does not belong to a user')
  return principal.userId
}
