import { ENTERPRISE_USER_SCHEMA, type Scim, userResource } from '@plumbline/scim'
import { USER_TYPE } from '../../kernel/resources/user-type.ts'
import { firstMemberships } from './groups/membership-graph.ts'
import { leaveAllGroups, membershipsOf, membershipsOfOne } from './groups/memberships.ts'
import type { WireResource } from './list/list.ts'
import { extendDefinitions, type StoredType } from './stored-type.ts'
import type { JsonResources } from './users/json-resources.ts'
import { createJsonStore } from './users/json-store.ts'

/** The columns, values and definitions for users. */
export const USERS: JsonResources = {
  ...USER_TYPE,
  columns: {
    externalId: 'external_id',
    userName: { column: 'user_name_key', folded: true },
    displayName: { column: 'display_name_key', folded: true },
    nickName: { column: 'nick_name_key', folded: true },
    'name.givenName': { column: 'given_name_key', folded: true },
    'name.familyName': { column: 'family_name_key', folded: true },
    title: { column: 'title_key', folded: true },
    userType: { column: 'user_type_key', folded: true },
    active: { column: 'active', type: 'boolean' },
    [`${ENTERPRISE_USER_SCHEMA}:employeeNumber`]: { column: 'employee_number_key', folded: true },
    [`${ENTERPRISE_USER_SCHEMA}:department`]: { column: 'department_key', folded: true },
  },
  sorted: { username: 'user_name_key' },
  // The directory does not authenticate users.
  omitted: ['password'],
  values: 'user_values',
  // Other requests change a user's groups (RFC 7643 §4.1.2).
  computed: {
    name: 'groups',
    largest: 2_500,
    first: firstMemberships,
    readOne: membershipsOfOne,
    readMany: membershipsOf,
  },
  leave: leaveAllGroups,
}

/** Returns a user's stored attributes: all except those the server sets. */
export function userContent({
  id: _id,
  meta: _meta,
  groups: _groups,
  ...user
}: Scim.User): WireResource {
  return userResource(user)
}

/** The user store. `npm run seed` uses it, too. */
export const USER_STORE = createJsonStore(USERS)

/** Users and their store. */
export const USER: StoredType = {
  ...USER_TYPE,
  store: USER_STORE,
  extend: (extensions) => {
    const definitions = extendDefinitions(USERS.definitions, extensions)
    return { definitions, store: createJsonStore({ ...USERS, definitions, extensions }) }
  },
}
