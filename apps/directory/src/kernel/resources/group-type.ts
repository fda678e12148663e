import { GROUP_DEFINITION } from '@plumbline/scim/discovery'
import type { ResourceType } from './resource-type.ts'

/** Groups (RFC 7643 §4.2), whose members are in a separate table. */
export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  description: 'A group of users',
  endpoint: '/Groups',
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  table: 'groups',
  partTables: [{ name: 'group_members', key: ['group_id', 'member_id'] }],
  lookups: ['id', 'displayname', 'externalid'],
  naming: { attribute: 'displayName', column: 'display_name_key', isUnique: false },
  uniqueKeys: {},
}
