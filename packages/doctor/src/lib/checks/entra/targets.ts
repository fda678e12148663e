import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { objectsOf } from '../../json.ts'
import { expectAbsent, expectEqual, expectMember } from '../../toolkit/expect.ts'
import { emailsByType, modifyUser, twoEmails } from '../../toolkit/patch.ts'

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
  {
    ...ENTRA,
    id: 'entra.add-creates',
    title: 'Add with a value path that selects nothing creates the value',
    needs: ['check:entra.op-case', 'User.phoneNumbers.type'],
    advice: 'Create a value with the terms of the filter, such as the type, and the new part.',
    affects: { entra: 'Phone numbers and addresses of existing users are never provisioned.' },
    run: async (server) => {
      const path = 'phoneNumbers[type eq "work"].value'
      const operation = { op: 'Add', path, value: '+1-201-555-0123' }
      const user = await modifyUser(server, { phoneNumbers: undefined }, operation)
      expectEqual(objectsOf(user.phoneNumbers).map(typeAndValue), CREATED, 'the phone numbers')
    },
  },
  {
    ...ENTRA,
    id: 'entra.replace-creates',
    title: 'Replace with a value path that selects nothing creates the value',
    needs: ['check:entra.op-case', 'User.phoneNumbers.type'],
    advice: 'For Entra ID, create the value instead of the noTarget of the standard.',
    affects: { entra: 'One such operation fails the whole update of the user.' },
    run: async (server) => {
      const path = 'phoneNumbers[type eq "work"].value'
      const operation = { op: 'Replace', path, value: '+1-201-555-0123' }
      const user = await modifyUser(server, { phoneNumbers: undefined }, operation)
      expectEqual(objectsOf(user.phoneNumbers).map(typeAndValue), CREATED, 'the phone numbers')
    },
  },
  {
    ...ENTRA,
    id: 'entra.sub-attribute-case',
    title: 'The sub-attribute after a value path matches in any letter case',
    needs: ['check:entra.op-case', 'User.emails.type'],
    advice: 'Compare names of sub-attributes without regard to letter case.',
    affects: { entra: 'Its mappings have paths such as emails[type eq "work"].Value.' },
    run: async (server) => {
      const [work] = twoEmails(server)
      const value = `${server.unique()}@example.com`
      const operation = { op: 'Replace', path: 'emails[type eq "work"].Value', value }
      expectEqual(
        emailsByType(await modifyUser(server, { emails: [work] }, operation)),
        { work: value },
        'emails by type',
      )
    },
  },
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
  {
    ...ENTRA,
    id: 'entra.dotted-keys',
    title: 'replace without a path accepts names with dots, such as name.givenName',
    needs: ['patch', 'check:create.user', 'User.name.givenName', 'User.name.familyName'],
    advice: 'Read each member name of the value as a path.',
    affects: { entra: 'With the flag aadOptscim062020, names of users are never updated.' },
    run: async (server) => {
      const name = { givenName: 'Ada', familyName: 'Sample' }
      const operation = { op: 'replace', value: { 'name.givenName': 'Grace' } }
      const user = await modifyUser(server, { name }, operation)
      expectMember(user, 'name.givenName', 'Grace')
      expectMember(user, 'name.familyName', 'Sample')
      expectAbsent(user, ['name.givenName'])
    },
  },
  {
    ...ENTRA,
    id: 'entra.urn-keys',
    title: 'replace without a path accepts names that start with the URN of an extension',
    needs: ['patch', 'check:create.user', 'enterprise'],
    advice: 'Read each member name of the value as a path, which may start with a URN.',
    affects: { entra: 'With the flag aadOptscim062020, extensions are never updated.' },
    run: async (server) => {
      const key = `${ENTERPRISE_USER_SCHEMA}:department`
      const operation = { op: 'replace', value: { [key]: 'Research' } }
      const user = await modifyUser(server, {}, operation)
      expectMember(user, [ENTERPRISE_USER_SCHEMA, 'department'], 'Research')
      expectAbsent(user, [key])
    },
  },
  {
    ...ENTRA,
    id: 'entra.value-path-keys',
    title: 'replace without a path accepts names that are value paths',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Read each member name of the value as a path, which may have a filter.',
    affects: { entra: 'With the flag aadOptscim062020, addresses are never updated.' },
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const value = `${server.unique()}@example.com`
      const operation = { op: 'replace', value: { 'emails[type eq "work"].value': value } }
      const user = await modifyUser(server, { emails: [work, home] }, operation)
      expectEqual(emailsByType(user), { work: value, home: home.value }, 'emails by type')
    },
  },
]

const typeAndValue = ({ type, value }: { readonly [name: string]: unknown }): unknown => ({
  type,
  value,
})

const CREATED = [{ type: 'work', value: '+1-201-555-0123' }]
