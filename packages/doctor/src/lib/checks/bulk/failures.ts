import { BULK_REQUEST_SCHEMA, ERROR_SCHEMA, PATCH_OP_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, objectsOf } from '../../json.ts'
import {
  bulkLimit,
  createUserOperation,
  expectOperation,
  failingOperation,
  runBulk,
  sendBulk,
  statusOf,
} from '../../toolkit/bulk.ts'
import { expectEqual, expectMember, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { readResource } from '../../toolkit/patch.ts'

/** Rules for bulk requests that fail, as a whole or in part. */
export const BULK_FAILURE_CHECKS: readonly Check[] = [
  {
    id: 'bulk.continues',
    section: 'RFC 7644 §3.7',
    level: 'MUST',
    quote: 'MUST continue performing as many changes as possible',
    title: 'Without failOnErrors, operations after an error run',
    needs: ['check:bulk.create'],
    advice: 'Run all operations, and answer the status of each.',
    run: async (server) => {
      const operations = await runBulk(server, [
        failingOperation(server),
        createUserOperation(server, 'ada'),
      ])
      const status = statusOf(operations[0] ?? {})
      // RFC 7644 §3.12 covers the error's status.
      expectThat(status >= 400, 'operation 1 to have the status of an error', status)
      expectOperation(operations, 1, 201)
    },
  },
  {
    id: 'bulk.fail-on-errors',
    section: 'RFC 7644 §3.7',
    level: 'defined',
    quote: 'before the operation is terminated and an error',
    title: 'After failOnErrors errors, no further operation runs',
    needs: ['check:bulk.continues'],
    advice: 'Stop when the number of errors reaches failOnErrors.',
    run: async (server) => {
      const response = await sendBulk(
        server,
        [failingOperation(server), createUserOperation(server, 'ada')],
        { failOnErrors: 1 },
      )
      // The standard mentions an error response, and the example has 200.
      expectThat(response.status < 500, 'a status below 500', response.status)
      const operations = objectsOf(response.body.Operations)
      const created = operations.filter((operation) => statusOf(operation) === 201)
      expectEqual(created.length, 0, 'the number of operations that ran after the error')
    },
  },
  {
    id: 'bulk.error-response',
    section: 'RFC 7644 §3.7',
    level: 'MUST',
    quote: 'the "response" attribute MUST contain the detail error',
    title: 'An operation that fails has its error document in response',
    needs: ['check:bulk.continues'],
    advice: 'Set response to the error document that a request of its own would get.',
    run: async (server) => {
      const operations = await runBulk(server, [failingOperation(server)])
      const [operation = {}] = operations
      expectMember(operation, 'response.schemas', [ERROR_SCHEMA])
      expectMember(operation, 'response.status', String(statusOf(operation)))
    },
  },
  {
    id: 'bulk.version',
    section: 'RFC 7644 §3.7',
    level: 'defined',
    quote: 'version The current resource version.',
    title:
      'An operation with the version of an earlier state of the resource fails with 412 or 409',
    needs: ['etag', 'check:bulk.patch'],
    advice: 'Compare version with the entity tag of the resource, as If-Match is compared.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      const { text } = server.words()
      const operation = { op: 'replace', path: text, value: server.fit(text, 'Grace Sample') }
      const data = { schemas: [PATCH_OP_SCHEMA], Operations: [operation] }
      const version = `W/"${server.unique()}"`
      expectOperation(
        await runBulk(server, [{ method: 'PATCH', path, version, data }]),
        0,
        412,
        409,
      )
      expectMember(await readResource(server, path), text, memberAt(sent, text))
    },
  },
  {
    id: 'bulk.max-operations',
    section: 'RFC 7644 §3.7.4',
    level: 'MUST',
    quote: 'the service provider MUST return HTTP response code',
    title: 'A bulk request with more operations than maxOperations answers 413',
    needs: ['hostile', 'check:bulk.create', 'check:discovery.config-bulk'],
    advice: 'Count the operations before the first one runs, and answer 413.',
    run: async (server) => {
      const length = bulkLimit(server, 'maxOperations', 2_000) + 1
      const one = failingOperation(server)
      expectStatus(
        await sendBulk(
          server,
          Array.from({ length }, () => one),
        ),
        413,
      )
    },
  },
  {
    id: 'bulk.limit-detail',
    section: 'RFC 7644 §3.7.4',
    level: 'MUST',
    quote: 'The returned response MUST specify the limit exceeded',
    title: 'The error of a bulk request with too many operations names the limit',
    needs: ['check:bulk.max-operations'],
    advice: 'Write the limit into the detail of the error, or into a member such as maxOperations.',
    run: async (server) => {
      const limit = bulkLimit(server, 'maxOperations', 2_000)
      const one = failingOperation(server)
      const response = await sendBulk(
        server,
        Array.from({ length: limit + 1 }, () => one),
      )
      expectStatus(response, 413)
      const digits = response.text.replace(/(?<=\d)[,. '](?=\d{3})/g, '')
      expectThat(new RegExp(`\\b${limit}\\b`).test(digits), `an error with ${limit}`, response.body)
    },
  },
  {
    id: 'bulk.max-payload',
    section: 'RFC 7644 §3.7.4',
    level: 'MUST',
    quote: 'the service provider MUST return HTTP response code',
    title: 'A bulk request that is larger than maxPayloadSize answers 413',
    needs: ['hostile', 'check:bulk.create', 'check:discovery.config-bulk'],
    advice: 'Compare the size of the body with maxPayloadSize, and answer 413.',
    run: async (server) => {
      const size = bulkLimit(server, 'maxPayloadSize', 1_100_000)
      const Operations = [failingOperation(server)]
      const text = JSON.stringify({ schemas: [BULK_REQUEST_SCHEMA], Operations })
      // White space is part of the payload, and nothing is stored if the limit is not observed.
      expectStatus(await server.post('/Bulk', text + ' '.repeat(size - text.length + 1)), 413)
    },
  },
]
