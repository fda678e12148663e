import {
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  PATCH_OP_SCHEMA,
  USER_SCHEMA,
} from '../../constants.ts'
import type { Run, Step } from './run.ts'

const schemas = [PATCH_OP_SCHEMA]

/** A connection test, and a user from its creation to its first update, as Entra ID sends them. */
const USER_STEPS: readonly Step[] = [
  {
    name: 'test the connection by a user that does not exist',
    method: 'GET',
    path: '{{users}}?filter=userName+eq+%22aa6cf42a-2b80-4e27-9f9b-3ba9b2ea9f29%22',
    status: 200,
    expect: { totalResults: 0 },
  },
  {
    name: 'create a user with active as a string, nulls and empty lists',
    method: 'POST',
    path: '{{users}}',
    body: {
      schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA],
      externalId: 'jyoung',
      userName: 'JYoung@example.com',
      active: 'True',
      addresses: null,
      displayName: 'Joy Young',
      emails: [{ type: 'work', value: 'JYoung@example.com', primary: true }],
      meta: { resourceType: 'User' },
      name: { familyName: 'Young', givenName: 'Joy', middleName: null },
      phoneNumbers: null,
      roles: [],
      [ENTERPRISE_USER_SCHEMA]: { department: 'Sales', manager: null },
    },
    status: 201,
    expect: {
      externalId: 'jyoung',
      userName: 'JYoung@example.com',
      active: true,
      displayName: 'Joy Young',
      emails: [{ type: 'work', value: 'JYoung@example.com' }],
      name: { familyName: 'Young', givenName: 'Joy' },
      [ENTERPRISE_USER_SCHEMA]: { department: 'Sales' },
    },
    save: 'user',
  },
  {
    name: 'create the same user again, in another letter case',
    method: 'POST',
    path: '{{users}}',
    body: {
      schemas: [USER_SCHEMA],
      externalId: 'jyoung',
      userName: 'jyoung@EXAMPLE.com',
      active: true,
      displayName: 'Joy Young',
      emails: [{ type: 'work', value: 'jyoung@EXAMPLE.com', primary: true }],
      name: { familyName: 'Young', givenName: 'Joy' },
    },
    status: 409,
  },
  {
    name: 'match by userName, in another letter case',
    method: 'GET',
    path: '{{users}}?filter=userName eq "jyoung@EXAMPLE.com"',
    status: 200,
    expect: { totalResults: 1, Resources: [{ id: '{{user}}' }] },
  },
  {
    name: 'match by externalId',
    method: 'GET',
    path: '{{users}}?filter=externalId eq "jyoung"',
    status: 200,
    expect: { totalResults: 1, Resources: [{ id: '{{user}}' }] },
  },
  {
    name: 'update: operations in title case, an address by its type',
    method: 'PATCH',
    path: '{{users}}/{{user}}',
    body: {
      schemas,
      Operations: [
        { op: 'Replace', path: 'displayName', value: 'Joyce Young' },
        { op: 'Replace', path: 'name.givenName', value: 'Joyce' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'joyce@example.com' },
        { op: 'Add', path: `${ENTERPRISE_USER_SCHEMA}:department`, value: 'Research' },
      ],
    },
    status: [200, 204],
  },
  {
    name: 'read the updated user',
    method: 'GET',
    path: '{{users}}/{{user}}',
    status: 200,
    expect: {
      active: true,
      displayName: 'Joyce Young',
      name: { familyName: 'Young', givenName: 'Joyce' },
      emails: [{ type: 'work', value: 'joyce@example.com' }],
      [ENTERPRISE_USER_SCHEMA]: { department: 'Research' },
    },
  },
  {
    name: 'add a number of a type that the user does not have',
    method: 'PATCH',
    path: '{{users}}/{{user}}',
    body: {
      schemas,
      Operations: [
        { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 425 555 0100' },
      ],
    },
    status: [200, 204],
  },
  {
    name: 'read the new number',
    method: 'GET',
    path: '{{users}}/{{user}}',
    status: 200,
    expect: { phoneNumbers: [{ type: 'mobile', value: '+1 425 555 0100' }] },
  },
  {
    name: 'disable the user by a string',
    method: 'PATCH',
    path: '{{users}}/{{user}}',
    body: { schemas, Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
    status: [200, 204],
  },
  {
    name: 'read the disabled user, which still exists',
    method: 'GET',
    path: '{{users}}/{{user}}',
    status: 200,
    expect: { active: false },
  },
  {
    name: 'update with the flag aadOptscim062020: keys with dots, without a path',
    method: 'PATCH',
    path: '{{users}}/{{user}}?aadOptscim062020',
    body: {
      schemas,
      Operations: [
        {
          op: 'replace',
          value: { active: true, 'name.familyName': 'Old', displayName: 'Joy Old' },
        },
      ],
    },
    status: [200, 204],
  },
  {
    name: 'read the user after the update with the flag',
    method: 'GET',
    path: '{{users}}/{{user}}',
    status: 200,
    expect: { active: true, displayName: 'Joy Old', name: { familyName: 'Old' } },
  },
]

const GROUP_STEPS: readonly Step[] = [
  {
    name: 'match a group that does not exist, without its members',
    method: 'GET',
    path: '{{groups}}?excludedAttributes=members&filter=displayName eq "Staff"',
    status: 200,
    expect: { totalResults: 0 },
  },
  {
    name: 'create a group with the schema of Microsoft',
    method: 'POST',
    path: '{{groups}}',
    body: {
      schemas: [
        GROUP_SCHEMA,
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Staff',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    expect: { displayName: 'Staff', externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159' },
    save: 'group',
  },
  {
    name: 'add a member with a reference that is null',
    method: 'PATCH',
    path: '{{groups}}/{{group}}',
    body: {
      schemas,
      Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: '{{user}}' }] }],
    },
    status: [200, 204],
  },
  {
    name: 'check the member',
    method: 'GET',
    path: '{{groups}}?excludedAttributes=members&filter=id eq "{{group}}" and members eq "{{user}}"',
    status: 200,
    expect: { totalResults: 1, Resources: [{ id: '{{group}}', members: null }] },
  },
  {
    name: 'remove the member, named in the value',
    method: 'PATCH',
    path: '{{groups}}/{{group}}',
    body: {
      schemas,
      Operations: [{ op: 'Remove', path: 'members', value: [{ value: '{{user}}' }] }],
    },
    status: [200, 204],
  },
  {
    name: 'remove the member again, as a repeated cycle does',
    method: 'PATCH',
    path: '{{groups}}/{{group}}',
    body: {
      schemas,
      Operations: [{ op: 'Remove', path: 'members', value: [{ value: '{{user}}' }] }],
    },
    status: [200, 204],
  },
  {
    name: 'read the group without members',
    method: 'GET',
    path: '{{groups}}/{{group}}',
    status: 200,
    expect: { displayName: 'Staff', members: null },
  },
  { name: 'delete the group', method: 'DELETE', path: '{{groups}}/{{group}}', status: 204 },
]

const LAST_STEPS: readonly Step[] = [
  { name: 'delete the user', method: 'DELETE', path: '{{users}}/{{user}}', status: 204 },
  {
    name: 'match the deleted user',
    method: 'GET',
    path: '{{users}}?filter=externalId eq "jyoung"',
    status: 200,
    expect: { totalResults: 0 },
  },
]

/** The requests of Microsoft Entra ID. */
export const ENTRA: Run = {
  name: 'Entra ID',
  profile: 'entra',
  steps: [...USER_STEPS, ...GROUP_STEPS, ...LAST_STEPS],
}
