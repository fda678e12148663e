import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { type Body, defineFaults } from '../fault.ts'
import { afterwards, ignores, later, operations } from './patch.ts'

const DEPARTMENT = `${ENTERPRISE_USER_SCHEMA}:department`

/** Whether an operation adds values to emails; the check says which. */
const addsEmails = ({ op, path }: Body) => op === 'add' && path === 'emails'

export const PATCH_ADD_FAULTS = defineFaults([
  {
    check: 'patch-add.attribute',
    fault: ignores(({ op, path, value }) => op === 'add' && path === 'title' && value),
  },
  {
    check: 'patch-add.existing-attribute',
    fault: ignores(({ op, path }) => op === 'add' && path === 'displayName'),
  },
  {
    check: 'patch-add.no-path',
    fault: ignores(({ op, path, value }) => op === 'add' && path === undefined && value?.title),
  },
  {
    check: 'patch-add.sub-attribute',
    fault: operations((operation) =>
      operation.op === 'add' && operation.path === 'name.givenName'
        ? [{ op: 'remove', path: 'name' }, operation]
        : null,
    ),
  },
  {
    check: 'patch-add.complex',
    fault: operations((operation) =>
      operation.op === 'add' && operation.path === 'name'
        ? [{ op: 'remove', path: 'name' }, operation]
        : null,
    ),
  },
  {
    check: 'patch-add.multi-valued',
    fault: operations((operation) =>
      addsEmails(operation) && operation.value[0].primary === undefined
        ? [{ ...operation, op: 'replace' }]
        : null,
    ),
  },
  {
    check: 'patch-add.no-path-multi-valued',
    fault: operations((operation) =>
      operation.op === 'add' && operation.value?.emails ? [{ ...operation, op: 'replace' }] : null,
    ),
  },
  {
    check: 'patch-add.duplicate',
    fault: afterwards(
      (operation) => addsEmails(operation) && operation.value[0].type === 'work',
      (user, { value }) => user.emails.push(value[0]),
    ),
  },
  {
    check: 'patch-add.no-change',
    fault: afterwards(
      (operation) => addsEmails(operation) && operation.value[0].type === 'work',
      ({ meta }) => {
        meta.lastModified = later(meta.lastModified)
      },
    ),
  },
  {
    check: 'patch-add.value-path',
    fault: operations((operation) =>
      operation.op === 'add' && operation.path === 'emails[type eq "home"].display'
        ? [{ ...operation, path: 'emails.display' }]
        : null,
    ),
  },
  {
    check: 'patch-add.extension',
    fault: ignores(({ op, path }) => op === 'add' && path === DEPARTMENT),
  },
  {
    check: 'patch-add.extension-schemas',
    fault: afterwards(
      ({ op, path }) => op === 'add' && path === DEPARTMENT,
      (user) => {
        user.schemas = user.schemas.filter((one: string) => one !== ENTERPRISE_USER_SCHEMA)
      },
    ),
  },
  {
    check: 'patch-add.primary',
    fault: afterwards(
      (operation) => addsEmails(operation) && operation.value[0].primary === true,
      ({ emails }) => {
        for (const email of emails) email.primary = true
      },
    ),
  },
  {
    check: 'patch-add.read-only',
    fault: afterwards(
      ({ op, path }) => op === 'add' && path === 'id',
      (user, { value }) => {
        user.id = value
      },
    ),
  },
  {
    check: 'patch-add.missing-value',
    fault: ignores(({ op, value }) => op === 'add' && value === undefined),
  },
])
