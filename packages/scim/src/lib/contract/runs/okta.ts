import { GROUP_SCHEMA, PATCH_OP_SCHEMA, USER_SCHEMA } from '../../constants.ts'
import type { Run, Step } from './run.ts'

const schemas = [PATCH_OP_SCHEMA]

/** A user from its match to its deactivation, as an integration of Okta's catalogue and one of the wizard send it. */
const USER_STEPS: readonly Step[] = [
  {
    name: 'match a user that does not exist',
    method: 'GET',
    path: '{{users}}?filter=userName eq "ada.king@example.com"&startIndex=1&count=100',
    status: 200,
    expect: { totalResults: 0 },
  },
  {
    name: 'create a user with a password and empty groups',
    method: 'POST',
    path: '{{users}}',
    body: {
      schemas: [USER_SCHEMA],
      userName: 'ada.king@example.com',
      name: { givenName: 'Ada', familyName: 'King' },
      emails: [{ primary: true, value: 'ada.king@example.com', type: 'work' }],
      displayName: 'Ada King',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    },
    status: 201,
    expect: {
      userName: 'ada.king@example.com',
      name: { givenName: 'Ada', familyName: 'King' },
      emails: [{ value: 'ada.king@example.com', type: 'work' }],
      externalId: '00ujl29u0le5T6Aj10h7',
      active: true,
      password: null,
    },
    save: 'user',
  },
  {
    name: 'match the user',
    method: 'GET',
    path: '{{users}}?filter=userName eq "ada.king@example.com"&startIndex=1&count=100',
    status: 200,
    expect: { totalResults: 1, Resources: [{ id: '{{user}}', active: true }] },
  },
  {
    name: 'update by PUT: the user as it was read, with changes',
    method: 'PUT',
    path: '{{users}}/{{user}}',
    body: {
      schemas: [USER_SCHEMA],
      id: '{{user}}',
      userName: 'ada.king@example.com',
      name: { givenName: 'Augusta', familyName: 'King' },
      emails: [{ primary: true, value: 'ada.king@example.com', type: 'work' }],
      displayName: 'Augusta King',
      externalId: '00ujl29u0le5T6Aj10h7',
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    },
    status: 200,
    expect: {
      id: '{{user}}',
      name: { givenName: 'Augusta', familyName: 'King' },
      displayName: 'Augusta King',
      active: true,
    },
  },
  {
    name: 'deactivate the user by PATCH, without a path',
    method: 'PATCH',
    path: '{{users}}/{{user}}',
    body: { schemas, Operations: [{ op: 'replace', value: { active: false } }] },
    status: [200, 204],
  },
  {
    name: 'read the deactivated user',
    method: 'GET',
    path: '{{users}}/{{user}}',
    status: 200,
    expect: { id: '{{user}}', active: false, name: { givenName: 'Augusta' } },
  },
  {
    name: 'push a password',
    method: 'PATCH',
    path: '{{users}}/{{user}}',
    body: { schemas, Operations: [{ op: 'replace', value: { password: 'a new one of 2026' } }] },
    status: [200, 204],
    expect: { password: null },
  },
  {
    name: 'import the users, the first page',
    method: 'GET',
    path: '{{users}}?startIndex=1&count=1',
    status: 200,
    expect: { totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id: '{{user}}' }] },
  },
]

const GROUP_STEPS: readonly Step[] = [
  {
    name: 'create a group with a member',
    method: 'POST',
    path: '{{groups}}',
    body: {
      schemas: [GROUP_SCHEMA],
      displayName: 'Engineers',
      members: [{ value: '{{user}}', display: 'ada.king@example.com' }],
    },
    status: 201,
    expect: { displayName: 'Engineers', members: [{ value: '{{user}}' }] },
    save: 'group',
  },
  {
    name: 'rename the group, with its read-only id',
    method: 'PATCH',
    path: '{{groups}}/{{group}}',
    body: {
      schemas,
      Operations: [{ op: 'replace', value: { id: '{{group}}', displayName: 'Engineering' } }],
    },
    status: [200, 204],
  },
  {
    name: 'remove the member by a filter',
    method: 'PATCH',
    path: '{{groups}}/{{group}}',
    body: { schemas, Operations: [{ op: 'remove', path: 'members[value eq "{{user}}"]' }] },
    status: [200, 204],
  },
  {
    name: 'add the member again',
    method: 'PATCH',
    path: '{{groups}}/{{group}}',
    body: {
      schemas,
      Operations: [
        { op: 'add', path: 'members', value: [{ value: '{{user}}', display: 'Augusta King' }] },
      ],
    },
    status: [200, 204],
  },
  {
    name: 'read the group',
    method: 'GET',
    path: '{{groups}}/{{group}}',
    status: 200,
    expect: { displayName: 'Engineering', members: [{ value: '{{user}}' }] },
  },
  { name: 'delete the group', method: 'DELETE', path: '{{groups}}/{{group}}', status: 204 },
]

/** The requests of Okta. */
export const OKTA: Run = { name: 'Okta', profile: 'okta', steps: [...USER_STEPS, ...GROUP_STEPS] }
