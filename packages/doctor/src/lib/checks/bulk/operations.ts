import { BULK_RESPONSE_SCHEMA, PATCH_OP_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { objectsOf, withAt } from '../../json.ts'
import {
  createGroupOperation,
  createUserOperation,
  expectOperation,
  readLocation,
  runBulk,
  sendBulk,
  statusOf,
} from '../../toolkit/bulk.ts'
import { expectEqual, expectMember, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { readResource } from '../../toolkit/patch.ts'

/** Rules for successful bulk operations. */
export const BULK_OPERATION_CHECKS: readonly Check[] = [
  {
    id: 'bulk.create',
    section: 'RFC 7644 §3.7',
    level: 'MUST',
    quote: 'HTTP response code 200 OK MUST be returned',
    title: 'A POST in a bulk request creates the resource: 201 with its location',
    needs: ['bulk', 'check:create.user'],
    advice: 'Run each operation like a request of its own, and answer its status and location.',
    run: async (server) => {
      const operation = createUserOperation(server, 'ada')
      const operations = await runBulk(server, [operation])
      const created = expectOperation(operations, 0, 201)
      const user = await readLocation(server, created)
      expectMember(user, 'userName', Object(operation.data).userName)
    },
  },
  {
    id: 'bulk.schema',
    section: 'RFC 7644 §3.7',
    level: 'defined',
    quote: 'Bulk responses are identified using the following URI',
    title: 'The response of a bulk request has the schema BulkResponse',
    needs: ['check:bulk.create'],
    advice: `Set schemas to ${BULK_RESPONSE_SCHEMA}.`,
    run: async (server) => {
      const response = await sendBulk(server, [createUserOperation(server, 'ada')])
      expectMember(response, 'schemas', [BULK_RESPONSE_SCHEMA])
    },
  },
  {
    id: 'bulk.bulk-id',
    section: 'RFC 7644 §3.7',
    level: 'MUST',
    quote: 'MUST return the same "bulkId" together with the',
    title: 'The response has the bulkId of each POST',
    needs: ['check:bulk.create'],
    advice: 'Return the bulkId of the request with the outcome of its operation.',
    run: async (server) => {
      const sent = ['ada', 'bob'].map((bulkId) => createUserOperation(server, bulkId))
      const found = (await runBulk(server, sent)).map(({ bulkId }) => bulkId)
      expectEqual(found, ['ada', 'bob'], 'the bulkIds of the response')
    },
  },
  {
    id: 'bulk.method',
    section: 'RFC 7644 §3.7',
    level: 'MUST',
    quote: '"PUT", "PATCH", or "DELETE". REQUIRED.',
    title: 'The response has the method of each operation',
    needs: ['check:bulk.create'],
    advice: 'Return the method of the request with the outcome of its operation.',
    run: async (server) => {
      const [operation] = await runBulk(server, [createUserOperation(server, 'ada')])
      expectMember(operation ?? {}, 'method', 'POST')
    },
  },
  {
    id: 'bulk.status-text',
    section: 'RFC 7644 §3.7.3',
    level: 'practice',
    title: 'The status of each operation is a string',
    needs: ['check:bulk.create'],
    advice: 'Write "status": "201". All examples of the standard do, and clients with types fail.',
    run: async (server) => {
      const [operation] = await runBulk(server, [createUserOperation(server, 'ada')])
      expectMember(operation ?? {}, 'status', '201')
    },
  },
  {
    id: 'bulk.put',
    section: 'RFC 7644 §3.7',
    level: 'defined',
    quote: 'corresponds to a single HTTP request against a',
    title: 'A PUT in a bulk request replaces the resource',
    needs: ['bulk', 'check:create.user', 'User:text'],
    advice: 'Run the operation like PUT of the resource.',
    run: async (server) => {
      const { text } = server.words()
      const { path, sent } = await server.create('User')
      const value = server.fit(text, 'Grace Sample')
      const data = withAt(sent, { [text]: value })
      expectOperation(await runBulk(server, [{ method: 'PUT', path, data }]), 0, 200, 204)
      expectMember(await readResource(server, path), text, value)
    },
  },
  {
    id: 'bulk.patch',
    section: 'RFC 7644 §3.7',
    level: 'defined',
    quote: 'corresponds to a single HTTP request against a',
    title: 'A PATCH in a bulk request changes the resource',
    needs: ['bulk', 'check:patch-replace.attribute'],
    advice: 'Run the operation like PATCH of the resource.',
    run: async (server) => {
      const { text } = server.words()
      const { path } = await server.create('User')
      const value = server.fit(text, 'Grace Sample')
      const operation = { op: 'replace', path: text, value }
      const data = { schemas: [PATCH_OP_SCHEMA], Operations: [operation] }
      expectOperation(await runBulk(server, [{ method: 'PATCH', path, data }]), 0, 200, 204)
      expectMember(await readResource(server, path), text, value)
    },
  },
  {
    id: 'bulk.delete',
    section: 'RFC 7644 §3.7',
    level: 'defined',
    quote: 'corresponds to a single HTTP request against a',
    title: 'A DELETE in a bulk request deletes the resource',
    needs: ['bulk', 'check:create.user'],
    advice: 'Run the operation like DELETE of the resource.',
    run: async (server) => {
      const { path } = await server.create('User')
      expectOperation(await runBulk(server, [{ method: 'DELETE', path }]), 0, 204)
      expectStatus(await server.get(path), 404)
    },
  },
  {
    id: 'bulk.location',
    section: 'RFC 7644 §3.7.3',
    level: 'MUST',
    quote: 'MUST be returned for all operations except for',
    title: 'The response has the location of a resource that an operation changed',
    needs: ['check:bulk.put'],
    advice: 'Return the URL of the resource for each operation except a POST that failed.',
    run: async (server) => {
      const { path, id, sent } = await server.create('User')
      const [operation] = await runBulk(server, [{ method: 'PUT', path, data: sent }])
      expectMember(await readLocation(server, operation ?? {}), 'id', id)
    },
  },
  {
    id: 'bulk.reference',
    section: 'RFC 7644 §3.7.2',
    level: 'MUST',
    quote: 'MUST replace the string "bulkId:qwerty" with the permanent',
    title: 'A reference bulkId:… becomes the id of the resource that the request created',
    needs: ['check:bulk.create', 'check:groups.members'],
    advice: 'Replace each value bulkId:… by the id of the resource before the operation runs.',
    run: async (server) => {
      const operations = await runBulk(server, [
        createUserOperation(server, 'ada'),
        createGroupOperation(server, 'team', 'bulkId:ada'),
      ])
      const user = await readLocation(server, expectOperation(operations, 0, 201))
      const group = await readLocation(server, expectOperation(operations, 1, 201))
      expectEqual(memberValues(group), [user.id], 'the members of the group')
    },
  },
  {
    id: 'bulk.forward-reference',
    section: 'RFC 7644 §3.7.2',
    level: 'MUST',
    quote: 'MUST replace the string "bulkId:qwerty" with the permanent',
    title: 'A reference to a later operation is resolved, or the operation fails',
    needs: ['check:bulk.reference'],
    advice: 'Run the operations in the order of their references, or answer 409 or 400.',
    run: async (server) => {
      const operations = await runBulk(server, [
        createGroupOperation(server, 'team', 'bulkId:ada'),
        createUserOperation(server, 'ada'),
      ])
      const created = expectOperation(operations, 0, 201, 400, 409)
      if (statusOf(created) !== 201) return
      const user = await readLocation(server, expectOperation(operations, 1, 201))
      const group = await readLocation(server, created)
      expectEqual(memberValues(group), [user.id], 'the members of the group')
    },
  },
  {
    id: 'bulk.circular',
    section: 'RFC 7644 §3.7.1',
    level: 'MUST',
    quote: 'MUST try to resolve circular cross-references between resources',
    title: 'References between two new resources are resolved, or an operation fails with 409',
    needs: ['check:bulk.reference', 'check:groups.nested'],
    advice: 'Create both resources first and add the references, or answer 409.',
    run: async (server) => {
      const operations = await runBulk(server, [
        createGroupOperation(server, 'one', 'bulkId:two'),
        createGroupOperation(server, 'two', 'bulkId:one'),
      ])
      const [first, second] = [0, 1].map((at) => expectOperation(operations, at, 201, 409))
      if (statusOf(first ?? {}) === 409 || statusOf(second ?? {}) === 409) return
      const [one, two] = [first, second].map((each) => readLocation(server, each ?? {}))
      expectEqual(memberValues((await one) ?? {}), [(await two)?.id], 'the members of a group')
    },
  },
  {
    id: 'bulk.unknown-reference',
    section: 'RFC 7644 §3.7.2',
    level: 'practice',
    title: 'An operation with a reference that nothing creates fails',
    needs: ['check:bulk.reference'],
    advice: 'Answer 409 or 400 invalidValue for the operation. Do not store the reference as text.',
    run: async (server) => {
      const operations = await runBulk(server, [
        createGroupOperation(server, 'team', 'bulkId:nobody'),
      ])
      const status = statusOf(operations[0] ?? {})
      const isRejected = status >= 400 && status < 500
      expectThat(isRejected, 'an operation with status 409 or 400', status)
    },
  },
]

function memberValues({ members }: { readonly members?: unknown }): readonly unknown[] {
  return objectsOf(members).map(({ value }) => value)
}
