import type { Check } from '../../check.ts'
import { objectsOf } from '../../json.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectStatus } from '../../toolkit/expect.ts'
import { createGroup, expectMembers, isInGroup } from '../../toolkit/members.ts'
import { modifyResource, readResource } from '../../toolkit/patch.ts'

/** Rules for users and their groups. */
export const GROUP_MEMBERSHIP_CHECKS: readonly Check[] = [
  {
    id: 'groups.user-groups',
    ...RULES.groupsOfUser,
    title: 'A user has the groups whose member the user is',
    needs: ['check:groups.members'],
    advice: 'Compute groups from the members of the groups, or do not declare the attribute.',
    run: async (server) => {
      const { ada } = await server.people()
      const group = await createGroup(server, ada)
      expectEqual(await isInGroup(server, ada, group), true, 'whether the user has the new group')
    },
  },
  {
    id: 'groups.user-joins',
    ...RULES.groupsOfUser,
    title: 'The groups of a user have a group to which the user was added by PATCH',
    needs: ['check:groups.user-groups', 'check:groups.add-member'],
    advice: 'Compute groups when it is read, or update it with each change of members.',
    run: async (server) => {
      const { ada, bob } = await server.people()
      const group = await createGroup(server, bob)
      const operation = { op: 'add', path: 'members', value: [{ value: ada.id }] }
      await modifyResource(server, group.path, operation)
      expectEqual(await isInGroup(server, ada, group), true, 'whether the user has the group')
    },
  },
  {
    id: 'groups.user-leaves',
    ...RULES.groupsOfUser,
    title: 'The groups of a user do not have a group that the user left',
    needs: ['check:groups.user-groups', 'check:groups.remove-member'],
    advice: 'Compute groups when it is read, or update it with each change of members.',
    run: async (server) => {
      const { ada, bob } = await server.people()
      const group = await createGroup(server, ada, bob)
      const operation = { op: 'remove', path: `members[value eq "${ada.id}"]` }
      await modifyResource(server, group.path, operation)
      expectEqual(await isInGroup(server, ada, group), false, 'whether the user has the group')
    },
  },
  {
    id: 'groups.deleted-group',
    ...RULES.groupsOfUser,
    title: 'The groups of a user do not have a group that was deleted',
    needs: ['check:groups.user-groups'],
    advice: 'Delete the memberships of a group together with the group.',
    run: async (server) => {
      const { ada } = await server.people()
      const group = await createGroup(server, ada)
      expectStatus(await server.delete(group.path), 200, 204)
      expectEqual(await isInGroup(server, ada, group), false, 'whether the user has the group')
    },
  },
  {
    id: 'groups.deleted-user',
    section: 'Entra ID and Okta',
    level: 'practice',
    title: 'A user who is deleted is not a member of any group',
    needs: ['check:groups.members', 'check:delete.user'],
    advice: 'Delete the memberships of a user together with the user.',
    affects: { entra: 'Groups keep members that do not exist, and later changes of them fail.' },
    run: async (server) => {
      const { bob } = await server.people()
      const user = await server.create('User')
      const group = await createGroup(server, user, bob)
      expectStatus(await server.delete(user.path), 204)
      expectMembers(await readResource(server, group.path), bob)
    },
  },
  {
    id: 'groups.deleted-nested',
    section: 'Entra ID and Okta',
    level: 'practice',
    title: 'A group that is deleted is not a member of any group',
    needs: ['check:groups.nested'],
    advice: 'Delete the memberships of a group in other groups together with the group.',
    affects: { entra: 'Groups keep members that do not exist, and later changes of them fail.' },
    run: async (server) => {
      const { bob } = await server.people()
      const inner = await server.create('Group')
      const members = [{ value: inner.id, type: 'Group' }, { value: bob.id }]
      const outer = await server.create('Group', { members })
      expectStatus(await server.delete(inner.path), 200, 204)
      expectMembers(await readResource(server, outer.path), bob)
    },
  },
  {
    id: 'groups.user-groups-read-only',
    section: 'RFC 7643 §4.1.2',
    level: 'MUST',
    quote: 'group membership changes MUST be applied via the',
    title: 'A PATCH of the attribute groups of a user does not change a group',
    needs: ['patch', 'check:groups.members', 'User.groups'],
    advice: 'Answer 400 mutability, or ignore the operation: groups is read-only.',
    run: async (server) => {
      const { bob } = await server.people()
      const group = await createGroup(server, bob)
      const user = await server.create('User')
      const operation = { op: 'add', path: 'groups', value: [{ value: group.id }] }
      expectStatus(await server.modify(user.path, operation), 200, 204, 400)
      expectEqual(await isInGroup(server, user, group), false, 'whether the user is in the group')
      expectMembers(await readResource(server, group.path), bob)
    },
  },
  {
    id: 'groups.indirect',
    section: 'RFC 7643 §4.1.2',
    level: 'defined',
    quote: 'defined to describe how the group membership was',
    title: 'A group that a user has through another group is not of type direct',
    needs: ['check:groups.nested', 'check:groups.user-groups', 'User.groups.type'],
    advice: 'Set the type of memberships through nested groups to indirect.',
    run: async (server) => {
      const { ada } = await server.people()
      const inner = await createGroup(server, ada)
      const outer = await createGroup(server, inner)
      const { groups } = await readResource(server, ada.path)
      const found = objectsOf(groups).find(({ value }) => value === outer.id)
      expectEqual(found?.type === 'direct', false, 'whether the outer group is a direct one')
    },
  },
]
