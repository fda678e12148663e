import type { Check } from '../../check.ts'
import { objectsOf } from '../../json.ts'
import { patching } from '../../patching.ts'
import { PATCH_ROWS } from '../../rows/patch-rows.ts'
import { expectEqual, expectMember } from '../../toolkit/expect.ts'
import { modifyUser, twoEmails } from '../../toolkit/patch.ts'

const ENTRA = { section: 'Entra ID', level: 'practice', profiles: ['entra'] } as const

/** The targets of its PATCH operations: with paths, and with the flag aadOptscim062020 without. */
export const ENTRA_TARGET_CHECKS: readonly Check[] = [
  {
    ...ENTRA,
    id: 'entra.op-case',
    title: 'Add, Replace and Remove are operations',
    needs: ['patch', 'check:create.user', 'User.title', 'User.displayName'],
    advice: 'Compare op without regard to letter case.',
    affects: { entra: 'All updates of users and groups fail.' },
    run: async (server) => {
      const user = await modifyUser(
        server,
        { title: 'Engineer' },
        { op: 'Replace', path: 'displayName', value: 'Grace Sample' },
        { op: 'Remove', path: 'title' },
        { op: 'Add', path: 'title', value: 'Admiral' },
      )
      expectMember(user, 'displayName', 'Grace Sample')
      expectMember(user, 'title', 'Admiral')
    },
  },
  patching({
    ...ENTRA,
    id: 'entra.add-creates',
    row: PATCH_ROWS.createdValue,
    op: 'Add',
    title: 'Add with a value path that selects nothing creates the value',
    needs: ['check:entra.op-case'],
    advice: 'Create a value with the terms of the filter, such as the type, and the new part.',
    affects: { entra: 'Phone numbers and addresses of existing users are never provisioned.' },
  }),
  patching({
    ...ENTRA,
    id: 'entra.replace-creates',
    row: PATCH_ROWS.createdValue,
    op: 'Replace',
    title: 'Replace with a value path that selects nothing creates the value',
    needs: ['check:entra.op-case'],
    advice: 'For Entra ID, create the value instead of the noTarget of the standard.',
    affects: { entra: 'One such operation fails the whole update of the user.' },
  }),
  patching({
    ...ENTRA,
    id: 'entra.sub-attribute-case',
    row: PATCH_ROWS.part,
    op: 'Replace',
    path: 'emails[type eq "work"].Value',
    title: 'The sub-attribute after a value path matches in any letter case',
    needs: ['check:entra.op-case'],
    advice: 'Compare names of sub-attributes without regard to letter case.',
    affects: { entra: 'Its mappings have paths such as emails[type eq "work"].Value.' },
  }),
  {
    ...ENTRA,
    id: 'entra.primary-text',
    title: 'The string "True" in the filter of a value path is a boolean',
    needs: ['check:entra.op-case', 'User.emails.primary', 'User.emails.display'],
    advice: 'Compare "True" with a boolean attribute as true.',
    affects: { entra: 'It sends paths such as roles[primary eq "True"].display.' },
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const path = 'emails[primary eq "True"].display'
      const operation = { op: 'Replace', path, value: 'At work' }
      const { emails } = await modifyUser(server, { emails: [work, home] }, operation)
      const found = objectsOf(emails).filter(({ display }) => display === 'At work')
      expectEqual(
        found.map(({ type }) => type),
        ['work'],
        'the types of the changed emails',
      )
    },
  },
  patching({
    ...ENTRA,
    id: 'entra.dotted-keys',
    row: PATCH_ROWS.subAttribute,
    inValue: true,
    title: 'replace without a path accepts names with dots, such as name.givenName',
    advice: 'Read each member name of the value as a path.',
    affects: { entra: 'With the flag aadOptscim062020, names of users are never updated.' },
  }),
  patching({
    ...ENTRA,
    id: 'entra.urn-keys',
    row: PATCH_ROWS.extension,
    inValue: true,
    title: 'replace without a path accepts names that start with the URN of an extension',
    advice: 'Read each member name of the value as a path, which may start with a URN.',
    affects: { entra: 'With the flag aadOptscim062020, extensions are never updated.' },
  }),
  patching({
    ...ENTRA,
    id: 'entra.value-path-keys',
    row: PATCH_ROWS.part,
    inValue: true,
    title: 'replace without a path accepts names that are value paths',
    advice: 'Read each member name of the value as a path, which may have a filter.',
    affects: { entra: 'With the flag aadOptscim062020, addresses are never updated.' },
  }),
]
