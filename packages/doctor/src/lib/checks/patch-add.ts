import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { objectsOf, stringsOf } from '../json.ts'
import { expectEqual, expectMember, expectStatus, expectThat } from '../toolkit/expect.ts'
import {
  emailsByType,
  expectUnmodified,
  modifyResource,
  modifyUser,
  primaryTypes,
  readResource,
  twoEmails,
  waitForLaterChange,
} from '../toolkit/patch.ts'

const SECTION = 'RFC 7644 §3.5.2.1'

export const PATCH_ADD_CHECKS: readonly Check[] = [
  {
    id: 'patch-add.attribute',
    section: SECTION,
    level: 'MUST',
    title: 'add with the path of an attribute without a value sets it',
    needs: ['patch', 'check:create.user', 'User.title'],
    advice: 'Apply the operation to the attribute that the path names, and store the result.',
    affects: { entra: 'Attributes that were empty before are never provisioned.' },
    run: async (server) => {
      const operation = { op: 'add', path: 'title', value: 'Engineer' }
      const user = await modifyUser(server, { title: undefined }, operation)
      expectMember(user, 'title', 'Engineer')
    },
  },
  {
    id: 'patch-add.existing-attribute',
    section: SECTION,
    level: 'MUST',
    title: 'add to a single-valued attribute replaces its value',
    needs: ['patch', 'check:create.user', 'User.displayName'],
    advice: 'Treat add like replace if the attribute is single-valued and has a value.',
    affects: { entra: 'Changed values are not provisioned, because it may send them as add.' },
    run: async (server) => {
      const operation = { op: 'add', path: 'displayName', value: 'Grace Sample' }
      expectMember(await modifyUser(server, {}, operation), 'displayName', 'Grace Sample')
    },
  },
  {
    id: 'patch-add.no-path',
    section: SECTION,
    level: 'MUST',
    title: 'add without a path sets each attribute that the value has',
    needs: ['patch', 'check:create.user', 'User.title', 'User.displayName'],
    advice: 'Without a path, read the value as a part of the resource and add each of its members.',
    run: async (server) => {
      const value = { title: 'Engineer', displayName: 'Grace Sample' }
      const user = await modifyUser(server, { title: undefined }, { op: 'add', value })
      expectMember(user, 'title', 'Engineer')
      expectMember(user, 'displayName', 'Grace Sample')
    },
  },
  {
    id: 'patch-add.sub-attribute',
    section: SECTION,
    level: 'MUST',
    title: 'add to a sub-attribute keeps the other sub-attributes',
    needs: ['patch', 'check:create.user', 'User.name.givenName', 'User.name.familyName'],
    advice: 'Change only the sub-attribute after the dot in the path.',
    affects: { entra: 'The family name is lost when the given name changes.' },
    run: async (server) => {
      const operation = { op: 'add', path: 'name.givenName', value: 'Grace' }
      const user = await modifyUser(server, { name: { familyName: 'Sample' } }, operation)
      expectMember(user, 'name.givenName', 'Grace')
      expectMember(user, 'name.familyName', 'Sample')
    },
  },
  {
    id: 'patch-add.complex',
    section: SECTION,
    level: 'MUST',
    title: 'add to a complex attribute keeps the sub-attributes that the value does not have',
    needs: ['patch', 'check:create.user', 'User.name.givenName', 'User.name.familyName'],
    advice: 'Merge the sub-attributes of the value into the existing value.',
    run: async (server) => {
      const operation = { op: 'add', path: 'name', value: { givenName: 'Grace' } }
      const user = await modifyUser(server, { name: { familyName: 'Sample' } }, operation)
      expectMember(user, 'name.givenName', 'Grace')
      expectMember(user, 'name.familyName', 'Sample')
    },
  },
  {
    id: 'patch-add.multi-valued',
    section: SECTION,
    level: 'MUST',
    title: 'add to a multi-valued attribute keeps the values that it has',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Append the new values to the list. Only replace removes the existing values.',
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const operation = { op: 'add', path: 'emails', value: [home] }
      const user = await modifyUser(server, { emails: [work] }, operation)
      expectEqual(emailsByType(user), { work: work.value, home: home.value }, 'emails by type')
    },
  },
  {
    id: 'patch-add.no-path-multi-valued',
    section: SECTION,
    level: 'MUST',
    title: 'add without a path keeps the values of the multi-valued attributes in the value',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Append the values of a list, also if the attribute is a member of the value.',
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const operation = { op: 'add', value: { emails: [home] } }
      const user = await modifyUser(server, { emails: [work] }, operation)
      expectEqual(emailsByType(user), { work: work.value, home: home.value }, 'emails by type')
    },
  },
  {
    id: 'patch-add.duplicate',
    section: SECTION,
    level: 'SHOULD',
    title: 'add of a value that exists does not store it a second time',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Ignore a value that the attribute already has, and answer with success.',
    affects: { entra: 'Values are duplicated when a provisioning cycle is repeated.' },
    run: async (server) => {
      const [work] = twoEmails(server)
      const operation = { op: 'add', path: 'emails', value: [work] }
      const { emails } = await modifyUser(server, { emails: [work] }, operation)
      expectEqual(objectsOf(emails).length, 1, 'the number of emails')
    },
  },
  {
    id: 'patch-add.no-change',
    section: SECTION,
    level: 'MUST',
    title: 'add of a value that exists does not change meta.lastModified',
    needs: ['patch', 'check:create.user', 'check:patch-add.duplicate', 'User.emails.type'],
    advice:
      'Compare the resource before and after the operations, and store it only if it changed.',
    run: async (server) => {
      const [work] = twoEmails(server)
      const { path } = await server.create('User', { emails: [work] })
      const before = await waitForLaterChange(await readResource(server, path))
      const operation = { op: 'add', path: 'emails', value: [work] }
      const after = await modifyResource(server, path, operation)
      expectMember(after, 'meta.lastModified', before)
    },
  },
  {
    id: 'patch-add.value-path',
    section: SECTION,
    level: 'MUST',
    title: 'add with a value path sets the sub-attribute of the values that it selects',
    needs: ['patch', 'check:create.user', 'User.emails.type', 'User.emails.display'],
    advice: 'Apply the filter in brackets to the values, and change only those that match.',
    affects: { entra: 'It addresses each value of emails and phoneNumbers in this way.' },
    run: async (server) => {
      const operation = { op: 'add', path: 'emails[type eq "home"].display', value: 'At home' }
      const { emails } = await modifyUser(server, { emails: twoEmails(server) }, operation)
      const found = objectsOf(emails).map(({ type, display }) => [type, display === 'At home'])
      expectEqual(Object.fromEntries(found), { work: false, home: true }, 'emails with the display')
    },
  },
  {
    id: 'patch-add.extension',
    section: 'RFC 7644 §3.10',
    level: 'MUST',
    title: 'add with the URN of an extension in the path sets the attribute of the extension',
    needs: ['patch', 'check:create.user', 'enterprise'],
    advice: 'Read the text before the last colon as a schema URN, which may contain dots.',
    affects: { entra: 'Department, employee number and manager are not provisioned.' },
    run: async (server) => {
      const path = `${ENTERPRISE_USER_SCHEMA}:department`
      const user = await modifyUser(server, {}, { op: 'add', path, value: 'Research' })
      expectMember(user, [ENTERPRISE_USER_SCHEMA, 'department'], 'Research')
    },
  },
  {
    id: 'patch-add.extension-schemas',
    section: 'RFC 7643 §3',
    level: 'MUST',
    title: 'schemas has the URN of an extension whose first attribute was added by PATCH',
    needs: ['check:patch-add.extension', 'check:representation.schemas-extension'],
    advice: 'Compute schemas from the extensions that the resource has.',
    run: async (server) => {
      const path = `${ENTERPRISE_USER_SCHEMA}:department`
      const user = await modifyUser(server, {}, { op: 'add', path, value: 'Research' })
      const schemas = stringsOf(user.schemas)
      expectThat(schemas.includes(ENTERPRISE_USER_SCHEMA), ENTERPRISE_USER_SCHEMA, schemas)
    },
  },
  {
    id: 'patch-add.primary',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    title: 'add of a value that is primary makes the other values not primary',
    needs: ['patch', 'check:create.user', 'User.emails.type', 'User.emails.primary'],
    advice: 'Set primary to false in the other values when a new value is primary.',
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const operation = { op: 'add', path: 'emails', value: [{ ...home, primary: true }] }
      const user = await modifyUser(server, { emails: [work] }, operation)
      expectEqual(primaryTypes(user), ['home'], 'the types of the primary emails')
    },
  },
  {
    id: 'patch-add.read-only',
    section: 'RFC 7643 §2.2',
    level: 'MUST',
    title: 'add does not change a read-only attribute',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 mutability if an operation names a read-only attribute.',
    run: async (server) => {
      const value = server.unique()
      const user = await server.create('User')
      await expectUnmodified(server, user, 'id', { op: 'add', path: 'id', value })
    },
  },
  {
    id: 'patch-add.missing-value',
    section: SECTION,
    level: 'MUST',
    title: 'add without a value is rejected',
    needs: ['patch', 'check:create.user', 'User.title'],
    advice: 'Answer 400 invalidValue or invalidSyntax if an add operation does not have a value.',
    run: async (server) => {
      const { path } = await server.create('User', { title: 'Engineer' })
      expectStatus(await server.modify(path, { op: 'add', path: 'title' }), 400)
      expectMember(await readResource(server, path), 'title', 'Engineer')
    },
  },
]
