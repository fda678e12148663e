import { ScimError } from '@plumbline/scim'
import type { UserIdOf } from './users.ts'

/** RFC 7644 §3.11: `/Me` is the user whom the token belongs to. */
export const ownId: UserIdOf = ({ principal }) => {
  if (principal.userId === null) throw new ScimError(404, 'the token does not belong to a user')
  return principal.userId
}
