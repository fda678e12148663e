import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA, PATCH_OP_SCHEMA } from '../constants.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import { pickAttributes } from '../schema/pick.ts'
import { parseBulk } from './parse.ts'
import { runBulk } from './run.ts'
import type { BulkResourceType, Call, Execute } from './types.ts'

const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const DEVICE = 'urn:example:2.0:Device'
const DEVICES: BulkResourceType = {
  endpoint: '/v1/Devices',
  definitions: {
    [DEVICE]: {
      id: DEVICE,
      name: 'Device',
      attributes: [
        { name: 'label', type: 'string' },
        { name: 'home', type: 'reference', referenceTypes: ['external'] },
        { name: 'icon', type: 'reference', referenceTypes: ['uri'] },
        { name: 'owner', type: 'reference', referenceTypes: ['User'] },
        { name: 'users', type: 'reference', referenceTypes: ['User'], multiValued: true },
        {
          name: 'room',
          type: 'complex',
          subAttributes: [
            { name: 'value', type: 'string' },
            { name: '$ref', type: 'reference', referenceTypes: ['Room'] },
          ],
        },
        { name: 'tag', type: 'complex', subAttributes: [{ name: 'value', type: 'string' }] },
      ],
    },
  },
}
const USERS = {
  endpoint: '/Users',
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION, [ENTERPRISE]: ENTERPRISE_USER_DEFINITION },
}
// A program that does not store `$ref`.
const GROUPS = {
  endpoint: '/Groups',
  definitions: {
    [GROUP_DEFINITION.id]: pickAttributes(GROUP_DEFINITION, ['displayName', 'members.value']),
  },
}
const resourceTypes = [USERS, GROUPS, { ...USERS, endpoint: '/Me' }, DEVICES]

/** The call that executes an operation after a POST with the bulkId `a`, whose resource has the id `7`. */
async function callOf(operation: object): Promise<Call | undefined> {
  const calls: Call[] = []
  const execute: Execute = async (call) => {
    calls.push(call)
    return { status: 201, location: 'https://example.com/Users/7' }
  }
  const post = { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'a' } }
  const body = { schemas: [BULK_REQUEST_SCHEMA], Operations: [operation, post] }
  const limits = { maxOperations: 10, maxPayloadSize: 100_000 }
  const { Operations } = await runBulk(unwrap(parseBulk(body, limits)), execute, { resourceTypes })
  expect(Operations.map(({ status }) => status)).toEqual(['201', '201'])
  return calls.find(({ method }) => method !== 'POST')
}

const URL_OF_7 = 'https://example.com/Users/7'

describe('bulkId: in attributes defined as references (RFC 7644 §3.7.2)', () => {
  it.each<[string, string, object, object]>([
    [
      'the value and the $ref of a member',
      '/Groups/1',
      { members: [{ value: 'bulkId:a', $ref: '../Users/bulkId:a' }] },
      { members: [{ value: '7', $ref: '../Users/bulkId:a' }] },
    ],
    [
      'one member without a list',
      '/Groups/1',
      { members: { value: 'bulkId:a' } },
      { members: { value: '7' } },
    ],
    [
      'names in another letter case',
      '/Groups/1',
      { Members: [{ VALUE: 'bulkId:a' }] },
      { Members: [{ VALUE: '7' }] },
    ],
    [
      'the manager',
      '/Users/1',
      { [ENTERPRISE]: { manager: { value: 'bulkId:a', $ref: 'bulkId:a' } } },
      { [ENTERPRISE]: { manager: { value: '7', $ref: URL_OF_7 } } },
    ],
    [
      'the manager as a string, and the URN in another letter case',
      '/Users/1',
      { [ENTERPRISE.toUpperCase()]: { Manager: 'bulkId:a' } },
      { [ENTERPRISE.toUpperCase()]: { Manager: '7' } },
    ],
    [
      'the user of /Me',
      '/Me',
      { [ENTERPRISE]: { manager: { value: 'bulkId:a' } } },
      { [ENTERPRISE]: { manager: { value: '7' } } },
    ],
    ['a reference of its own type', '/v1/Devices/1', { owner: 'bulkId:a' }, { owner: URL_OF_7 }],
    [
      'a URL that ends with it',
      '/v1/Devices/1',
      { owner: '/Users/bulkId:a' },
      { owner: '/Users/7' },
    ],
    [
      'a list of references',
      '/v1/Devices/1',
      { users: ['x', 'bulkId:a'] },
      { users: ['x', URL_OF_7] },
    ],
    [
      'a value next to a $ref',
      '/v1/Devices/1',
      { room: { value: 'bulkId:a' } },
      { room: { value: '7' } },
    ],
  ])('bulkId: is replaced in %s', async (_, path, data, expected) => {
    expect((await callOf({ method: 'PUT', path, data }))?.data).toStrictEqual(expected)
  })

  it.each<[string, string, object, object]>([
    [
      'a value',
      '/Groups/1',
      { op: 'add', path: 'members', value: [{ value: 'bulkId:a' }] },
      { op: 'add', path: 'members', value: [{ value: '7' }] },
    ],
    [
      'names in another letter case',
      '/Groups/1',
      { OP: 'add', Path: 'MEMBERS', Value: [{ value: 'bulkId:a' }] },
      { OP: 'add', Path: 'MEMBERS', Value: [{ value: '7' }] },
    ],
    [
      'a value without a path',
      '/Groups/1',
      { op: 'add', value: { members: [{ value: 'bulkId:a' }] } },
      { op: 'add', value: { members: [{ value: '7' }] } },
    ],
    [
      'a removal by value',
      '/Groups/1',
      { op: 'remove', path: 'members', value: [{ value: 'bulkId:a' }] },
      { op: 'remove', path: 'members', value: [{ value: '7' }] },
    ],
    [
      'a filter',
      '/Groups/1',
      { op: 'remove', path: 'members[value eq "bulkId:a"]' },
      { op: 'remove', path: 'members[value eq "7"]' },
    ],
    [
      'each comparison of a filter',
      '/Groups/1',
      { op: 'remove', path: 'Members[VALUE eq "bulkId:a" or not (value ne "bulkId:a")].display' },
      { op: 'remove', path: 'Members[VALUE eq "7" or not (value ne "7")].display' },
    ],
    [
      'a filter in a key',
      '/Groups/1',
      { op: 'add', value: { 'members[value eq "bulkId:a"].display': 'x' } },
      { op: 'add', value: { 'members[value eq "7"].display': 'x' } },
    ],
    [
      "the manager's id",
      '/Users/1',
      { op: 'add', path: `${ENTERPRISE}:manager`, value: 'bulkId:a' },
      { op: 'add', path: `${ENTERPRISE}:manager`, value: '7' },
    ],
    [
      'a manager attribute',
      '/Users/1',
      { op: 'add', path: 'manager.value', value: 'bulkId:a' },
      { op: 'add', path: 'manager.value', value: '7' },
    ],
    [
      'an extension',
      '/Users/1',
      { op: 'add', path: ENTERPRISE, value: { manager: 'bulkId:a' } },
      { op: 'add', path: ENTERPRISE, value: { manager: '7' } },
    ],
    [
      'an extension in a value',
      '/Users/1',
      {
        op: 'add',
        value: {
          [ENTERPRISE]: { 'manager.value': 'bulkId:a', [`${ENTERPRISE}:manager`]: 'bulkId:a' },
        },
      },
      {
        op: 'add',
        value: { [ENTERPRISE]: { 'manager.value': '7', [`${ENTERPRISE}:manager`]: '7' } },
      },
    ],
    [
      'a path as a key',
      '/Users/1',
      { op: 'add', value: { [`${ENTERPRISE}:manager.value`]: 'bulkId:a' } },
      { op: 'add', value: { [`${ENTERPRISE}:manager.value`]: '7' } },
    ],
    [
      'a wrapped value',
      '/v1/Devices/1',
      { op: 'add', path: 'owner', value: [{ value: 'bulkId:a' }] },
      { op: 'add', path: 'owner', value: [{ value: URL_OF_7 }] },
    ],
    [
      'a PATCH of /Me',
      '/Me',
      { op: 'add', path: 'manager', value: { value: 'bulkId:a' } },
      { op: 'add', path: 'manager', value: { value: '7' } },
    ],
  ])(
    'bulkId: is replaced in reference attributes within a PATCH: %s',
    async (_, path, operation, expected) => {
      const dataOf = (one: object): object => ({ schemas: [PATCH_OP_SCHEMA], Operations: [one] })
      const call = await callOf({ method: 'PATCH', path, data: dataOf(operation) })
      expect(call?.data).toStrictEqual(dataOf(expected))
    },
  )
})

describe('bulkId: in any other string', () => {
  it.each<[string, string, object]>([
    [
      'userName, title, displayName and password',
      '/Users/1',
      { userName: 'bulkId:a', title: 'bulkId:a', displayName: 'bulkId:none', password: 'bulkId:a' },
    ],
    ['externalId', '/Users/1', { userName: 'bulkId:none', externalId: 'bulkId:a' }],
    [
      'the value of an email',
      '/Users/1',
      { userName: 'b', emails: [{ value: 'bulkId:a', display: 'bulkId:a' }] },
    ],
    ['a part of a name', '/Users/1', { userName: 'b', name: { familyName: 'bulkId:a' } }],
    ['a URL of another kind', '/Users/1', { userName: 'b', profileUrl: 'bulkId:a' }],
    ['the display name of a member', '/Groups/1', { members: [{ display: 'bulkId:a' }] }],
    ['the cost center', '/Users/1', { userName: 'b', [ENTERPRISE]: { costCenter: 'bulkId:a' } }],
    [
      'an unknown attribute',
      '/Users/1',
      { userName: 'b', members: [{ value: 'bulkId:a' }], manager: { value: 'bulkId:a' } },
    ],
    [
      'an unknown extension',
      '/Users/1',
      { userName: 'b', 'urn:x:y': { manager: { value: 'bulkId:a' } } },
    ],
    ['a type that is not served', '/Robots/1', { members: [{ value: 'bulkId:a' }] }],
    [
      'an attribute of its own type',
      '/v1/Devices/1',
      { label: 'bulkId:a', home: 'bulkId:a', icon: 'bulkId:a', tag: { value: 'bulkId:a' } },
    ],
  ])('bulkId: stays unchanged in %s', async (_, path, data) => {
    expect((await callOf({ method: 'PUT', path, data }))?.data).toStrictEqual(data)
  })

  it.each<[string, string, object]>([
    ['a password', '/Users/1', { op: 'replace', path: 'password', value: 'bulkId:a' }],
    [
      'a password without a path',
      '/Users/1',
      { op: 'replace', value: { password: 'bulkId:none' } },
    ],
    ['an email', '/Users/1', { op: 'add', path: 'emails', value: [{ value: 'bulkId:a' }] }],
    [
      'a filter on another attribute',
      '/Users/1',
      { op: 'remove', path: 'emails[value eq "bulkId:a"]' },
    ],
    [
      'a filter on the display name',
      '/Groups/1',
      { op: 'remove', path: 'members[display eq "bulkId:a"]' },
    ],
    ['a malformed path', '/Groups/1', { op: 'remove', path: 'members[value eq "bulkId:a"' }],
    ['an unknown path', '/Groups/1', { op: 'add', path: 'colors', value: 'bulkId:a' }],
    ['a path for another type', '/Groups/1', { op: 'add', path: 'bulkId:a', value: 'bulkId:a' }],
    ["the operation's name", '/Groups/1', { op: 'bulkId:a', path: 'displayName', value: 'x' }],
  ])(
    'bulkId: stays unchanged in any other string within a PATCH: %s',
    async (_, path, operation) => {
      const data = { schemas: [PATCH_OP_SCHEMA], Operations: [operation, 'bulkId:a', null] }
      expect((await callOf({ method: 'PATCH', path, data }))?.data).toStrictEqual(data)
    },
  )
})
