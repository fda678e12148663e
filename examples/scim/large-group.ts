// Plans the changes to the members of a large group, without loading the group.

import { unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { parsePatch, planMembership } from '@plumbline/scim/patch'

const Operations = [
  { op: 'remove', path: 'members[value eq "u1"]' },
  { op: 'add', path: 'members', value: [{ value: 'u2', display: 'Babs' }] },
  { op: 'replace', value: { displayName: 'Guides' } },
]
const plan = planMembership(unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations })))
plan && [...plan.remove] //=> ['u1']
plan?.add //=> [{ value: 'u2', display: 'Babs' }]
plan?.targets //=> [['u1']]
plan?.rest.length //=> 1
