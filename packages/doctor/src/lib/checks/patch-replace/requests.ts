import { PATCH_OP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt } from '../../json.ts'
import { patching } from '../../patching.ts'
import { PATCH_ROWS } from '../../rows/patch-rows.ts'
import { RULES } from '../../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectMember,
  expectRejection,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { modifyUser, readResource } from '../../toolkit/patch.ts'

/** Rules for PATCH requests as a whole. */
export const PATCH_REPLACE_REQUEST_CHECKS: readonly Check[] = [
  {
    id: 'patch-replace.response',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    quote: 'the server either MUST return a 200 OK',
    title: 'PATCH answers 200 with the changed resource, or 204 without a body',
    needs: ['patch', 'check:patch-replace.attribute'],
    advice: 'Answer with the resource as it is after the change, or with 204 and an empty body.',
    affects: { entra: 'It reports an error although the user was changed.' },
    run: async (server) => {
      const { path, id } = await server.create('User')
      const { text } = server.words()
      const value = server.fit(text, 'Grace Sample')
      const response = await server.modify(path, { op: 'replace', path: text, value })
      expectStatus(response, 200, 204)
      if (response.status === 204) return expectEqual(response.text, '', 'the body of a 204')
      expectMember(response, 'id', id)
      expectMember(response, text, value)
    },
  },
  {
    id: 'patch-replace.attributes',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    quote: 'The server MUST return a 200 OK if',
    title: 'PATCH with the parameter attributes answers 200 with these attributes',
    needs: ['patch', 'check:patch-replace.attribute', 'User:optional'],
    advice: 'Answer 200 and apply the projection of GET to the response of PATCH.',
    run: async ({ create, patch, words, fit, set }) => {
      const { text, optional } = words()
      const { path } = await create('User', set({ [optional]: 'Engineer' }))
      const value = fit(text, 'Grace Sample')
      const operation = { op: 'replace', path: text, value }
      const body = { schemas: [PATCH_OP_SCHEMA], Operations: [operation] }
      const response = await patch(path, body, { query: { attributes: text } })
      expectStatus(response, 200)
      expectMember(response, text, value)
      expectAbsent(response, optional)
    },
  },
  {
    id: 'patch-replace.order',
    section: 'RFC 7644 §3.5.2',
    level: 'defined',
    quote: 'applied sequentially in the order they appear in',
    title: 'The operations of a request are applied in their order',
    needs: ['check:patch-add.attribute', 'check:patch-remove.attribute'],
    advice: 'Apply each operation to the result of the one before it.',
    run: async (server) => {
      const { optional: path } = server.words()
      const user = await modifyUser(
        server,
        server.set({ [path]: 'First' }),
        { op: 'replace', path, value: 'Second' },
        { op: 'remove', path },
        { op: 'add', path, value: 'Third' },
      )
      expectMember(user, path, 'Third')
    },
  },
  {
    id: 'patch-replace.several',
    section: 'RFC 7644 §3.5.2',
    level: 'defined',
    quote: 'until all operations are successfully applied or until',
    title: 'All operations of a request are applied',
    needs: ['patch', 'check:patch-replace.attribute', 'User:optional'],
    advice: 'Apply every element of Operations, not only the first one.',
    affects: { entra: 'It sends several changes of a user in one request.' },
    run: async (server) => {
      const { text, optional } = server.words()
      const value = server.fit(text, 'Grace Sample')
      const user = await modifyUser(
        server,
        server.set({ [optional]: 'Engineer' }),
        { op: 'replace', path: text, value },
        { op: 'replace', path: optional, value: 'Admiral' },
      )
      expectMember(user, text, value)
      expectMember(user, optional, 'Admiral')
    },
  },
  {
    id: 'patch-replace.atomic',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    quote: 'the original SCIM resource MUST be restored, and',
    title: 'If one operation fails, no operation of the request is applied',
    needs: ['patch', 'check:patch-replace.attribute', 'check:patch-replace.invalid-path'],
    advice: 'Apply the operations to a copy, and store it only after the last one succeeded.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      const { text } = server.words()
      const response = await server.modify(
        path,
        { op: 'replace', path: text, value: server.fit(text, 'Grace Sample') },
        { op: 'replace', path: 'emails[type eq', value: 'x' },
      )
      expectRejection(response)
      expectMember(await readResource(server, path), text, memberAt(sent, text))
    },
  },
  patching({
    id: 'patch-replace.path-case',
    row: PATCH_ROWS.existing,
    path: (path) => path.toUpperCase(),
    section: 'RFC 7643 §2.1',
    level: 'defined',
    quote: 'Attribute names are case insensitive and are often',
    title: 'Names of attributes in paths match in any letter case',
    needs: ['check:patch-replace.attribute'],
    advice: 'Compare names of attributes without regard to letter case.',
    affects: { entra: 'It sends names such as emails[type eq "work"].Value.' },
  }),
  patching({
    id: 'patch-replace.core-urn',
    row: PATCH_ROWS.existing,
    path: (path) => `${USER_SCHEMA}:${path}`,
    ...RULES.withUrn,
    title: 'A path may start with the URN of the core schema',
    needs: ['check:patch-replace.attribute'],
    advice: 'Accept the URN of the schema and a colon before the name of an attribute.',
  }),
  patching({
    id: 'patch-replace.op-case',
    row: PATCH_ROWS.existing,
    op: 'REPLACE',
    section: 'Entra ID',
    level: 'practice',
    title: 'The letter case of op does not matter',
    needs: ['check:patch-replace.attribute'],
    advice: 'Compare op without regard to letter case.',
    affects: { entra: 'It sends Add, Replace and Remove, so all its updates fail.' },
  }),
  {
    id: 'patch-replace.unknown-resource',
    ...RULES.statusCodes,
    title: 'PATCH of a user that does not exist answers 404',
    needs: ['patch', 'check:patch-replace.attribute'],
    advice: 'Answer 404, and do not create the user.',
    run: async ({ type, unique, modify, words, fit }) => {
      const { text } = words()
      const operation = { op: 'replace', path: text, value: fit(text, 'Grace Sample') }
      const response = await modify(`${type('User').endpoint}/${unique()}`, operation)
      expectThat(response.status === 404, '404 for a user that does not exist', response.status)
    },
  },
]
