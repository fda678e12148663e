import type { Check } from '../check.ts'
import { fieldsOf } from '../model/fields.ts'
import { RULES } from '../rules.ts'
import { comparedFields, textOf, UNASSIGNED } from '../toolkit/differences.ts'
import {
  expectEqual,
  expectError,
  expectList,
  expectNoDifferences,
  expectStatus,
  expectThat,
} from '../toolkit/expect.ts'
import { createGroup } from '../toolkit/members.ts'
import { readResource } from '../toolkit/patch.ts'
import { isState } from './stored/wholes.ts'

export const DELETE_CHECKS: readonly Check[] = [
  {
    id: 'delete.user',
    section: 'RFC 7644 §3.6',
    level: 'MUST',
    quote: 'the server SHALL return a successful HTTP status',
    title: 'DELETE of a user answers 204 without a body',
    needs: ['check:create.user'],
    advice: 'Answer 204 and no body.',
    affects: { entra: 'A deletion is repeated until the job is quarantined.' },
    run: async (server) => {
      const { path } = await server.create('User')
      const response = await server.delete(path)
      expectStatus(response, 204)
      expectEqual(response.text, '', 'the body of the response')
    },
  },
  {
    id: 'delete.group-members',
    section: 'RFC 7643 §4.2',
    level: 'practice',
    title: 'DELETE of a group deletes the group only: its members can still be read',
    needs: ['check:delete.user', 'groups', 'Group.members'],
    advice:
      'Delete the rows of the group and of its memberships. ON DELETE CASCADE belongs to the table of memberships, not to the one of users.',
    affects: {
      entra: 'Users disappear when their group is no longer assigned.',
      okta: 'Users disappear when their group is no longer pushed.',
    },
    run: async (server) => {
      const user = await server.create('User')
      const group = await createGroup(server, user)
      expectStatus(await server.delete(group.path), 200, 204)
      expectStatus(await server.get(user.path), 200)
    },
  },
  {
    id: 'delete.read',
    section: 'RFC 7644 §3.6',
    level: 'MUST',
    quote: 'MUST return a 404 (Not Found) error code',
    title: 'GET of a deleted user answers 404',
    needs: ['check:delete.user'],
    advice: 'Answer 404 for a deleted resource, also if its row is only marked as deleted.',
    run: async (server) => {
      const { path } = await server.create('User')
      await server.delete(path)
      expectError(await server.get(path), 404)
    },
  },
  {
    id: 'delete.write',
    section: 'RFC 7644 §3.6',
    level: 'MUST',
    quote: 'MUST return a 404 (Not Found) error code',
    title: 'PUT of a deleted user answers 404 and does not create it again',
    needs: ['check:delete.user'],
    advice: 'Look up the resource before it is replaced. PUT never creates a resource.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      await server.delete(path)
      expectError(await server.put(path, sent), 404)
    },
  },
  {
    id: 'delete.again',
    section: 'RFC 7644 §3.6',
    level: 'MUST',
    quote: 'MUST return a 404 (Not Found) error code',
    title: 'A second DELETE of a user answers 404',
    needs: ['check:delete.user'],
    advice: 'Answer 404 if no resource was deleted.',
    run: async (server) => {
      const { path } = await server.create('User')
      await server.delete(path)
      expectError(await server.delete(path), 404)
    },
  },
  {
    id: 'delete.unknown',
    ...RULES.statusCodes,
    title: 'DELETE of a user that never existed answers 404',
    needs: ['check:delete.user'],
    advice: 'Answer 404 with an error document, not 204 or 500.',
    run: async (server) => {
      const { endpoint } = server.type('User')
      expectError(await server.delete(`${endpoint}/${server.unique()}`), 404)
    },
  },
  {
    id: 'delete.list',
    section: 'RFC 7644 §3.6',
    level: 'MUST',
    quote: 'MUST omit the resource from future query results',
    title: 'A deleted user is not in the result of a filter',
    needs: ['filter', 'check:delete.user', 'check:filters.eq-string'],
    advice: 'Exclude deleted rows from every query.',
    affects: { entra: 'The user is matched again, and every change of it fails.' },
    run: async (server) => {
      const { path, sent } = await server.create('User')
      await server.delete(path)
      const query = { filter: `userName eq "${sent.userName}"` }
      const found = expectList(await server.get(server.type('User').endpoint, { query }))
      expectEqual(found.length, 0, 'the number of users with the userName of a deleted one')
    },
  },
  {
    id: 'delete.reuse',
    section: 'RFC 7644 §3.6',
    level: 'SHOULD',
    quote: 'SHOULD NOT fail with a 409 error due',
    title: 'The userName of a deleted user can be used again',
    needs: ['check:delete.user'],
    advice: 'Ignore deleted rows when the uniqueness of userName is checked.',
    affects: { okta: 'A user that is assigned again is not created.' },
    run: async (server) => {
      const { path, sent } = await server.create('User')
      await server.delete(path)
      expectStatus(await server.post(server.type('User').endpoint, sent), 201)
    },
  },
  {
    id: 'delete.revived',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'It MUST be a stable, non-reassignable identifier',
    title:
      'A user with the userName of a deleted one has a new id, and only the values that were sent',
    needs: ['check:delete.reuse'],
    advice:
      'Insert a new row. A deleted row that is used again gives a new person the id, the values and the rights of the old one.',
    affects: {
      entra: 'A person gets the rights of another one who had the same userName.',
      okta: 'A person gets the rights of another one who had the same userName.',
    },
    run: async (server) => {
      const type = server.type('User')
      const old = await server.createWhole(type)
      const before = await readResource(server, old.path)
      await server.delete(old.path)
      const { userName } = old.sent
      // The new user has as few values as the usual one, so any old value shows up.
      const { id, path, sent } = await server.create('User', { userName })
      expectThat(id !== old.id, 'another id than the one of the deleted user', id)
      const after = await readResource(server, path)
      const kept = comparedFields(fieldsOf(type.definitions)).filter(
        (field) => textOf(field, before) === textOf(field, old.sent) && !isState(field),
      )
      const lines = kept.flatMap((field) => {
        const [wanted, was, found] = [sent, before, after].map((one) => textOf(field, one))
        const isOld = found === was && found !== wanted && found !== UNASSIGNED
        return isOld ? [`${field.path}: expected ${wanted}, came ${found}`] : []
      })
      expectNoDifferences(lines, `${path} without values of the deleted user`)
    },
  },
]
