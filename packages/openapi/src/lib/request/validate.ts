import type { StandardSchemaV1 } from '@standard-schema/spec'
import { runSchema, type SchemaResult } from '../schema/run-schema.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { Candidate } from './coerce.ts'
import { type InputLocation, OperationInputError } from './input-error.ts'

/** Runs a part's schema. Throws a rejection that only `parseRequest` catches. */
export function validate(location: InputLocation, schema: Schema, value: unknown): unknown {
  const result = runSchema(schema, value)
  return result instanceof Promise
    ? result.then((later) => unwrapResult(location, later))
    : unwrapResult(location, result)
}

/** Runs a part's schema on the coerced value. Throws if coercion failed. */
export function validateCoerced(
  location: InputLocation,
  schema: Schema,
  coerced: StandardSchemaV1.Result<unknown>,
): unknown {
  return coerced.issues
    ? unwrapResult(location, coerced)
    : validate(location, schema, coerced.value)
}

function unwrapResult(location: InputLocation, result: SchemaResult): unknown {
  if (!result.issues) return result.value
  // The result holds the cause, if the schema threw.
  throw new OperationInputError(location, result.issues, 'invalid', result)
}

/**
 * Returns the value from the first candidate whose schema accepts it. If all are rejected, throws the first or the last
 * rejection. Returns a promise only if a schema does.
 */
export function validateFirst(
  location: InputLocation,
  candidates: readonly Candidate[],
  reported: 'first' | 'last' = 'first',
): unknown {
  const validateFrom = (at: number, rejected: SchemaResult | null): unknown => {
    const candidate = candidates[at]
    if (candidate === undefined) return rejected ? unwrapResult(location, rejected) : undefined
    const proceed = (result: SchemaResult): unknown => {
      if (!result.issues) return result.value
      return validateFrom(at + 1, reported === 'first' && rejected !== null ? rejected : result)
    }
    const coerced = candidate.coerce()
    const ran = coerced.issues ? coerced : runSchema(candidate.schema, coerced.value)
    return ran instanceof Promise ? ran.then(proceed) : proceed(ran)
  }
  return validateFrom(0, null)
}
