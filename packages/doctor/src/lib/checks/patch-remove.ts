import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { objectsOf } from '../json.ts'
import { patching } from '../patching.ts'
import { INTEROP_CLIENTS } from '../profiles.ts'
import { PATCH_ROWS } from '../rows/patch-rows.ts'
import { RULES } from '../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectError,
  expectMember,
  expectStatus,
} from '../toolkit/expect.ts'
import { createGroup, expectMembers } from '../toolkit/members.ts'
import {
  absentElement,
  elementOf,
  modifyUser,
  readResource,
  twoElements,
  valuesByType,
} from '../toolkit/patch.ts'
import type { Server } from '../toolkit/server.ts'

export const PATCH_REMOVE_CHECKS: readonly Check[] = [
  patching({
    id: 'patch-remove.attribute',
    row: PATCH_ROWS.removed,
    ...RULES.unassigned,
    title: 'remove of a single-valued attribute removes its value',
    advice: 'Delete the value, so that the attribute is absent or null afterwards.',
    affects: { entra: 'Values that were deleted in the directory stay in the application.' },
  }),
  patching({
    id: 'patch-remove.sub-attribute',
    row: PATCH_ROWS.removedSubAttribute,
    ...RULES.unassigned,
    title: 'remove of a sub-attribute keeps the other sub-attributes',
    advice: 'Delete only the sub-attribute after the dot in the path.',
  }),
  patching({
    id: 'patch-remove.complex',
    row: PATCH_ROWS.removedComplex,
    ...RULES.unassigned,
    title: 'remove of a complex attribute removes all its sub-attributes',
    advice: 'Delete the whole value if the path names a complex attribute.',
  }),
  patching({
    id: 'patch-remove.multi-valued',
    row: PATCH_ROWS.removedList,
    otherwise: [PATCH_ROWS.removedOnlyList],
    ...RULES.unassigned,
    title: 'remove of a multi-valued attribute removes all its values',
    advice: 'Without a filter in the path, delete the whole list.',
  }),
  patching({
    id: 'patch-remove.value-path',
    row: PATCH_ROWS.removedValue,
    otherwise: [PATCH_ROWS.removedLastValue],
    section: 'RFC 7644 §3.5.2.2',
    level: 'defined',
    quote: 'the values matched by the filter are removed',
    title: 'remove with a value path removes the selected values only',
    advice: 'Apply the filter in brackets to the values, and delete only those that match.',
    affects: { entra: 'All addresses of a user are lost when one is removed.' },
  }),
  {
    id: 'patch-remove.value-path-and',
    ...RULES.sameValue,
    title: 'All terms of a value path must match the same value',
    needs: ['patch', 'check:patch-remove.value-path'],
    advice: 'Evaluate the whole filter in brackets for each value.',
    run: async (server) => {
      const { list } = server.words()
      if (list.kinds.length < 2) return expectBothMembers(server)
      const [work, home] = twoElements(server)
      const { path } = await server.create('User', { [list.path]: [work, home] })
      const target = `${list.path}[type eq "${home.type}" and value eq "${work.value}"]`
      expectStatus(await server.modify(path, { op: 'remove', path: target }), 200, 204, 400)
      const user = await readResource(server, path)
      const wanted = { [String(work.type)]: work.value, [String(home.type)]: home.value }
      expectEqual(valuesByType(user[list.path]), wanted, `${list.path} by type`)
    },
  },
  patching({
    id: 'patch-remove.last-value',
    row: PATCH_ROWS.removedLastValue,
    section: 'RFC 7644 §3.5.2.2',
    level: 'MUST',
    quote: 'the multi-valued attribute SHALL be considered unassigned',
    title: 'A multi-valued attribute without a value after remove is unassigned',
    needs: ['check:patch-remove.value-path'],
    advice: 'Omit the attribute, or return an empty list, after its last value was removed.',
  }),
  patching({
    id: 'patch-remove.value-path-sub-attribute',
    row: PATCH_ROWS.removedPart,
    section: 'RFC 7644 §3.5.2.2',
    level: 'MUST',
    quote: 'whose values have been removed SHALL be considered',
    title: 'remove with a value path and a sub-attribute removes only this sub-attribute',
    advice: 'Delete the sub-attribute of the values that match, and keep their other parts.',
    needs: ['check:patch-remove.value-path'],
  }),
  {
    id: 'patch-remove.value-path-missing',
    section: 'RFC 7644 §3.5.2.2',
    level: 'defined',
    quote: 'the values matched by the filter are removed',
    title: 'remove with a value path that selects no value keeps the values',
    needs: ['patch', 'check:create.user', 'User:list'],
    advice: 'Answer success without a change, or 400 noTarget.',
    affects: { okta: 'It repeats removals; success is the safer answer.' },
    run: async (server) => {
      const { list } = server.words()
      const { path } = await server.create('User', { [list.path]: [elementOf(server, 0)] })
      const { [list.path]: before } = await readResource(server, path)
      const operation = { op: 'remove', path: absentElement(server) }
      expectStatus(await server.modify(path, operation), 200, 204, 400)
      const { [list.path]: after } = await readResource(server, path)
      const [wanted, found] = [before, after].map((values) => objectsOf(values).length)
      expectEqual(found, wanted, `the number of ${list.path}`)
    },
  },
  {
    id: 'patch-remove.extension',
    ...RULES.withUrn,
    title: 'remove with the URN of an extension in the path removes the attribute of the extension',
    needs: ['check:patch-add.extension', `User.${ENTERPRISE_USER_SCHEMA}:employeeNumber`],
    advice: 'Read the text before the last colon as a schema URN, which may contain dots.',
    affects: { entra: 'A department that was deleted in the directory stays.' },
    run: async (server) => {
      const path = `${ENTERPRISE_USER_SCHEMA}:employeeNumber`
      const value = server.unique()
      const user = await modifyUser(server, {}, { op: 'add', path, value }, { op: 'remove', path })
      expectAbsent(user, [ENTERPRISE_USER_SCHEMA, 'employeeNumber'])
    },
  },
  {
    id: 'patch-remove.no-path',
    notFor: INTEROP_CLIENTS,
    section: 'RFC 7644 §3.5.2.2',
    level: 'defined',
    quote: 'the operation fails with HTTP status code 400',
    title: 'remove without a path is rejected with noTarget',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 noTarget if a remove operation does not have a path.',
    run: async (server) => {
      const { path } = await server.create('User')
      expectError(await server.modify(path, { op: 'remove' }), 400, 'noTarget')
    },
  },
  {
    id: 'patch-remove.required',
    section: 'RFC 7644 §3.5.2.2',
    level: 'MUST',
    quote: 'the server SHALL return an HTTP response status',
    title: 'remove of a required attribute is rejected with mutability',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 mutability if an operation removes a required attribute.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      const operation = { op: 'remove', path: 'userName' }
      expectError(await server.modify(path, operation), 400, 'mutability')
      expectMember(await readResource(server, path), 'userName', sent.userName)
    },
  },
  {
    id: 'patch-remove.read-only',
    section: 'RFC 7644 §3.5.2.2',
    level: 'MUST',
    quote: 'the server SHALL return an HTTP response status',
    title: 'remove of a read-only attribute is rejected with mutability',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 mutability if an operation removes a read-only attribute.',
    run: async (server) => {
      const { path, id } = await server.create('User')
      const operation = { op: 'remove', path: 'id' }
      expectError(await server.modify(path, operation), 400, 'mutability')
      expectMember(await readResource(server, path), 'id', id)
    },
  },
]

/** Examines group members instead, if the server keeps only one value in the users' list. */
async function expectBothMembers(server: Server): Promise<void> {
  const { ada, bob } = await server.people()
  const { path } = await createGroup(server, ada, bob)
  const target = `members[value eq "${ada.id}" and value eq "${bob.id}"]`
  expectStatus(await server.modify(path, { op: 'remove', path: target }), 200, 204, 400)
  expectMembers(await readResource(server, path), ada, bob)
}
