import type { Check } from '../check.ts'
import { RULES } from '../rules.ts'
import { expectEqual, expectError, expectList, expectStatus } from '../toolkit/expect.ts'

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
]
