import { isFailure, type Result } from '@plumbline/result'
import { BULK_REQUEST_SCHEMA } from '../constants.ts'
import { badRequest, resultOf, ScimError } from '../error.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import { readMessageMembers, requireSchema } from '../message/members.ts'
import { isWithin, MAX_DEPTH } from '../message/read-json.ts'
import { fold } from '../values/fold.ts'
import { isBulkReference } from './bulk-ids.ts'
import type { BulkRequest, Limits, Method, Operation, RejectedOperation } from './types.ts'

/**
 * Reads a bulk request's body.
 *
 * Member names and methods match in any letter case. Fails with `413` if the request exceeds `maxOperations` or
 * `maxPayloadSize`. Pass `maxPayloadSize` to `readBody` as well, so no more bytes are read. Fails with `400`:
 * `invalidSyntax` if the body is not a BulkRequest or nests deeper than 64, and `invalidValue` if `failOnErrors` is not
 * valid, a method is not a string, or a `bulkId` is duplicated. An operation with any other missing or invalid member
 * has an `error`, which `runBulk` writes into its response. Throws a `TypeError` unless both limits are non-negative
 * numbers.
 *
 * @example
 * ```ts
 * import { BULK_REQUEST_SCHEMA } from '@plumbline/scim'
 * import { parseBulk } from '@plumbline/scim/bulk'
 * import { unwrap } from '@plumbline/result'
 *
 * const body = {
 *   schemas: [BULK_REQUEST_SCHEMA],
 *   Operations: [{ method: 'DELETE', path: '/Users/2819c223', version: 'W/"1"' }],
 * }
 * const limits = { maxOperations: 100, maxPayloadSize: 1_048_576 }
 * unwrap(parseBulk(body, limits)).operations.map(({ path }) => path) //=> ['/Users/2819c223']
 * ```
 * @see RFC 7644 §3.7
 */
export function parseBulk(
  body: unknown,
  { maxOperations, maxPayloadSize }: Limits,
): Result<BulkRequest, ScimError> {
  // A comparison with NaN would accept a request of any size.
  if (!(maxOperations >= 0 && maxPayloadSize >= 0)) {
    throw new TypeError('maxOperations and maxPayloadSize must be numbers of at least 0')
  }
  return resultOf(() => {
    const members = readMessageMembers(body, () => 'the body', BODY_MEMBERS)
    requireSchema(own(members, 'schemas'), BULK_REQUEST_SCHEMA)
    const operations = own(members, 'Operations')
    if (!Array.isArray(operations)) throw badRequest('invalidSyntax', 'Operations must be a list')
    if (operations.length > maxOperations) {
      throw limitExceeded('number of operations', 'maxOperations', maxOperations)
    }
    if (!isWithin(body, MAX_DEPTH)) {
      throw badRequest('invalidSyntax', `the body nests deeper than ${MAX_DEPTH}`)
    }
    if (new TextEncoder().encode(JSON.stringify(body)).byteLength > maxPayloadSize) {
      throw limitExceeded('size of the bulk operation', 'maxPayloadSize', maxPayloadSize)
    }
    const failOnErrors = readErrorLimit(own(members, 'failOnErrors'))
    const read = operations.map(readBulkOperation)
    requireUnique(read)
    return { failOnErrors, operations: read }
  })
}

function readErrorLimit(value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw badRequest('invalidValue', 'failOnErrors must be a non-negative integer')
}

function readBulkOperation(sent: unknown, at: number): Operation | RejectedOperation {
  const place = `Operations[${at}]`
  const members = readMessageMembers(sent, () => place, OPERATION_MEMBERS)
  const method = own(members, 'method')
  if (typeof method !== 'string') throw invalidMethod(place)
  const operation = resultOf(() => readValid(members, method, place))
  if (!isFailure(operation)) return operation.data
  // RFC 7644 §3.7.3: each operation has its own status.
  const [path, bulkId] = [own(members, 'path'), own(members, 'bulkId')]
  return {
    method: method.slice(0, MAX_METHOD_LENGTH),
    path: isPath(path) ? path : null,
    bulkId: typeof bulkId === 'string' && bulkId !== '' ? bulkId : null,
    error: operation.error,
  }
}

function readValid(members: Readonly<JsonObject>, sent: string, place: string): Operation {
  const method = readMethod(sent, place)
  const bulkId = readText(own(members, 'bulkId'), `${place}.bulkId`)
  if (method === 'POST' && bulkId === null) {
    throw badRequest('invalidValue', `${place}: POST requires a bulkId`)
  }
  return {
    method,
    path: readPath(own(members, 'path'), method, place),
    bulkId,
    version: readText(own(members, 'version'), `${place}.version`),
    data: readData(own(members, 'data'), method, place),
  }
}

function readMethod(value: string, place: string): Method {
  const name = value.toUpperCase()
  if (name === 'POST' || name === 'PUT' || name === 'PATCH' || name === 'DELETE') return name
  throw invalidMethod(place)
}

function invalidMethod(place: string): ScimError {
  return badRequest('invalidValue', `${place}.method must be POST, PUT, PATCH or DELETE`)
}

function readText(value: unknown, place: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && value !== '') return value
  throw badRequest('invalidValue', `${place} must be a non-empty string`)
}

// RFC 7644 §3.7: the path of a POST is a resource type endpoint, any other path is a resource.
function readPath(value: unknown, method: Method, place: string): string {
  if (typeof value !== 'string' || !PATH.test(value)) {
    throw badRequest('invalidValue', `${place}.path must be a path such as /Users or /Users/1`)
  }
  if (!isPath(value)) {
    throw badRequest('invalidValue', `${place}.path must not contain dot segments`)
  }
  const segments = value.slice(1).split('/')
  if (fold(segments[0] ?? '') === 'bulk') {
    throw badRequest('invalidValue', `${place}.path must not be the bulk endpoint`)
  }
  if (method === 'POST' && segments.some(isBulkReference)) {
    throw badRequest(
      'invalidValue',
      `${place}.path of a POST must be the path of a resource type, such as /Users`,
    )
  }
  // RFC 7644 §3.11: `/Me` is the client's resource.
  if (method !== 'POST' && segments.length < 2 && value !== '/Me') {
    throw badRequest(
      'invalidValue',
      `${place}.path of ${method} must be the path of a resource, such as /Users/1`,
    )
  }
  return value
}

/** A URL would resolve dot segments against the base address, and could leave it. */
function isPath(value: unknown): value is string {
  if (typeof value !== 'string' || !PATH.test(value)) return false
  return !value.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
}

function readData(value: unknown, method: Method, place: string): object | null {
  if (method === 'DELETE') return null
  if (isJsonObject(value)) return value
  throw badRequest('invalidValue', `${place}: ${method} requires data, a JSON object`)
}

function requireUnique(operations: BulkRequest['operations']): void {
  const known = new Set<string>()
  for (const { bulkId } of operations) {
    if (bulkId === null) continue
    if (known.has(bulkId)) {
      throw badRequest('invalidValue', `the bulkId ${JSON.stringify(bulkId)} is duplicated`)
    }
    known.add(bulkId)
  }
}

// RFC 7644 §3.7.4: the message contains the exceeded limit.
function limitExceeded(what: string, name: string, limit: number): ScimError {
  return new ScimError(413, `the ${what} exceeds the ${name} (${limit})`)
}

const BODY_MEMBERS: ReadonlySet<string> = new Set(['schemas', 'Operations', 'failOnErrors'])
const OPERATION_MEMBERS: ReadonlySet<string> = new Set([
  'method',
  'path',
  'bulkId',
  'version',
  'data',
])

const MAX_METHOD_LENGTH = 20
/** Non-empty segments, without a query or a fragment. */
const PATH = /^(?:\/[^/?#\\\s]+)+$/
