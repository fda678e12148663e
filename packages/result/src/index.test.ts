import { expect, it } from 'vitest'
import { failure, isFailure, isSuccess, type Result, success, unwrap } from './index.ts'

const error = new RangeError('too large')

it('results are plain objects that compare, clone and serialize by value', () => {
  expect(success(1)).toStrictEqual({ status: 'success', data: 1 })
  expect(failure(error)).toStrictEqual({ status: 'failure', error })
  expect(structuredClone(success({ a: [1] }))).toStrictEqual(success({ a: [1] }))
  expect(JSON.stringify(success('x'))).toBe('{"status":"success","data":"x"}')
})

it('success creates a success without data', () => {
  expect(success()).toStrictEqual({ status: 'success', data: undefined })
})

it('isSuccess distinguishes a success from a failure, for any data', () => {
  for (const data of [0, '', null, undefined, false, Number.NaN, error, failure(error)]) {
    expect(isSuccess(success(data))).toBe(true)
    expect(isFailure(success(data))).toBe(false)
  }
  expect(isSuccess(failure(error))).toBe(false)
  expect(isFailure(failure(error))).toBe(true)
})

it('unwrap returns the identical data of a success', () => {
  const data = { id: 'a' }
  expect(unwrap(success(data))).toBe(data)
})

it('unwrap throws the error of a failure itself', () => {
  const result: Result<number, RangeError> = failure(error)
  let thrown: unknown
  try {
    unwrap(result)
  } catch (caught) {
    thrown = caught
  }
  expect(thrown).toBe(error)
})
