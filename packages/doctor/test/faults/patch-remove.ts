import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { answers, type Body, defineFaults } from '../fault.ts'
import { afterwards, ignores, operations } from './patch.ts'

/** Whether an operation is a remove with the path. */
const removes =
  (target: string) =>
  ({ op, path }: Body) =>
    op === 'remove' && path === target

/** Removes another target than the one of the path. */
const removesInstead = (target: string, other: string) =>
  operations((operation) => (removes(target)(operation) ? [{ op: 'remove', path: other }] : null))

/** Changes the scimType of the error for a remove operation with the path. */
const rejects = (target: string | undefined) =>
  answers('PATCH /Users/:id', ({ status, body }, sent) => {
    const [operation] = sent.body.Operations ?? []
    if (status !== 400 || operation?.op !== 'remove' || operation.path !== target) return
    body.scimType = 'invalidValue'
  })

export const PATCH_REMOVE_FAULTS = defineFaults([
  {
    check: 'patch-remove.attribute',
    also: { 'stored.patch-remove': 'it removes the title as well' },
    fault: ignores(removes('title')),
  },
  {
    check: 'patch-remove.sub-attribute',
    fault: removesInstead('name.givenName', 'name'),
  },
  {
    check: 'patch-remove.complex',
    fault: removesInstead('name', 'name.givenName'),
  },
  {
    check: 'patch-remove.multi-valued',
    fault: removesInstead('emails', 'emails[type eq "work"]'),
  },
  {
    check: 'patch-remove.value-path',
    fault: removesInstead('emails[type eq "home"]', 'emails'),
  },
  {
    check: 'patch-remove.value-path-and',
    fault: operations(({ op, path = '' }) =>
      op === 'remove' && path.includes(' and ')
        ? [{ op, path: path.replace(' and ', ' or ') }]
        : null,
    ),
  },
  {
    check: 'patch-remove.last-value',
    fault: afterwards(removes('emails[type eq "work"]'), (user) => {
      user.emails = [{}]
    }),
  },
  {
    check: 'patch-remove.value-path-sub-attribute',
    fault: removesInstead('emails[type eq "home"].display', 'emails.display'),
  },
  {
    check: 'patch-remove.value-path-missing',
    fault: removesInstead('emails[type eq "other"]', 'emails'),
  },
  {
    check: 'patch-remove.extension',
    also: { 'stored.patch-remove': 'it removes the number as well' },
    fault: ignores(removes(`${ENTERPRISE_USER_SCHEMA}:employeeNumber`)),
  },
  { check: 'patch-remove.no-path', fault: rejects(undefined) },
  { check: 'patch-remove.required', fault: rejects('userName') },
  { check: 'patch-remove.read-only', fault: rejects('id') },
])
