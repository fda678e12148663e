import type { Check } from '../../check.ts'
import { objectsOf } from '../../json.ts'
import { findAttributeReason } from '../../model/attribute-needs.ts'
import { findVocabulary } from '../../model/vocabulary.ts'
import { expectIgnored, patching } from '../../patching.ts'
import { PATCH_ROWS } from '../../rows/patch-rows.ts'
import { expectEqual, expectMember } from '../../toolkit/expect.ts'
import { modifyUser, twoElements } from '../../toolkit/patch.ts'

const ENTRA = { section: 'Entra ID', level: 'practice', profiles: ['entra'] } as const

/** The targets in Entra ID's PATCH operations: with paths, and with the flag aadOptscim062020 without. */
export const ENTRA_TARGET_CHECKS: readonly Check[] = [
  {
    ...ENTRA,
    id: 'entra.op-case',
    title: 'Add, Replace and Remove are operations',
    needs: ['patch', 'check:create.user', 'User:text'],
    advice: 'Compare op without regard to letter case.',
    affects: { entra: 'All updates of users and groups fail.' },
    run: async (server) => {
      const { text, optional } = findVocabulary(server.type('User'))
      const path = text ?? ''
      const value = server.fit(path, 'Grace Sample')
      const replace = { op: 'Replace', path, value }
      if (optional === undefined) {
        return void expectMember(await modifyUser(server, {}, replace), path, value)
      }
      const user = await modifyUser(
        server,
        server.set({ [optional]: 'Engineer' }),
        replace,
        { op: 'Remove', path: optional },
        { op: 'Add', path: optional, value: 'Admiral' },
      )
      expectMember(user, path, value)
      expectMember(user, optional, 'Admiral')
    },
  },
  patching({
    ...ENTRA,
    id: 'entra.add-creates',
    row: PATCH_ROWS.createdValue,
    otherwise: [PATCH_ROWS.createdElement],
    isIgnored: true,
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
    otherwise: [PATCH_ROWS.createdElement],
    isIgnored: true,
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
    otherwise: [PATCH_ROWS.partOfOnly],
    isIgnored: true,
    op: 'Replace',
    path: (path) => path.replace(/value$/, 'Value'),
    title: 'The sub-attribute after a value path matches in any letter case',
    needs: ['check:entra.op-case'],
    advice: 'Compare names of sub-attributes without regard to letter case.',
    affects: { entra: 'Its mappings have paths such as emails[type eq "work"].Value.' },
  }),
  {
    ...ENTRA,
    id: 'entra.primary-text',
    title: 'The string "True" in the filter of a value path is a boolean',
    needs: ['check:entra.op-case'],
    advice: 'Compare "True" with a boolean attribute as true.',
    affects: { entra: 'It sends paths such as roles[primary eq "True"].display.' },
    run: async (server) => {
      const { list } = findVocabulary(server.type('User'))
      const operation = (name: string) => {
        return { op: 'Replace', path: `${name}[primary eq "True"].display`, value: 'At work' }
      }
      const isDeclared = ['User.emails.primary', 'User.emails.display'] as const
      const isLacking = isDeclared.some((need) => findAttributeReason(server.types, need) !== null)
      if (list?.path !== 'emails' || isLacking) return expectIgnored(server, operation('roles'))
      const elements = twoElements(server).slice(0, list.kinds.length)
      const { emails } = await modifyUser(server, { emails: elements }, operation('emails'))
      const found = objectsOf(emails).filter(({ display }) => display === 'At work')
      expectEqual(
        found.map(({ type }) => type),
        [list.kinds[0]],
        'the types of the changed emails',
      )
    },
  },
  patching({
    ...ENTRA,
    id: 'entra.dotted-keys',
    row: PATCH_ROWS.subAttribute,
    otherwise: [PATCH_ROWS.optional],
    isIgnored: true,
    inValue: true,
    title: 'replace without a path accepts names with dots, such as name.givenName',
    advice: 'Read each member name of the value as a path.',
    affects: { entra: 'With the flag aadOptscim062020, names of users are never updated.' },
  }),
  patching({
    ...ENTRA,
    id: 'entra.urn-keys',
    row: PATCH_ROWS.extension,
    isIgnored: true,
    inValue: true,
    title: 'replace without a path accepts names that start with the URN of an extension',
    advice: 'Read each member name of the value as a path, which may start with a URN.',
    affects: { entra: 'With the flag aadOptscim062020, extensions are never updated.' },
  }),
  patching({
    ...ENTRA,
    id: 'entra.value-path-keys',
    row: PATCH_ROWS.part,
    otherwise: [PATCH_ROWS.partOfOnly],
    isIgnored: true,
    inValue: true,
    title: 'replace without a path accepts names that are value paths',
    advice: 'Read each member name of the value as a path, which may have a filter.',
    affects: { entra: 'With the flag aadOptscim062020, addresses are never updated.' },
  }),
]
