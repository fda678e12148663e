// Applies a PATCH as identity providers send it, with one named tolerance.

import { isFailure, unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
const user = { schemas: [USER_DEFINITION.id], userName: 'bjensen', active: true }
const Operations = [
  { op: 'Replace', value: { active: 'False', 'name.givenName': 'Barbara' } },
  { op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@example.com' },
]
const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))

const strict = applyPatch(user, operations, { definitions })
isFailure(strict) && strict.error.scimType //=> 'noTarget'
const patched = unwrap(applyPatch(user, operations, { definitions, tolerate: ['replace-creates'] }))
patched.active //=> false
patched.emails //=> [{ type: 'work', value: 'b@example.com' }]
user.active //=> true
