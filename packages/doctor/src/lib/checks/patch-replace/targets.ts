import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, objectsOf } from '../../json.ts'
import { expectEqual, expectError, expectMember, expectThat } from '../../toolkit/expect.ts'
import {
  emailsByType,
  modifyResource,
  modifyUser,
  primaryTypes,
  readResource,
  twoEmails,
} from '../../toolkit/patch.ts'
import { spareText } from '../../toolkit/spare.ts'

const SECTION = 'RFC 7644 §3.5.2.3'

/** Rules for the targets of replace operations. */
export const REPLACE_TARGET_CHECKS: readonly Check[] = [
  {
    id: 'patch-replace.attribute',
    section: SECTION,
    level: 'MUST',
    title: 'replace with the path of an attribute changes its value',
    needs: ['patch', 'check:create.user', 'User.displayName'],
    advice: 'Apply the operation to the attribute that the path names, and store the result.',
    affects: { entra: 'Updates of users fail.', okta: 'Updates of users fail.' },
    run: async (server) => {
      const operation = { op: 'replace', path: 'displayName', value: 'Grace Sample' }
      expectMember(await modifyUser(server, {}, operation), 'displayName', 'Grace Sample')
    },
  },
  {
    id: 'patch-replace.absent',
    section: SECTION,
    level: 'MUST',
    title: 'replace of an attribute without a value adds it',
    needs: ['patch', 'check:create.user', 'User.title'],
    advice: 'Treat replace like add if the attribute does not have a value.',
    affects: { entra: 'Attributes that were empty before are never provisioned.' },
    run: async (server) => {
      const operation = { op: 'replace', path: 'title', value: 'Engineer' }
      const user = await modifyUser(server, { title: undefined }, operation)
      expectMember(user, 'title', 'Engineer')
    },
  },
  {
    id: 'patch-replace.no-path',
    section: SECTION,
    level: 'MUST',
    title: 'replace without a path changes the attributes in the value and keeps the others',
    needs: ['patch', 'check:create.user', 'User.title', 'User.displayName'],
    advice: 'Without a path, replace each attribute that is a member of the value, and no other.',
    affects: { okta: 'It activates and deactivates users in this way.' },
    run: async (server) => {
      const operation = { op: 'replace', value: { displayName: 'Grace Sample' } }
      const user = await modifyUser(server, { title: 'Engineer' }, operation)
      expectMember(user, 'displayName', 'Grace Sample')
      expectMember(user, 'title', 'Engineer')
    },
  },
  {
    id: 'patch-replace.sub-attribute',
    section: SECTION,
    level: 'MUST',
    title: 'replace of a sub-attribute keeps the other sub-attributes',
    needs: ['patch', 'check:create.user', 'User.name.givenName', 'User.name.familyName'],
    advice: 'Change only the sub-attribute after the dot in the path.',
    affects: { entra: 'The family name is lost when the given name changes.' },
    run: async (server) => {
      const name = { givenName: 'Ada', familyName: 'Sample' }
      const operation = { op: 'replace', path: 'name.givenName', value: 'Grace' }
      const user = await modifyUser(server, { name }, operation)
      expectMember(user, 'name.givenName', 'Grace')
      expectMember(user, 'name.familyName', 'Sample')
    },
  },
  {
    id: 'patch-replace.complex',
    section: SECTION,
    level: 'MUST',
    title: 'replace of a complex attribute keeps the sub-attributes that the value does not have',
    needs: ['patch', 'check:create.user', 'User.name.givenName', 'User.name.familyName'],
    advice: 'Merge the sub-attributes of the value into the existing value; PUT replaces all.',
    run: async (server) => {
      const name = { givenName: 'Ada', familyName: 'Sample' }
      const operation = { op: 'replace', path: 'name', value: { givenName: 'Grace' } }
      const user = await modifyUser(server, { name }, operation)
      expectMember(user, 'name.givenName', 'Grace')
      expectMember(user, 'name.familyName', 'Sample')
    },
  },
  {
    id: 'patch-replace.multi-valued',
    section: SECTION,
    level: 'MUST',
    title: 'replace of a multi-valued attribute replaces all its values',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Without a filter in the path, replace the whole list by the new one.',
    run: async (server) => {
      const value = `${server.unique()}@other.example`
      const operation = { op: 'replace', path: 'emails', value: [{ value, type: 'other' }] }
      const user = await modifyUser(server, { emails: twoEmails(server) }, operation)
      expectEqual(emailsByType(user), { other: value }, 'emails by type')
    },
  },
  {
    id: 'patch-replace.value-path',
    section: SECTION,
    level: 'MUST',
    title: 'replace with a value path replaces the selected value and keeps the others',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Apply the filter in brackets to the values, and change only those that match.',
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const value = { ...home, value: `${server.unique()}@home.example` }
      const operation = { op: 'replace', path: 'emails[type eq "home"]', value }
      const user = await modifyUser(server, { emails: [work, home] }, operation)
      expectEqual(emailsByType(user), { work: work.value, home: value.value }, 'emails by type')
    },
  },
  {
    id: 'patch-replace.value-path-sub-attribute',
    section: SECTION,
    level: 'MUST',
    title: 'replace with a value path and a sub-attribute changes only this sub-attribute',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Change the sub-attribute in the values that match, and keep their other parts.',
    affects: { entra: 'Changed addresses and phone numbers are not provisioned.' },
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const value = `${server.unique()}@example.com`
      const operation = { op: 'replace', path: 'emails[type eq "work"].value', value }
      const user = await modifyUser(server, { emails: [work, home] }, operation)
      expectEqual(emailsByType(user), { work: value, home: home.value }, 'emails by type')
    },
  },
  {
    id: 'patch-replace.no-target',
    section: SECTION,
    level: 'MUST',
    title: 'replace with a value path that selects no value is rejected with noTarget',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    notFor: ['entra'],
    advice:
      'Answer 400 noTarget. Create the value only for clients that need it, as Entra ID does.',
    run: async (server) => {
      const value = `${server.unique()}@other.example`
      const { path, sent } = await server.create('User')
      const operation = { op: 'replace', path: 'emails[type eq "other"].value', value }
      expectError(await server.modify(path, operation), 400, 'noTarget')
      const { emails } = await readResource(server, path)
      expectEqual(objectsOf(emails).length, objectsOf(sent.emails).length, 'the number of emails')
    },
  },
  {
    id: 'patch-replace.extension',
    section: 'RFC 7644 §3.10',
    level: 'MUST',
    title:
      'replace with the URN of an extension in the path changes the attribute of the extension',
    needs: ['patch', 'check:create.user', 'enterprise'],
    advice: 'Read the text before the last colon as a schema URN, which may contain dots.',
    affects: { entra: 'Changed departments and employee numbers are not provisioned.' },
    run: async (server) => {
      const path = `${ENTERPRISE_USER_SCHEMA}:department`
      const user = await modifyUser(server, enterprise(server), {
        ...{ op: 'replace', path, value: 'Research' },
      })
      expectMember(user, [ENTERPRISE_USER_SCHEMA, 'department'], 'Research')
    },
  },
  {
    id: 'patch-replace.no-path-extension',
    section: SECTION,
    level: 'MUST',
    title: 'replace without a path changes the attributes of an extension that its value has',
    needs: ['patch', 'check:create.user', 'enterprise'],
    advice: 'Read a member whose name is a schema URN as the attributes of that extension.',
    run: async (server) => {
      const value = { [ENTERPRISE_USER_SCHEMA]: { department: 'Research' } }
      const user = await modifyUser(server, enterprise(server), { op: 'replace', value })
      expectMember(user, [ENTERPRISE_USER_SCHEMA, 'department'], 'Research')
    },
  },
  {
    id: 'patch-replace.primary',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    title: 'A value that becomes primary makes the other values not primary',
    needs: ['patch', 'check:create.user', 'User.emails.type', 'User.emails.primary'],
    advice: 'Set primary to false in the other values when a value becomes primary.',
    run: async (server) => {
      const operation = { op: 'replace', path: 'emails[type eq "home"].primary', value: true }
      const user = await modifyUser(server, { emails: twoEmails(server) }, operation)
      expectEqual(primaryTypes(user), ['home'], 'the types of the primary emails')
    },
  },
  {
    id: 'patch-replace.each-type',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    title: 'replace changes an attribute of each resource type',
    needs: ['patch', 'check:patch-replace.attribute', 'custom'],
    advice: 'Serve PATCH for every resource type, also for those of your own.',
    run: async (server) => {
      for (const type of server.types) {
        const attribute = spareText(type)
        if (attribute === undefined) continue
        const { path } = await server.create(type.name)
        const value = attribute.canonicalValues?.[0] ?? server.unique()
        const after = await modifyResource(server, path, {
          ...{ op: 'replace', path: attribute.name, value },
        })
        const found = memberAt(after, [attribute.name])
        expectThat(found === value, `${attribute.name} of ${type.name} to be ${value}`, found)
      }
    },
  },
]

/** A user with a department. */
const enterprise = ({ sample }: Pick<Parameters<Check['run']>[0], 'sample'>) => {
  const { schemas, [ENTERPRISE_USER_SCHEMA]: own } = sample('User')
  return {
    schemas: [...new Set([...(Array.isArray(schemas) ? schemas : []), ENTERPRISE_USER_SCHEMA])],
    [ENTERPRISE_USER_SCHEMA]: { ...Object(own), department: 'Sales' },
  }
}
