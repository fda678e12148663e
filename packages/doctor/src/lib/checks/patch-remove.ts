import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { objectsOf } from '../json.ts'
import {
  expectAbsent,
  expectEqual,
  expectError,
  expectMember,
  expectStatus,
} from '../toolkit/expect.ts'
import { emailsByType, modifyUser, readResource, twoEmails } from '../toolkit/patch.ts'

const SECTION = 'RFC 7644 §3.5.2.2'

export const PATCH_REMOVE_CHECKS: readonly Check[] = [
  {
    id: 'patch-remove.attribute',
    section: SECTION,
    level: 'MUST',
    title: 'remove of a single-valued attribute removes its value',
    needs: ['patch', 'check:create.user', 'User.title'],
    advice: 'Delete the value, so that the attribute is absent or null afterwards.',
    affects: { entra: 'Values that were deleted in the directory stay in the application.' },
    run: async (server) => {
      const operation = { op: 'remove', path: 'title' }
      const user = await modifyUser(server, { title: 'Engineer' }, operation)
      expectAbsent(user, 'title')
    },
  },
  {
    id: 'patch-remove.sub-attribute',
    section: SECTION,
    level: 'MUST',
    title: 'remove of a sub-attribute keeps the other sub-attributes',
    needs: ['patch', 'check:create.user', 'User.name.givenName', 'User.name.familyName'],
    advice: 'Delete only the sub-attribute after the dot in the path.',
    run: async (server) => {
      const name = { givenName: 'Ada', familyName: 'Sample' }
      const operation = { op: 'remove', path: 'name.givenName' }
      const user = await modifyUser(server, { name }, operation)
      expectAbsent(user, 'name.givenName')
      expectMember(user, 'name.familyName', 'Sample')
    },
  },
  {
    id: 'patch-remove.complex',
    section: SECTION,
    level: 'MUST',
    title: 'remove of a complex attribute removes all its sub-attributes',
    needs: ['patch', 'check:create.user', 'User.name.givenName', 'User.name.familyName'],
    advice: 'Delete the whole value if the path names a complex attribute.',
    run: async (server) => {
      const name = { givenName: 'Ada', familyName: 'Sample' }
      const user = await modifyUser(server, { name }, { op: 'remove', path: 'name' })
      expectAbsent(user, 'name.givenName')
      expectAbsent(user, 'name.familyName')
    },
  },
  {
    id: 'patch-remove.multi-valued',
    section: SECTION,
    level: 'MUST',
    title: 'remove of a multi-valued attribute removes all its values',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Without a filter in the path, delete the whole list.',
    run: async (server) => {
      const operation = { op: 'remove', path: 'emails' }
      expectAbsent(await modifyUser(server, { emails: twoEmails(server) }, operation), 'emails')
    },
  },
  {
    id: 'patch-remove.value-path',
    section: SECTION,
    level: 'MUST',
    title: 'remove with a value path removes the selected values only',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Apply the filter in brackets to the values, and delete only those that match.',
    affects: { entra: 'All addresses of a user are lost when one is removed.' },
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const operation = { op: 'remove', path: 'emails[type eq "home"]' }
      const user = await modifyUser(server, { emails: [work, home] }, operation)
      expectEqual(emailsByType(user), { work: work.value }, 'emails by type')
    },
  },
  {
    id: 'patch-remove.value-path-and',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'All terms of a value path must match the same value',
    needs: ['patch', 'check:patch-remove.value-path', 'User.emails.value'],
    advice: 'Evaluate the whole filter in brackets for each value.',
    run: async (server) => {
      const [work, home] = twoEmails(server)
      const { path } = await server.create('User', { emails: [work, home] })
      const target = `emails[type eq "home" and value eq "${work.value}"]`
      expectStatus(await server.modify(path, { op: 'remove', path: target }), 200, 204, 400)
      const user = await readResource(server, path)
      expectEqual(emailsByType(user), { work: work.value, home: home.value }, 'emails by type')
    },
  },
  {
    id: 'patch-remove.last-value',
    section: SECTION,
    level: 'MUST',
    title: 'A multi-valued attribute without a value after remove is unassigned',
    needs: ['patch', 'check:patch-remove.value-path'],
    advice: 'Omit the attribute, or return an empty list, after its last value was removed.',
    run: async (server) => {
      const [work] = twoEmails(server)
      const operation = { op: 'remove', path: 'emails[type eq "work"]' }
      expectAbsent(await modifyUser(server, { emails: [work] }, operation), 'emails')
    },
  },
  {
    id: 'patch-remove.value-path-sub-attribute',
    section: SECTION,
    level: 'MUST',
    title: 'remove with a value path and a sub-attribute removes only this sub-attribute',
    needs: ['patch', 'check:create.user', 'User.emails.type', 'User.emails.display'],
    advice: 'Delete the sub-attribute of the values that match, and keep their other parts.',
    run: async (server) => {
      const emails = twoEmails(server).map((email) => ({ ...email, display: 'An address' }))
      const operation = { op: 'remove', path: 'emails[type eq "home"].display' }
      const after = objectsOf((await modifyUser(server, { emails }, operation)).emails)
      const found = after.map(({ type, display }) => [type, display === 'An address'])
      expectEqual(Object.fromEntries(found), { work: true, home: false }, 'emails with the display')
    },
  },
  {
    id: 'patch-remove.value-path-missing',
    section: SECTION,
    level: 'MUST',
    title: 'remove with a value path that selects no value keeps the values',
    needs: ['patch', 'check:create.user', 'User.emails.type'],
    advice: 'Answer success without a change, or 400 noTarget.',
    affects: { okta: 'It repeats removals; success is the safer answer.' },
    run: async (server) => {
      const emails = twoEmails(server)
      const { path } = await server.create('User', { emails })
      const operation = { op: 'remove', path: 'emails[type eq "other"]' }
      expectStatus(await server.modify(path, operation), 200, 204, 400)
      const after = await readResource(server, path)
      expectEqual(objectsOf(after.emails).length, emails.length, 'the number of emails')
    },
  },
  {
    id: 'patch-remove.extension',
    section: 'RFC 7644 §3.10',
    level: 'MUST',
    title: 'remove with the URN of an extension in the path removes the attribute of the extension',
    needs: ['patch', 'check:patch-add.extension', 'enterprise'],
    advice: 'Read the text before the last colon as a schema URN, which may contain dots.',
    affects: { entra: 'A department that was deleted in the directory stays.' },
    run: async (server) => {
      const path = `${ENTERPRISE_USER_SCHEMA}:employeeNumber`
      const value = server.unique()
      const user = await modifyUser(server, {}, { op: 'add', path, value }, { op: 'remove', path })
      expectAbsent(user, [ENTERPRISE_USER_SCHEMA, 'employeeNumber'])
    },
  },
  {
    id: 'patch-remove.no-path',
    section: SECTION,
    level: 'MUST',
    title: 'remove without a path is rejected with noTarget',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 noTarget if a remove operation does not have a path.',
    run: async (server) => {
      const { path } = await server.create('User')
      expectError(await server.modify(path, { op: 'remove' }), 400, 'noTarget')
    },
  },
  {
    id: 'patch-remove.required',
    section: SECTION,
    level: 'MUST',
    title: 'remove of a required attribute is rejected with mutability',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 mutability if an operation removes a required attribute.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      const operation = { op: 'remove', path: 'userName' }
      expectError(await server.modify(path, operation), 400, 'mutability')
      expectMember(await readResource(server, path), 'userName', sent.userName)
    },
  },
  {
    id: 'patch-remove.read-only',
    section: SECTION,
    level: 'MUST',
    title: 'remove of a read-only attribute is rejected with mutability',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 mutability if an operation removes a read-only attribute.',
    run: async (server) => {
      const { path, id } = await server.create('User')
      const operation = { op: 'remove', path: 'id' }
      expectError(await server.modify(path, operation), 400, 'mutability')
      expectMember(await readResource(server, path), 'id', id)
    },
  },
]
