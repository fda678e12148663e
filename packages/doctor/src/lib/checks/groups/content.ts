import type { Check } from '../../check.ts'
import { findAttribute } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectList,
  expectMember,
  expectRejection,
  expectStatus,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'

/** Rules for groups as resources. */
export const GROUP_CONTENT_CHECKS: readonly Check[] = [
  {
    id: 'groups.display-name',
    section: 'RFC 7643 §4.2',
    level: 'MUST',
    quote: 'A human-readable name for the Group. REQUIRED.',
    title: 'A group without a displayName is rejected if the schema requires it',
    needs: ['groups', 'write', 'check:groups.members'],
    advice: 'Answer 400 invalidValue if a required attribute is missing.',
    run: async ({ type, sample, post }) => {
      const attribute = findAttribute(type('Group'), 'displayName')
      if (attribute?.required !== true) skip('The schema does not require displayName.')
      const group = sample('Group', { displayName: undefined })
      expectRejection(await post(type('Group').endpoint, group))
    },
  },
  {
    id: 'groups.excluded-members',
    ...RULES.projections,
    title: 'GET of a group with excludedAttributes=members does not answer the members',
    needs: ['check:groups.members'],
    advice: 'Apply excludedAttributes to groups, and do not read the members then.',
    affects: { entra: 'It reads every group in this way; large groups run into a time-out.' },
    run: async ({ team, get, type }) => {
      const { returned } = findAttribute(type('Group'), 'members') ?? {}
      if (returned === 'always') skip('The server always returns members.')
      const { path, sent } = await team()
      const response = await get(path, { query: { excludedAttributes: 'members' } })
      expectStatus(response, 200)
      expectAbsent(response, 'members')
      expectMember(response, 'displayName', sent.displayName)
    },
  },
  {
    id: 'groups.list-excluded-members',
    ...RULES.projections,
    title: 'A list of groups with excludedAttributes=members does not have the members',
    needs: ['filter', 'check:groups.excluded-members'],
    advice: 'Apply excludedAttributes to each resource of a list.',
    affects: { entra: 'It searches groups in this way; large groups run into a time-out.' },
    run: async ({ team, get, type }) => {
      const { sent, id } = await team()
      const filter = `displayName eq "${sent.displayName}"`
      const query = { filter, excludedAttributes: 'members' }
      const [group, ...others] = expectList(await get(type('Group').endpoint, { query }))
      expectEqual([group?.id, others.length], [id, 0], 'the id of the group, and the other groups')
      expectAbsent(group ?? {}, 'members')
    },
  },
  {
    id: 'groups.filter-members',
    ...RULES.matching,
    title: 'A filter by members.value selects the groups of a user',
    needs: ['filter', 'check:groups.members', 'Group.members.value'],
    advice: 'A multi-valued attribute matches if one of its values matches.',
    run: async ({ team, people, get, type }) => {
      const { ada, eve } = await people()
      const { id } = await team()
      const find = async (member: string): Promise<boolean> => {
        const query = { filter: `members.value eq "${member}"`, attributes: 'id' }
        const response = await get(type('Group').endpoint, { query })
        if (response.status === 400) skip('The server does not filter by members.value.')
        return expectList(response).some((group) => group.id === id)
      }
      expectEqual(await find(ada.id), true, 'whether a member selects the group')
      expectEqual(await find(eve.id), false, 'whether another user selects the group')
    },
  },
]
