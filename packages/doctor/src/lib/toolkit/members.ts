import { type JsonObject, memberAt, objectsOf } from '../json.ts'
import { findAttributeReason } from '../model/attribute-needs.ts'
import { expectEqual, expectList, expectStatus } from './expect.ts'
import { skip } from './finding.ts'
import { modifyResource, readResource } from './patch.ts'
import type { Created, Operation, Server } from './server.ts'

/** Creates a group with these members. */
export function createGroup(
  { create }: Pick<Server, 'create'>,
  ...members: readonly Created[]
): Promise<Created> {
  return create('Group', { members: members.map(({ id }) => ({ value: id })) })
}

/** Requires a group to have exactly these members. */
export function expectMembers(group: JsonObject, ...members: readonly Created[]): void {
  const expected = members.map(({ id }) => id).sort()
  expectEqual(memberIds(group), expected, 'the ids of the members')
}

/** Sends a PATCH request that must succeed, then requires the group to have exactly these members. */
export async function expectMembersAfter(
  server: Server,
  { path }: Created,
  operation: Operation,
  ...members: readonly Created[]
): Promise<void> {
  expectMembers(await modifyResource(server, path, operation), ...members)
}

/** Returns whether a user has a group: in the attribute groups, or without it with the filter providers use. */
export async function isInGroup(server: Server, user: Created, group: Created): Promise<boolean> {
  if (findAttributeReason(server.types, 'User.groups') === null) {
    const { groups } = await readResource(server, user.path)
    return objectsOf(groups).some(({ value }) => value === group.id)
  }
  const query = { filter: `members.value eq "${user.id}"`, count: 100 }
  const response = await server.get(server.type('Group').endpoint, { query })
  if (response.status === 400) skip('The server does not filter by members.value.')
  return expectList(response).some(({ id }) => id === group.id)
}

/** Sends a PUT with other members for a group. */
export async function putMembers(
  { put }: Pick<Server, 'put'>,
  { path, sent }: Created,
  ...members: readonly Created[]
): Promise<void> {
  const body = { ...sent, members: members.map(({ id }) => ({ value: id })) }
  expectStatus(await put(path, body), 200, 204)
}

function memberIds(group: JsonObject): readonly string[] {
  return objectsOf(memberAt(group, 'members'))
    .map(({ value }) => String(value))
    .sort()
}
