import { expectTypeOf } from 'vitest'
import {
  type Failure,
  failure,
  isFailure,
  isSuccess,
  type Result,
  type Success,
  success,
  unwrap,
} from './index.ts'

declare const result: Result<number, RangeError>

if (isFailure(result)) expectTypeOf(result.error).toEqualTypeOf<RangeError>()
else expectTypeOf(result.data).toEqualTypeOf<number>()

if (isSuccess(result)) expectTypeOf(result.data).toEqualTypeOf<number>()
else expectTypeOf(result.error).toEqualTypeOf<RangeError>()

if (result.status === 'failure') expectTypeOf(result).toEqualTypeOf<Failure<RangeError>>()
else expectTypeOf(result).toEqualTypeOf<Success<number>>()

declare const either: Result<number, RangeError> | Result<string, TypeError>
if (isFailure(either)) expectTypeOf(either.error).toEqualTypeOf<RangeError | TypeError>()
else expectTypeOf(either.data).toEqualTypeOf<number | string>()

function generic<Data, Problem extends Error>(one: Result<Data, Problem>): Data {
  if (isFailure(one)) throw one.error
  return one.data
}
expectTypeOf(generic(result)).toEqualTypeOf<number>()

expectTypeOf(unwrap(result)).toEqualTypeOf<number>()
expectTypeOf(success()).toEqualTypeOf<Success<undefined>>()
expectTypeOf(success('x')).toExtend<Result<string, never>>()
expectTypeOf(failure(new TypeError())).toExtend<Result<never, TypeError>>()
expectTypeOf<Result<string>>().toEqualTypeOf<Success<string> | Failure<Error>>()

// @ts-expect-error data cannot be read before the result is known to be a success
result.data
// @ts-expect-error the error cannot be read before the result is known to be a failure
result.error
// @ts-expect-error an error is always an Error
failure('too large')
// @ts-expect-error a result cannot be changed in place
if (isSuccess(result)) result.data = 2
