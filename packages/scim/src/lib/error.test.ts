import { failure, success } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { badRequest, invalidValue, resultOf, ScimError, uniquenessError } from './error.ts'

describe('a ScimError', () => {
  it('a ScimError has a status, a detail and a detail code (RFC 7644 §3.12)', () => {
    const error = new ScimError(409, 'userName is taken', { scimType: 'uniqueness' })
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('ScimError')
    expect(error.message).toBe('userName is taken')
    expect([error.status, error.scimType]).toEqual([409, 'uniqueness'])
  })

  it('a ScimError has neither a detail code nor a cause by default', () => {
    const error = new ScimError(404, 'not found')
    expect(error.scimType).toBe(null)
    expect(Object.hasOwn(error, 'cause')).toBe(false)
    expect(Object.hasOwn(new ScimError(404, 'not found', { cause: undefined }), 'cause')).toBe(
      false,
    )
  })

  it.each([new Error('inner'), null, 0])('a ScimError keeps its cause: %s', (cause) => {
    expect(new ScimError(500, 'failed', { cause }).cause).toBe(cause)
  })
})

it('an error in a request or a value has status 400', () => {
  const invalid = badRequest('invalidPath', 'no such path')
  expect(invalid).toMatchObject({ status: 400, scimType: 'invalidPath', message: 'no such path' })
  expect(invalidValue('emails[0].value', 'must be a string')).toMatchObject({
    status: 400,
    scimType: 'invalidValue',
    message: 'emails[0].value must be a string',
  })
})

it('a thrown ScimError becomes a failure, and any other error is thrown', () => {
  const error = badRequest('invalidFilter', 'unexpected end')
  const throwing = (thrown: unknown) => () => {
    throw thrown
  }
  expect(resultOf(() => 5)).toEqual(success(5))
  expect(resultOf(throwing(error))).toEqual(failure(error))
  expect(() => resultOf(throwing(new TypeError('a bug')))).toThrow(TypeError)
})

describe('the error for a taken unique value', () => {
  it('a uniqueness error names the attribute in the sentence and as `attribute` (RFC 7644 §3.3)', () => {
    const cause = new Error('UNIQUE constraint failed')
    const error = uniquenessError('userName', { cause })
    expect([error.status, error.scimType, error.attribute]).toEqual([409, 'uniqueness', 'userName'])
    expect(error.message).toBe('userName is already taken')
    expect(error.cause).toBe(cause)
  })

  it('a uniqueness error does not name an unknown attribute', () => {
    const error = uniquenessError(null)
    expect([error.message, error.attribute]).toEqual(['a value is already taken', null])
  })
})
