import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA } from '../constants.ts'
import { acceptedPaths, rejected, rejectedOperations, rejectedPaths } from './parse.cases.ts'
import { parseBulk } from './parse.ts'

const limits = { maxOperations: 1_000, maxPayloadSize: 1_048_576 }
const remove = { method: 'DELETE', path: '/Users/1' }

function parse(members: object, given = limits) {
  return parseBulk({ schemas: [BULK_REQUEST_SCHEMA], ...members }, given)
}

function errorOf(result: ReturnType<typeof parseBulk>) {
  return isFailure(result) ? result.error : undefined
}

describe('RFC 7644 §3.7: a bulk request', () => {
  it('a bulk request is read in any letter case', () => {
    const data = { schemas: ['urn:x'] }
    const request = unwrap(
      parse({
        FailOnErrors: 3,
        operations: [
          { Method: 'post', PATH: '/Users', BulkID: 'qwerty', Data: data },
          { method: 'Put', path: '/Users/1', version: 'W/"1"', data },
          { method: 'PATCH', path: '/Users/bulkId:qwerty', bulkId: 'p', data },
          { method: 'delete', path: '/Users/1', data: null },
        ],
      }),
    )
    expect(request).toStrictEqual({
      failOnErrors: 3,
      operations: [
        { method: 'POST', path: '/Users', bulkId: 'qwerty', version: null, data },
        { method: 'PUT', path: '/Users/1', bulkId: null, version: 'W/"1"', data },
        { method: 'PATCH', path: '/Users/bulkId:qwerty', bulkId: 'p', version: null, data },
        { method: 'DELETE', path: '/Users/1', bulkId: null, version: null, data: null },
      ],
    })
  })

  it('a bulk request without failOnErrors runs to the end', () => {
    expect(unwrap(parse({ Operations: [remove] })).failOnErrors).toBeNull()
  })

  it('a bulk request lists its schema', () => {
    const result = parseBulk({ Operations: [remove] }, limits)
    expect(errorOf(result)).toMatchObject({ status: 400, scimType: 'invalidSyntax' })
  })

  it.each(rejected)('a bulk request is rejected: %s', (_, members, scimType, message) => {
    expect(errorOf(parse(members))).toMatchObject({ status: 400, scimType, message })
  })

  it.each(rejectedOperations)('one operation is rejected: %s', (_, members, scimType, message) => {
    const { operations } = unwrap(parse(members))
    expect(operations.at(-1)).toMatchObject({ error: { status: 400, scimType, message } })
    for (const other of operations.slice(0, -1)) expect(other).not.toHaveProperty('error')
  })

  it.each(rejectedPaths)('an operation with the path %j is rejected', (path, message) => {
    const { operations } = unwrap(parse({ Operations: [{ ...remove, path }] }))
    expect(operations).toMatchObject([
      { method: 'DELETE', path: null, error: { status: 400, scimType: 'invalidValue', message } },
    ])
  })

  it('a rejected operation keeps the method, path and bulkId', () => {
    const Operations = [
      { method: 'get', path: '/Users/1', bulkId: 'a' },
      { method: 'x'.repeat(100), path: '/Users/..', bulkId: '' },
    ]
    expect(unwrap(parse({ Operations })).operations).toMatchObject([
      { method: 'get', path: '/Users/1', bulkId: 'a' },
      { method: 'x'.repeat(20), path: null, bulkId: null },
    ])
  })
})

describe("RFC 7644 §3.7: an operation's path", () => {
  it.each(acceptedPaths)('the path %s is accepted', (path) => {
    expect(unwrap(parse({ Operations: [{ ...remove, path }] })).operations[0]).toMatchObject({
      path,
    })
  })
})

describe('RFC 7644 §3.7: members without a value (RFC 7643 §2.5)', () => {
  it('null is read as absent', () => {
    const operation = { ...remove, bulkId: null, version: null }
    const { failOnErrors, operations } = unwrap(
      parse({ failOnErrors: null, Operations: [operation] }),
    )
    expect(failOnErrors).toBeNull()
    expect(operations).toMatchObject([{ bulkId: null, version: null }])
  })

  it('a body that is not an object is rejected', () => {
    expect(errorOf(parseBulk([], limits))).toMatchObject({
      scimType: 'invalidSyntax',
      message: 'the body must be a JSON object',
    })
  })
})

describe('RFC 7644 §3.7.4: limits', () => {
  it('a request with more than maxOperations operations is rejected', () => {
    const given = { ...limits, maxOperations: 2 }
    expect(isSuccess(parse({ Operations: [remove, remove] }, given))).toBe(true)
    expect(errorOf(parse({ Operations: [remove, remove, remove] }, given))).toMatchObject({
      status: 413,
      scimType: null,
      message: 'the number of operations exceeds the maxOperations (2)',
    })
  })

  it('a request with more than maxPayloadSize bytes is rejected', () => {
    const body = { Operations: [{ ...remove, version: 'é€😀' }] }
    const { length } = Buffer.from(JSON.stringify({ schemas: [BULK_REQUEST_SCHEMA], ...body }))
    expect(isSuccess(parse(body, { ...limits, maxPayloadSize: length }))).toBe(true)
    expect(errorOf(parse(body, { ...limits, maxPayloadSize: length - 1 }))).toMatchObject({
      status: 413,
      scimType: null,
      message: `the size of the bulk operation exceeds the maxPayloadSize (${length - 1})`,
    })
  })

  it('a request nested deeper than 64 levels is rejected', () => {
    const nested = (depth: number): unknown =>
      JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    const put = (depth: number) =>
      parse({ Operations: [{ method: 'PUT', path: '/Users/1', data: nested(depth) }] })
    expect(isSuccess(put(61))).toBe(true)
    for (const depth of [62, 100_000]) {
      expect(errorOf(put(depth))).toMatchObject({
        status: 400,
        scimType: 'invalidSyntax',
        message: 'the body nests deeper than 64',
      })
    }
  })
})

it("a client's body never makes parsing throw", () => {
  const member = fc.oneof(fc.jsonValue(), fc.constantFrom('POST', '/Users', '/Users/bulkId:a'))
  const operation = fc.record(
    { method: member, path: member, bulkId: member, version: member, data: member },
    { requiredKeys: [] },
  )
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({
      schemas: fc.constantFrom([BULK_REQUEST_SCHEMA], []),
      failOnErrors: member,
      Operations: fc.oneof(fc.array(fc.oneof(operation, member)), member),
    }),
  )
  fc.assert(
    fc.property(body, (sent) => {
      const result = parseBulk(sent, limits)
      expect(isSuccess(result) || [400, 413].includes(result.error.status)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

it.each([
  { maxOperations: Number.NaN, maxPayloadSize: 100 },
  { maxOperations: 1, maxPayloadSize: Number.NaN },
  { maxOperations: -1, maxPayloadSize: 100 },
  { maxOperations: 1 },
])('limits wide enough for any request are a TypeError: %j', (given) => {
  const body = { schemas: [BULK_REQUEST_SCHEMA], Operations: [] }
  expect(() => parseBulk(body, given as Parameters<typeof parseBulk>[1])).toThrow(TypeError)
})
