import { ENTERPRISE_USER_SCHEMA, PATCH_OP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { findAttributeReason } from '../../model/attribute-needs.ts'
import { expectEqual, expectList, expectMember, expectStatus } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { modifyResource } from '../../toolkit/patch.ts'

const ENTRA = { section: 'Entra ID', level: 'practice', profiles: ['entra'] } as const

/** Entra ID's requests for users. */
export const ENTRA_REQUEST_CHECKS: readonly Check[] = [
  {
    ...ENTRA,
    id: 'entra.test-connection',
    title: 'A filter that matches no user answers 200 with an empty list',
    needs: ['users', 'filter'],
    advice: 'Answer an empty list response with totalResults 0, not 404.',
    affects: { entra: 'The test of the connection fails, and provisioning cannot start.' },
    run: async ({ get, type }) => {
      const query = { filter: `userName eq "${crypto.randomUUID()}"` }
      const response = await get(type('User').endpoint, { query })
      expectEqual(expectList(response).length, 0, 'the number of users')
      expectMember(response, 'totalResults', 0)
    },
  },
  {
    ...ENTRA,
    id: 'entra.look-up-external-id',
    title: 'The look-up of a user by externalId is supported, and finds the user',
    needs: ['check:create.user'],
    advice: 'Support eq on externalId, with an index.',
    affects: {
      entra: 'Applications that match by externalId never find a user, and create it again.',
    },
    run: async ({ people, get, type }) => {
      const { bob } = await people()
      if (bob.body.externalId === undefined) skip('The server does not keep externalId.')
      const query = { filter: `externalId eq ${JSON.stringify(bob.sent.externalId)}` }
      const found = expectList(await get(type('User').endpoint, { query })).map(({ id }) => id)
      expectEqual(found, [bob.id], 'the users with the externalId')
    },
  },
  {
    ...ENTRA,
    id: 'entra.create',
    title: 'A new user with meta, empty lists and null is created',
    needs: ['check:create.user'],
    advice: 'Ignore read-only members, and read null and empty lists as absent values.',
    affects: { entra: 'Provisioning of new users fails.' },
    run: async ({ type, sample, post }) => {
      const user = sample('User', { roles: [], title: null, meta: { resourceType: 'User' } })
      const response = await post(type('User').endpoint, user)
      expectStatus(response, 201)
      expectMember(response, 'userName', user.userName)
    },
  },
  {
    ...ENTRA,
    id: 'entra.create-active-text',
    title: 'A new user whose active is the string "True" is created as active',
    needs: ['check:create.user', 'User.active'],
    advice: 'Read "True" and "False" as booleans where an attribute is a boolean.',
    affects: { entra: 'Provisioning of new users fails without the flag aadOptscim062020.' },
    run: async ({ type, sample, post }) => {
      const response = await post(type('User').endpoint, sample('User', { active: 'True' }))
      expectStatus(response, 201)
      expectMember(response, 'active', true)
    },
  },
  {
    ...ENTRA,
    id: 'entra.empty-operations',
    title: 'A PATCH request with an empty list of operations succeeds',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 200 or 204 without a change.',
    affects: { entra: 'Its validator sends such a request, and reports a failed test.' },
    run: async ({ create, patch }) => {
      const { path } = await create('User')
      const response = await patch(path, { schemas: [PATCH_OP_SCHEMA], Operations: [] })
      expectStatus(response, 200, 204)
    },
  },
  {
    ...ENTRA,
    id: 'entra.custom-attribute',
    title: 'A custom attribute that POST ignores is ignored by PATCH, too',
    needs: ['check:entra.op-case'],
    advice: 'Ignore attributes that no schema declares in PATCH as you do in POST.',
    affects: { entra: 'With one mapped attribute of their own, users never receive an update.' },
    run: async (server) => {
      const urn = 'urn:ietf:params:scim:schemas:extension:plumbline:2.0:User'
      const { text } = server.words()
      const value = server.fit(text, 'Grace Sample')
      const custom = { schemas: [USER_SCHEMA, urn], [urn]: { costCenter: '4711' } }
      const created = await server.post(server.type('User').endpoint, server.sample('User', custom))
      if (created.status !== 201) skip('POST rejects attributes that no schema declares.')
      const operations = [
        { op: 'Replace', path: text, value },
        { op: 'Add', path: `${urn}:costCenter`, value: '4711' },
      ]
      const path = `${server.type('User').endpoint}/${encodeURIComponent(String(created.body.id))}`
      const user = await modifyResource(server, path, ...operations)
      expectMember(user, text, value)
    },
  },
  {
    ...ENTRA,
    id: 'entra.disable',
    title: 'A user that is disabled can still be read, with active false',
    needs: ['patch', 'check:create.user', 'check:entra.op-case', 'User.active'],
    advice: 'Keep disabled users. Only DELETE removes a user.',
    affects: { entra: 'Disabled users are created again, without their history.' },
    run: async (server) => {
      const { path } = await server.create('User', { active: true })
      const operation = { op: 'Replace', path: 'active', value: false }
      expectMember(await modifyResource(server, path, operation), 'active', false)
    },
  },
  {
    ...ENTRA,
    id: 'entra.delete-disabled',
    title: 'A disabled user can be deleted, and is not found afterwards',
    needs: ['check:entra.disable', 'check:delete.user'],
    advice: 'Answer DELETE with 204, also if the user is disabled, and GET with 404 afterwards.',
    affects: { entra: 'It deletes users 30 days after it disabled them, and repeats a failure.' },
    run: async (server) => {
      const { path } = await server.create('User', { active: true })
      await modifyResource(server, path, { op: 'Replace', path: 'active', value: false })
      expectStatus(await server.delete(path), 204)
      expectStatus(await server.get(path), 404)
    },
  },
  {
    ...ENTRA,
    id: 'entra.create-enterprise',
    title: 'A new user with attributes of the enterprise extension is created',
    needs: ['check:create.user'],
    advice: 'Read the attributes of the extension below its URN, or ignore those without a place.',
    affects: { entra: 'Its default mapping has a department, so new users fail.' },
    run: async ({ type, types, sample, post }) => {
      const schemas = [ENTERPRISE_USER_SCHEMA, USER_SCHEMA]
      const extension = { department: 'Research', manager: null }
      const user = sample('User', { schemas, [ENTERPRISE_USER_SCHEMA]: extension })
      const response = await post(type('User').endpoint, user)
      expectStatus(response, 201)
      if (findAttributeReason(types, `User.${ENTERPRISE_USER_SCHEMA}:department`) !== null) return
      expectMember(response, [ENTERPRISE_USER_SCHEMA, 'department'], 'Research')
    },
  },
]
