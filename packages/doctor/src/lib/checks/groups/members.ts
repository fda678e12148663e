import type { Check } from '../../check.ts'
import { objectsOf } from '../../json.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectError, expectMember, expectStatus } from '../../toolkit/expect.ts'
import { fail } from '../../toolkit/finding.ts'
import {
  createGroup,
  expectMembers,
  expectMembersAfter,
  putMembers,
} from '../../toolkit/members.ts'
import { modifyResource, readResource } from '../../toolkit/patch.ts'

/** Rules for group members. */
export const GROUP_MEMBER_CHECKS: readonly Check[] = [
  {
    id: 'groups.members',
    section: 'RFC 7643 §4.2',
    level: 'practice',
    title: 'A group that is created with members has them',
    needs: ['groups', 'write', 'check:create.user', 'Group.members'],
    advice: 'Store the members of a new group, and return them with GET.',
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const { path } = await createGroup(server, ada, bob, eve)
      expectMembers(await readResource(server, path), ada, bob, eve)
    },
  },
  {
    id: 'groups.put-members',
    ...RULES.putReplaces,
    title: 'PUT replaces the members of a group',
    needs: ['check:groups.members'],
    advice: 'Remove the members that the body of PUT does not have, and add the others.',
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const group = await createGroup(server, ada, bob)
      await putMembers(server, group, bob, eve)
      expectMembers(await readResource(server, group.path), bob, eve)
    },
  },
  {
    id: 'groups.add-member',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'a new value is added to the attribute',
    title: 'add to members keeps the other members',
    needs: ['patch', 'check:groups.members'],
    advice: 'Append the new members to those that the group has.',
    affects: {
      entra: 'Groups lose their members whenever a member is added.',
      okta: 'Groups lose their members whenever a member is added.',
    },
    run: async (server) => {
      const { ada, bob } = await server.people()
      const group = await createGroup(server, ada)
      const operation = { op: 'add', path: 'members', value: [{ value: bob.id }] }
      await expectMembersAfter(server, group, operation, ada, bob)
    },
  },
  {
    id: 'groups.add-member-twice',
    section: 'RFC 7644 §3.5.2.1',
    level: 'SHOULD',
    quote: 'changes SHOULD be made to the resource, and',
    title: 'add of a member that the group has does not duplicate it',
    needs: ['check:groups.add-member'],
    advice: 'Ignore a member that the group already has, and answer with success.',
    affects: { entra: 'Members are duplicated when a provisioning cycle is repeated.' },
    run: async (server) => {
      const { ada } = await server.people()
      const group = await createGroup(server, ada)
      const operation = { op: 'add', path: 'members', value: [{ value: ada.id }] }
      await expectMembersAfter(server, group, operation, ada)
    },
  },
  {
    id: 'groups.remove-member',
    section: 'RFC 7644 §3.5.2.2',
    level: 'defined',
    quote: 'the values matched by the filter are removed',
    title: 'remove with members[value eq …] removes only this member',
    needs: ['patch', 'check:groups.members'],
    advice: 'Evaluate the filter in brackets, and remove only the members that match.',
    affects: {
      entra: 'Users keep the rights of a group that they left.',
      okta: 'Users keep the rights of a group that they left.',
    },
    run: async (server) => {
      const { ada, bob } = await server.people()
      const group = await createGroup(server, ada, bob)
      const operation = { op: 'remove', path: `members[value eq "${ada.id}"]` }
      await expectMembersAfter(server, group, operation, bob)
    },
  },
  {
    id: 'groups.remove-all-members',
    ...RULES.unassigned,
    title: 'remove with the path members removes all members',
    needs: ['patch', 'check:groups.members'],
    advice: 'Without a filter in the path, remove every member.',
    run: async (server) => {
      const { ada, bob } = await server.people()
      const group = await createGroup(server, ada, bob)
      await expectMembersAfter(server, group, { op: 'remove', path: 'members' })
    },
  },
  {
    id: 'groups.replace-members',
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'the attribute and all values are replaced',
    title: 'replace with the path members replaces all members',
    needs: ['patch', 'check:groups.members'],
    advice: 'Remove the members that the value does not have, and add the others.',
    affects: { okta: 'A push of a whole group leaves members that were removed.' },
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const group = await createGroup(server, ada, bob)
      const value = [{ value: bob.id }, { value: eve.id }]
      await expectMembersAfter(server, group, { op: 'replace', path: 'members', value }, bob, eve)
    },
  },
  {
    id: 'groups.rename',
    ...RULES.patchReplaces,
    title: 'replace of displayName keeps the members',
    needs: ['patch', 'check:groups.members'],
    advice: 'Change only the attribute that the path names.',
    run: async (server) => {
      const { ada, bob } = await server.people()
      const { path } = await createGroup(server, ada, bob)
      const value = server.unique()
      const operation = { op: 'replace', path: 'displayName', value }
      const group = await modifyResource(server, path, operation)
      expectMember(group, 'displayName', value)
      expectMembers(group, ada, bob)
    },
  },
  {
    id: 'groups.rename-with-member',
    section: 'RFC 7644 §3.5.2',
    level: 'defined',
    quote: 'until all operations are successfully applied or until',
    title: 'A PATCH that changes displayName and adds a member does both',
    needs: ['check:groups.add-member'],
    advice: 'Write the other attributes of the request, too, if it changes members.',
    run: async (server) => {
      const { ada, bob } = await server.people()
      const { path } = await createGroup(server, ada)
      const value = server.unique()
      const rename = { op: 'replace', path: 'displayName', value }
      const add = { op: 'add', path: 'members', value: [{ value: bob.id }] }
      const group = await modifyResource(server, path, rename, add)
      expectMember(group, 'displayName', value)
      expectMembers(group, ada, bob)
    },
  },
  {
    id: 'groups.add-to-deleted',
    section: 'RFC 7644 §3.6',
    level: 'MUST',
    quote: 'MUST return a 404 (Not Found) error code',
    title: 'A PATCH that adds a member to a deleted group answers 404',
    needs: ['check:groups.add-member'],
    advice: 'Look up the group before its members are changed.',
    run: async (server) => {
      const { ada } = await server.people()
      const { path } = await createGroup(server)
      expectStatus(await server.delete(path), 200, 204)
      const add = { op: 'add', path: 'members', value: [{ value: ada.id }] }
      expectError(await server.modify(path, add), 404)
    },
  },
  {
    id: 'groups.nested',
    section: 'RFC 7643 §4.2',
    level: 'practice',
    title: 'A group can be a member of a group',
    needs: ['check:groups.members', 'Group.members.type'],
    advice: 'Store members of the type Group. A server without nested groups rejects them.',
    run: async (server) => {
      const inner = await server.create('Group')
      const outer = await server.create('Group', { members: [{ value: inner.id, type: 'Group' }] })
      expectMembers(await readResource(server, outer.path), inner)
    },
  },
  {
    id: 'groups.unknown-member',
    section: 'Entra ID and Okta',
    level: 'practice',
    title: 'A member that does not exist is stored, ignored or rejected, without an internal error',
    needs: ['check:groups.members'],
    advice: 'Answer 400 invalidValue for a member that does not exist, not 500.',
    affects: { entra: 'It repeats the request for ever, and quarantines the job.' },
    run: async ({ type, sample, post, unique }) => {
      const group = sample('Group', { members: [{ value: unique() }] })
      const response = await post(type('Group').endpoint, group)
      if (response.status >= 500) fail('a status below 500', String(response.status))
    },
  },
  {
    id: 'groups.large',
    section: 'Entra ID and Okta',
    level: 'practice',
    title: 'A group can have 1,000 members',
    needs: ['hostile', 'patch', 'check:groups.remove-member', 'check:groups.unknown-member'],
    advice: 'Store all members, and change one of them without reading or writing the others.',
    affects: { entra: 'Large groups lose members.', okta: 'Large groups lose members.' },
    run: async ({ create, get, modify, unique }) => {
      const start = unique()
      const members = Array.from({ length: 1_000 }, (_, at) => ({ value: `${start}-${at}` }))
      // Members need not exist here. If a server rejects them, the check is skipped.
      const { path } = await create('Group', { members })
      expectStatus(
        await modify(path, { op: 'remove', path: `members[value eq "${start}-7"]` }),
        200,
        204,
      )
      const response = await get(path)
      expectStatus(response, 200)
      expectEqual(objectsOf(response.body.members).length, 999, 'the number of members')
    },
  },
]
