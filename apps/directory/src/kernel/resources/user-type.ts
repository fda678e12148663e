import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import type { ResourceType } from './resource-type.ts'

/** Users (RFC 7643 §4.1) with the enterprise extension (§4.3). */
export const USER_TYPE: ResourceType = {
  name: 'User',
  description: 'A user account',
  endpoint: '/Users',
  definitions: {
    [USER_DEFINITION.id]: USER_DEFINITION,
    [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  },
  table: 'users',
  partTables: [{ name: 'user_values', key: ['resource_id', 'attribute', 'position'] }],
  lookups: ['id', 'username', 'externalid', 'employeenumber'],
  valueLookups: ['emails'],
  naming: { attribute: 'userName', column: 'user_name_key', isUnique: true },
  loggedName: 'userName',
  uniqueKeys: {
    users_by_user_name: 'userName',
    'users.tenant_id, users.user_name_key': 'userName',
  },
}
