import type { Check } from '../check.ts'
import { type JsonObject, objectsOf } from '../json.ts'
import { findAttribute } from '../model/types.ts'
import { IPSIE_AL2_CLIENTS, IPSIE_CLIENTS } from '../profiles.ts'
import { createUserOperation, expectOperation, runBulk } from '../toolkit/bulk.ts'
import {
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../toolkit/expect.ts'
import { modifyResource, readResource } from '../toolkit/patch.ts'
import type { Created, Operation, Server } from '../toolkit/server.ts'

const AL1 = { level: 'MUST', profiles: IPSIE_CLIENTS } as const
const AL2 = { level: 'MUST', profiles: IPSIE_AL2_CLIENTS } as const

/** Rules the OpenID IPSIE account lifecycle profile adds to the interoperability profile. */
export const IPSIE_CHECKS: readonly Check[] = [
  {
    ...AL1,
    id: 'ipsie.bulk',
    section: 'IPSIE-00 §4.3',
    title: 'A bulk request creates two users',
    needs: ['users', 'check:create.user'],
    advice: 'Support /Bulk, and say bulk.supported in the configuration.',
    run: async (server) => {
      expectMember(server.documents.config, 'bulk.supported', true)
      const operations = await runBulk(server, [
        createUserOperation(server, 'a'),
        createUserOperation(server, 'b'),
      ])
      expectOperation(operations, 0, 201)
      expectOperation(operations, 1, 201)
    },
  },
  {
    ...AL1,
    id: 'ipsie.active',
    section: 'IPSIE-00 §5.1',
    title: 'A PATCH of active deactivates a user and activates it again',
    needs: ['check:interop.patch'],
    advice: 'Change active by PATCH, in both directions.',
    run: async (server) => {
      const { path } = await server.create('User', { active: true })
      for (const value of [false, true]) {
        const user = await modifyResource(server, path, { op: 'replace', path: 'active', value })
        expectMember(user, 'active', value)
      }
    },
  },
  {
    ...AL1,
    id: 'ipsie.filters',
    section: 'IPSIE-00 §5.4',
    title: 'Users are found by userName, externalId, emails and emails of a type',
    needs: ['User.emails.type', 'check:filters.eq-string'],
    advice: 'Support eq and and by these attributes, also between brackets.',
    run: async (server) => {
      const { sent, id } = await server.create('User')
      const [address] = objectsOf(sent.emails)
      const [name, external, value] = [sent.userName, sent.externalId, address?.value].map((one) =>
        JSON.stringify(one),
      )
      for (const filter of [
        `username eq ${name}`,
        `externalId eq ${external}`,
        `emails[value eq ${value}]`,
        `emails[type eq "work" and value eq ${value}]`,
      ]) {
        expectEqual(await idsOf(server, 'User', filter), [id], `the users with ${filter}`)
      }
      const other = `emails[type eq "home" and value eq ${value}]`
      expectEqual(await idsOf(server, 'User', other), [], `the users with ${other}`)
    },
  },
  {
    ...AL2,
    id: 'ipsie.attributes',
    section: 'IPSIE-00 §6.1.1',
    title: 'Users have userName, displayName, active and externalId',
    needs: ['users', 'check:create.user'],
    advice: 'Declare the three attributes in the schema of users, and store externalId.',
    run: async (server) => {
      requireAttributes(server, 'User', ['userName', 'displayName', 'active'])
      await requireExternalId(server, await server.create('User'))
    },
  },
  {
    ...AL2,
    id: 'ipsie.no-password',
    section: 'IPSIE-00 §6.1.2',
    title: 'The schema of users does not have a password, and a new user with one is rejected',
    needs: ['users', 'check:create.user'],
    advice: 'Remove password from the schema. By interop-01 §5.3 it is an unknown attribute then.',
    run: async (server) => {
      const declared = findAttribute(server.type('User'), 'password')
      expectThat(declared === undefined, 'a schema without password', declared)
      const user = { ...server.sample('User'), password: server.unique() }
      expectError(await server.post(server.type('User').endpoint, user), 400, 'invalidSyntax')
    },
  },
  {
    ...AL2,
    id: 'ipsie.page-of-1000',
    section: 'IPSIE-00 §6.1.5',
    title: 'A page of users has at most 1,000 resources',
    needs: ['users'],
    advice: 'Limit count to 1,000.',
    run: async ({ get, type }) => {
      const response = await get(type('User').endpoint, { query: { count: 100_000 } })
      const { length } = expectList(response)
      expectThat(length <= 1_000, 'at most 1,000 resources', length)
    },
  },
  {
    ...AL2,
    id: 'ipsie.cursors',
    section: 'IPSIE-00 §6.1.5',
    level: 'SHOULD',
    title: 'The configuration offers pages by cursor',
    needs: ['check:discovery.config'],
    advice: 'Support the parameter cursor (RFC 9865), and say so in pagination.cursor.',
    run: async ({ documents: { config } }) => {
      expectMember(config, 'pagination.cursor', true)
    },
  },
  {
    ...AL2,
    id: 'ipsie.group-attributes',
    section: 'IPSIE-00 §6.2.1',
    title: 'Groups have displayName, members and externalId',
    needs: ['groups', 'check:groups.members'],
    advice: 'Declare both attributes in the schema of groups, and store externalId.',
    run: async (server) => {
      requireAttributes(server, 'Group', ['displayName', 'members'])
      await requireExternalId(server, await server.create('Group'))
    },
  },
  {
    ...AL2,
    id: 'ipsie.group-names',
    section: 'IPSIE-00 §6.2.1',
    level: 'SHOULD',
    title: 'A second group with the same displayName is rejected',
    needs: ['groups', 'check:groups.members'],
    advice: 'Answer 409 uniqueness.',
    run: async (server) => {
      const { displayName } = (await server.create('Group')).sent
      const second = server.sample('Group', { displayName })
      expectError(await server.post(server.type('Group').endpoint, second), [400, 409])
    },
  },
  {
    ...AL2,
    id: 'ipsie.empty-group',
    section: 'IPSIE-00 §6.2.2',
    title: 'A group is created without members, and with an empty list of them',
    needs: ['groups'],
    advice: 'Accept a group without the attribute members.',
    run: async (server) => {
      const { endpoint } = server.type('Group')
      for (const members of [undefined, []]) {
        expectStatus(await server.post(endpoint, server.sample('Group', { members })), 201)
      }
    },
  },
  {
    ...AL2,
    id: 'ipsie.group-filters',
    section: 'IPSIE-00 §6.2.5',
    title: 'Groups are found by displayName, externalId and members',
    needs: ['groups', 'check:groups.members'],
    advice: 'Support eq by these attributes, and members[value eq "…"].',
    run: async (server) => {
      const { ada } = await server.people()
      const { sent, id } = await server.create('Group', { members: [{ value: ada.id }] })
      const [name, external] = [sent.displayName, sent.externalId].map((one) => JSON.stringify(one))
      for (const filter of [`displayName eq ${name}`, `externalId eq ${external}`]) {
        expectEqual(await idsOf(server, 'Group', filter), [id], `the groups with ${filter}`)
      }
      const member = `members[value eq ${JSON.stringify(ada.id)}]`
      const found = await idsOf(server, 'Group', member)
      expectThat(found.includes(id), `the group among those with ${member}`, found)
    },
  },
  {
    ...AL2,
    id: 'ipsie.members',
    section: 'IPSIE-00 §6.2.6',
    title: 'A PATCH with 50 operations adds 50 members, and another one removes them',
    needs: ['groups', 'patch', 'check:groups.add-member'],
    advice: 'Accept 50 operations on members in a request.',
    run: async (server) => {
      const users: Created[] = []
      for (let at = 0; at < 50; at += 1) users.push(await server.create('User'))
      const { path } = await server.create('Group')
      const change = async (operations: readonly Operation[]): Promise<readonly JsonObject[]> => {
        expectStatus(await server.modify(path, ...operations), 200, 204)
        return objectsOf((await readResource(server, path)).members)
      }
      const ids = users.map(({ id }) => id)
      const added = await change(
        ids.map((id) => ({ op: 'add', path: 'members', value: [{ value: id }] })),
      )
      expectEqual(added.length, 50, 'the number of members')
      const left = await change(
        ids.map((id) => ({ op: 'remove', path: `members[value eq ${JSON.stringify(id)}]` })),
      )
      expectEqual(left.length, 0, 'the number of members after the removals')
    },
  },
]

function requireAttributes(server: Server, type: string, names: readonly string[]): void {
  const missing = names.filter((name) => findAttribute(server.type(type), name) === undefined)
  expectEqual(missing, [], `the attributes that the schema of ${type} does not declare`)
}

/** Requires a server to return the externalId from a POST and a PATCH. */
async function requireExternalId(server: Server, { path, sent }: Created): Promise<void> {
  expectMember(await readResource(server, path), 'externalId', sent.externalId)
  const value = server.unique()
  const changed = await modifyResource(server, path, { op: 'replace', path: 'externalId', value })
  expectMember(changed, 'externalId', value)
}

async function idsOf(server: Server, type: string, filter: string): Promise<readonly unknown[]> {
  const response = await server.get(server.type(type).endpoint, { query: { filter } })
  return expectList(response).map(({ id }) => id)
}
