import { GROUP_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import {
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectStatus,
} from '../../toolkit/expect.ts'
import { createGroup, expectMembers, expectMembersAfter } from '../../toolkit/members.ts'
import { modifyResource } from '../../toolkit/patch.ts'

const ENTRA = { section: 'Entra ID', level: 'practice', profiles: ['entra'] } as const

/** Entra ID's requests for groups. */
export const ENTRA_GROUP_CHECKS: readonly Check[] = [
  {
    ...ENTRA,
    id: 'entra.group-look-up',
    title: 'A filter that matches no group answers 200 with an empty list',
    needs: ['groups', 'filter'],
    advice: 'Answer an empty list response with totalResults 0, not 404.',
    affects: { entra: 'The test of the connection fails, and provisioning cannot start.' },
    run: async ({ get, type }) => {
      const filter = `displayName eq "${crypto.randomUUID()}"`
      const query = { excludedAttributes: 'members', filter }
      const response = await get(type('Group').endpoint, { query })
      expectEqual(expectList(response).length, 0, 'the number of groups')
      expectMember(response, 'totalResults', 0)
    },
  },
  {
    ...ENTRA,
    id: 'entra.group-schema',
    title: 'A new group that names a legacy schema of Microsoft is created',
    needs: ['groups', 'write', 'check:groups.members'],
    advice: 'Ignore schemas that you do not know if the group does not have attributes of them.',
    affects: { entra: 'New groups are not created.' },
    run: async ({ type, sample, post }) => {
      const legacy = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'
      const group = sample('Group', { schemas: [GROUP_SCHEMA, legacy] })
      expectStatus(await post(type('Group').endpoint, group), 201)
    },
  },
  {
    ...ENTRA,
    id: 'entra.duplicate-group',
    title: 'A second group with the same displayName is rejected with 409',
    needs: ['groups', 'write', 'check:groups.members'],
    advice: 'Answer 409 uniqueness if another group has the displayName.',
    affects: { entra: 'Its validator creates a group twice, and reports a failed test.' },
    run: async ({ create, type, post }) => {
      const { sent } = await create('Group')
      expectError(await post(type('Group').endpoint, sent), 409)
    },
  },
  {
    ...ENTRA,
    id: 'entra.add-members',
    title: 'Several Add operations, each with one member, add all these members',
    needs: ['check:entra.op-case', 'check:groups.add-member'],
    advice: 'Apply every operation, and ignore a $ref that is null.',
    affects: { entra: 'Only one of the new members of a group is added.' },
    run: async (server) => {
      const { ada, bob, eve } = await server.people()
      const { path } = await createGroup(server, ada)
      const add = (value: string) => ({
        op: 'Add',
        path: 'members',
        value: [{ $ref: null, value }],
      })
      const group = await modifyResource(server, path, add(bob.id), add(eve.id))
      expectMembers(group, ada, bob, eve)
    },
  },
  {
    ...ENTRA,
    id: 'entra.remove-members',
    title: 'Remove of members with a value removes only the members in the value',
    needs: ['check:entra.op-case', 'check:groups.remove-all-members'],
    advice: 'If a remove operation of members has a value, remove the members that it lists.',
    affects: { entra: 'One removed member empties the whole group.' },
    run: async (server) => {
      const { ada, bob } = await server.people()
      const group = await createGroup(server, ada, bob)
      const value = [{ $ref: null, value: ada.id }]
      await expectMembersAfter(server, group, { op: 'Remove', path: 'members', value }, bob)
    },
  },
  {
    ...ENTRA,
    id: 'entra.remove-absent-member',
    title: 'Remove of a user who is not a member succeeds',
    needs: ['check:entra.remove-members'],
    advice: 'Answer 200 or 204 without a change if the group does not have the member.',
    affects: { entra: 'A repeated removal fails for ever, and the job is quarantined.' },
    run: async (server) => {
      const { ada, bob } = await server.people()
      const group = await createGroup(server, bob)
      const value = [{ value: ada.id }]
      await expectMembersAfter(server, group, { op: 'Remove', path: 'members', value }, bob)
    },
  },
]
