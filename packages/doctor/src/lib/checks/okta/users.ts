import { ERROR_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { type JsonObject, withAt } from '../../json.ts'
import { findAttributeReason } from '../../model/attribute-needs.ts'
import {
  expectAbsent,
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { modifyResource, readResource } from '../../toolkit/patch.ts'
import type { Server } from '../../toolkit/server.ts'

const OKTA = { section: 'Okta', level: 'practice', profiles: ['okta'] } as const

/** Okta's requests for users. */
export const OKTA_USER_CHECKS: readonly Check[] = [
  {
    ...OKTA,
    id: 'okta.one-user',
    title: 'GET /Users?count=1&startIndex=1 answers one user, and the numbers are integers',
    needs: ['users', 'check:create.user'],
    advice: 'Write totalResults, itemsPerPage and startIndex as JSON numbers.',
    affects: { okta: 'The SPEC suite fails, and users are not imported.' },
    run: async ({ people, get, type }) => {
      await people()
      const response = await get(type('User').endpoint, { query: { count: 1, startIndex: 1 } })
      expectEqual(expectList(response).length, 1, 'the number of users')
      expectMember(response, 'startIndex', 1)
      expectMember(response, 'itemsPerPage', 1)
      const total = expectMember(response, 'totalResults')
      expectThat(Number.isInteger(total), 'totalResults as an integer', total)
    },
  },
  {
    ...OKTA,
    id: 'okta.look-up',
    title: 'The look-up by userName, with startIndex and count, finds the user',
    needs: ['filter', 'check:filters.eq-string'],
    advice: 'Apply the filter before startIndex and count.',
    affects: { okta: 'Existing users are not matched, and their creation fails.' },
    run: async ({ people, get, type }) => {
      const { ada } = await people()
      const query = { filter: `userName eq "${ada.sent.userName}"`, startIndex: 1, count: 100 }
      const [user, ...others] = expectList(await get(type('User').endpoint, { query }))
      expectEqual([user?.id, others.length], [ada.id, 0], 'the id of the user, and the other users')
    },
  },
  {
    ...OKTA,
    id: 'okta.look-up-unknown',
    title: 'The look-up of an unknown userName answers 200 with totalResults 0',
    needs: ['filter', 'check:okta.look-up'],
    advice: 'Answer an empty list response, not 404.',
    affects: { okta: 'The SPEC suite fails, and no user is created.' },
    run: async ({ get, type, unique }) => {
      const query = { filter: `userName eq "${unique()}"`, startIndex: 1, count: 100 }
      const response = await get(type('User').endpoint, { query })
      expectEqual(expectList(response).length, 0, 'the number of users')
      expectMember(response, 'totalResults', 0)
    },
  },
  {
    ...OKTA,
    id: 'okta.unknown-user',
    title: 'The error for a user that does not exist has the schema of errors and a detail',
    needs: ['check:read.unknown'],
    advice: 'Answer 404 with an error document whose detail says what is wrong.',
    affects: { okta: 'The SPEC suite fails.' },
    run: async ({ get, type, unique }) => {
      const response = await get(`${type('User').endpoint}/00u-${unique()}`)
      expectError(response, 404)
      expectMember(response, 'schemas', [ERROR_SCHEMA])
      const detail = expectMember(response, 'detail')
      expectThat(typeof detail === 'string' && detail !== '', 'a detail as text', detail)
    },
  },
  {
    ...OKTA,
    id: 'okta.create',
    title: 'A new user with a password and an empty list of groups is created',
    needs: ['check:create.user'],
    advice: 'Accept a password, ignore groups, and return the other attributes that were sent.',
    affects: { okta: 'Users that are assigned to the application are not created.' },
    run: async (server) => {
      const { endpoint } = server.type('User')
      const user = newUser(server)
      const response = await server.post(endpoint, user)
      expectStatus(response, 201)
      const id = String(expectMember(response, 'id'))
      const read = await readResource(server, `${endpoint}/${encodeURIComponent(id)}`)
      for (const name of ['userName', 'name', 'active']) {
        if (response.body[name] !== undefined) expectMember(read, name, response.body[name])
      }
      expectMember(response, 'userName', user.userName)
      expectAbsent(response, 'password')
    },
  },
  {
    ...OKTA,
    id: 'okta.duplicate',
    title: 'The same user a second time answers 409',
    needs: ['check:okta.create', 'check:uniqueness.create'],
    advice: 'Answer 409 uniqueness if the userName is taken.',
    affects: { okta: 'The CRUD suite fails, and a conflict is not shown to the administrator.' },
    run: async (server) => {
      const { endpoint } = server.type('User')
      const user = newUser(server)
      expectStatus(await server.post(endpoint, user), 201)
      expectError(await server.post(endpoint, user), 409)
    },
  },
  {
    ...OKTA,
    id: 'okta.put-as-read',
    title: 'PUT of a user as it was read, with id and meta, changes the attribute that differs',
    needs: ['check:create.user', 'User:text'],
    advice: 'Ignore read-only members in the body of PUT.',
    affects: { okta: 'Applications of the app wizard update users in this way.' },
    run: async (server) => {
      const { path } = await server.create('User')
      const before = await readResource(server, path)
      const { text } = server.words()
      const value = server.fit(text, 'Grace Sample')
      expectStatus(await server.put(path, withAt(before, { [text]: value })), 200)
      expectMember(await readResource(server, path), text, value)
    },
  },
  {
    ...OKTA,
    id: 'okta.password',
    title: 'PUT with a password succeeds, and the response does not have it',
    needs: ['check:okta.put-as-read'],
    advice: 'Store or ignore the password, and never return it.',
    affects: { okta: 'Passwords are not synchronized, or are shown in its log.' },
    run: async (server) => {
      const { path, body } = await server.create('User')
      const response = await server.put(path, { ...body, password: `Aa1!${server.unique()}` })
      expectStatus(response, 200)
      expectAbsent(response, 'password')
    },
  },
  {
    ...OKTA,
    id: 'okta.deactivate',
    title: 'PATCH without a path deactivates a user and activates it again',
    needs: ['patch', 'check:create.user', 'User.active'],
    advice: 'Without a path, read the value as a part of the resource.',
    affects: { okta: 'Users who leave keep their access.' },
    run: async (server) => {
      const { path } = await server.create('User', { active: true })
      for (const active of [false, true]) {
        const operation = { op: 'replace', value: { active } }
        expectMember(await modifyResource(server, path, operation), 'active', active)
      }
    },
  },
  {
    ...OKTA,
    id: 'okta.deactivate-by-put',
    title: 'PUT with active false deactivates a user, who can still be read',
    needs: ['check:create.user', 'User.active'],
    advice: 'Store active with PUT, and keep users who are not active.',
    affects: { okta: 'In applications of the app wizard, users who leave keep their access.' },
    run: async (server) => {
      const { path } = await server.create('User', { active: true })
      const before = await readResource(server, path)
      expectStatus(await server.put(path, { ...before, active: false }), 200)
      expectMember(await readResource(server, path), 'active', false)
    },
  },
  {
    ...OKTA,
    id: 'okta.set-password',
    title: 'PATCH of the password succeeds, and the user does not show it',
    needs: ['patch', 'check:create.user'],
    advice: 'Accept a new password without a path, and never return it.',
    affects: { okta: 'Passwords are not synchronized.' },
    run: async (server) => {
      const { path } = await server.create('User')
      const value = { password: `Aa1!${server.unique()}` }
      const response = await server.modify(path, { op: 'replace', value })
      const lack = findAttributeReason(server.types, 'User.password')
      // Okta does not send passwords to an application that does not accept them.
      if (response.status === 400 && lack !== null) skip(lack)
      expectStatus(response, 200, 204)
      expectAbsent(await readResource(server, path), 'password')
    },
  },
  {
    ...OKTA,
    id: 'okta.content-type',
    title: 'A body of the type application/scim+json; charset=utf-8 is accepted',
    needs: ['check:create.user'],
    advice: 'Compare the media type without its parameters.',
    affects: { okta: 'Every request with a body fails.' },
    run: async ({ post, sample, type }) => {
      const headers = { ...AGENT, 'Content-Type': 'application/scim+json; charset=utf-8' }
      expectStatus(await post(type('User').endpoint, sample('User'), { headers }), 201)
    },
  },
  {
    ...OKTA,
    id: 'okta.json',
    title: 'A body of the type application/json is accepted',
    needs: ['check:okta.content-type'],
    advice: 'Accept application/json as well as application/scim+json.',
    affects: { okta: 'Every request with a body fails in older applications.' },
    run: async ({ post, sample, type }) => {
      const headers = { ...AGENT, 'Content-Type': 'application/json', Accept: 'application/json' }
      expectStatus(await post(type('User').endpoint, sample('User'), { headers }), 201)
    },
  },
]

/** A user as Okta creates it. */
function newUser({ sample, unique }: Server): JsonObject {
  return sample('User', { password: `Aa1!${unique()}`, groups: [] })
}

const AGENT = { 'User-Agent': 'Okta SCIM Client 1.0.0' }
