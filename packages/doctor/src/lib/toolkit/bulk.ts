import { BULK_REQUEST_SCHEMA } from '@plumbline/scim'
import type { Received } from '../http/exchange.ts'
import { isJsonObject, type JsonObject, memberAt, objectsOf } from '../json.ts'
import { expectStatus, expectThat, show } from './expect.ts'
import { fail, skip } from './finding.ts'
import { resolveReference } from './locations.ts'
import type { Server } from './server.ts'

/** A bulk operation (RFC 7644 §3.7). */
export interface BulkOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly bulkId?: string
  readonly version?: string
  readonly data?: object
}

/** Sends a bulk request. */
export function sendBulk(
  { post }: Pick<Server, 'post'>,
  Operations: readonly BulkOperation[],
  options: { readonly failOnErrors?: number } = {},
): Promise<Received> {
  return post('/Bulk', { schemas: [BULK_REQUEST_SCHEMA], ...options, Operations })
}

/** Sends a bulk request, which must be answered with 200, and returns the response's operations. */
export async function runBulk(
  server: Pick<Server, 'post'>,
  operations: readonly BulkOperation[],
  options?: { readonly failOnErrors?: number },
): Promise<readonly JsonObject[]> {
  const response = await sendBulk(server, operations, options)
  expectStatus(response, 200)
  return objectsOf(response.body.Operations)
}

/** Builds an operation to create a user. */
export function createUserOperation(server: Server, bulkId: string): BulkOperation {
  return { method: 'POST', path: server.type('User').endpoint, bulkId, data: server.sample('User') }
}

/** Builds an operation to create a group with members, such as `bulkId:ada`. */
export function createGroupOperation(
  server: Server,
  bulkId: string,
  ...members: readonly string[]
): BulkOperation {
  const data = server.sample('Group', { members: members.map((value) => ({ value })) })
  return { method: 'POST', path: server.type('Group').endpoint, bulkId, data }
}

/** Builds an operation that fails: it deletes a missing user. */
export function failingOperation({ type, unique }: Server): BulkOperation {
  return { method: 'DELETE', path: `${type('User').endpoint}/${unique()}` }
}

/** An operation's status: a string, a number, or an object with a code (RFC 7644 §3.7.3). */
export function statusOf({ status }: JsonObject): number {
  return Number(isJsonObject(status) ? status.code : status)
}

/** Requires an operation's status, and returns the operation. */
export function expectOperation(
  operations: readonly JsonObject[],
  at: number,
  ...statuses: readonly number[]
): JsonObject {
  const { [at]: operation = {} } = operations
  const isExpected = statuses.includes(statusOf(operation))
  const expected = `operation ${at + 1} to have the status ${statuses.join(' or ')}`
  expectThat(isExpected, expected, { status: operation.status, response: operation.response })
  return operation
}

/** Reads the resource at an operation's location. */
export async function readLocation(server: Server, { location }: JsonObject): Promise<JsonObject> {
  const url = resolveReference(server, location)
  if (url === null) return fail('the location of the resource', show(location))
  const response = await server.get(url)
  expectStatus(response, 200)
  return response.body
}

/**
 * Returns a limit for bulk requests. The check is skipped if the limit is so large that the request would be a burden.
 */
export function bulkLimit(
  { documents: { config } }: Server,
  name: 'maxOperations' | 'maxPayloadSize',
  most: number,
): number {
  const limit = memberAt(config.body, `bulk.${name}`)
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
    return skip(`The ServiceProviderConfig does not have bulk.${name}.`)
  }
  if (limit > most) return skip(`bulk.${name} is ${limit}, and a check sends at most ${most}.`)
  return limit
}
