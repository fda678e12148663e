import type { Check } from '../../check.ts'
import { expectMember, expectStatus } from '../../toolkit/expect.ts'
import { createGroup, expectMembers, expectMembersAfter } from '../../toolkit/members.ts'
import { modifyResource } from '../../toolkit/patch.ts'

const OKTA = { section: 'Okta', level: 'practice', profiles: ['okta'] } as const

/** Okta's requests for groups. */
export const OKTA_GROUP_CHECKS: readonly Check[] = [
  {
    ...OKTA,
    id: 'okta.group-changes',
    title: 'One PATCH request removes and adds members of a group',
    needs: ['check:groups.add-member', 'check:groups.remove-member'],
    advice: 'Apply every operation, and ignore the display of a member.',
    affects: { okta: 'Groups that it pushes have wrong members.' },
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const { path } = await createGroup(server, ada, bob)
      const value = [{ value: eve.id, display: String(eve.sent.userName) }]
      const group = await modifyResource(
        server,
        path,
        { op: 'remove', path: `members[value eq "${ada.id}"]` },
        { op: 'add', path: 'members', value },
      )
      expectMembers(group, bob, eve)
    },
  },
  {
    ...OKTA,
    id: 'okta.group-replace',
    title: 'PATCH replaces all members of a group by a list with display names',
    needs: ['check:groups.replace-members'],
    advice: 'Replace the whole list, and ignore the display of a member.',
    affects: { okta: 'Groups that it pushes again keep members who left.' },
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const group = await createGroup(server, ada)
      const value = [bob, eve].map(({ id, sent }) => ({
        value: id,
        display: String(sent.userName),
      }))
      await expectMembersAfter(server, group, { op: 'replace', path: 'members', value }, bob, eve)
    },
  },
  {
    ...OKTA,
    id: 'okta.group-rename',
    title: 'PATCH without a path renames a group, also if the value has its id',
    needs: ['patch', 'check:groups.members'],
    advice: 'Ignore a read-only attribute whose value does not change.',
    affects: { okta: 'Groups cannot be renamed.' },
    run: async (server) => {
      const { ada } = await server.people()
      const { path, id } = await createGroup(server, ada)
      const displayName = server.unique()
      const operation = { op: 'replace', value: { id, displayName } }
      const group = await modifyResource(server, path, operation)
      expectMember(group, 'displayName', displayName)
      expectMembers(group, ada)
    },
  },
  {
    ...OKTA,
    id: 'okta.group-delete',
    title: 'DELETE of a group with members answers 204, and the group is gone',
    needs: ['check:groups.members'],
    advice: 'Delete the memberships together with the group, and answer 204.',
    affects: { okta: 'Okta cannot delete a group whose push was removed.' },
    run: async (server) => {
      const { ada } = await server.people()
      const { path } = await createGroup(server, ada)
      expectStatus(await server.delete(path), 204)
      expectStatus(await server.get(path), 404)
    },
  },
]
