import { GROUP_DEFINITION } from '@plumbline/scim/discovery'
import { extendDefinitions, type ResourceType } from '../../kernel/resources/resource-type.ts'
import { createGroupStore, type GroupResources } from './groups/group-store.ts'

const GROUPS: GroupResources = {
  name: 'Group',
  endpoint: '/Groups',
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  columns: {
    externalId: 'external_id',
    displayName: { column: 'display_name_key', folded: true },
  },
  sorted: { displayname: 'display_name_key' },
}

/** The group store, also used by `npm run seed`. */
export const GROUP_STORE = createGroupStore(GROUPS)

/** Groups (RFC 7643 §4.2), whose members are in a separate table. */
export const GROUP: ResourceType = {
  ...GROUPS,
  description: 'A group of users',
  table: 'groups',
  partTables: [{ name: 'group_members', key: ['group_id', 'member_id'] }],
  lookups: ['id', 'displayname', 'externalid'],
  naming: { attribute: 'displayName', column: 'display_name_key', isUnique: false },
  uniqueKeys: {},
  store: GROUP_STORE,
  extend: (extensions) => {
    const definitions = extendDefinitions(GROUPS.definitions, extensions)
    return { definitions, store: createGroupStore({ ...GROUPS, definitions, extensions }) }
  },
}
