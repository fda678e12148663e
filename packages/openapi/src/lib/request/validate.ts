import { runSchema, type SchemaResult } from '../schema/run-schema.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { Candidate } from './coerce.ts'
import { type InputLocation, OperationInputError } from './input-error.ts'

/** Runs the schema of a part. Throws a rejection that only `parseRequest` catches. */
export function validate(location: InputLocation, schema: Schema, value: unknown): unknown {
  const result = runSchema(schema, value)
  return result instanceof Promise
    ? result.then((later) => unwrapResult(location, later))
    : unwrapResult(location, result)
}

function unwrapResult(location: InputLocation, result: SchemaResult): unknown {
  if (!result.issues) return result.value
  // The result holds the cause, if the schema threw.
  throw new OperationInputError(location, result.issues, 'invalid', result)
}

/**
 * Returns the value of the first candidate that its schema accepts. If all are rejected, throws the
 * rejection of the first or of the last one.
 */
export async function validateFirst(
  location: InputLocation,
  candidates: Iterable<Candidate>,
  reported: 'first' | 'last' = 'first',
): Promise<unknown> {
  let rejected: SchemaResult | null = null
  for (const { schema, coerced } of candidates) {
    const ran = coerced.issues ? coerced : runSchema(schema, coerced.value)
    const result = ran instanceof Promise ? await ran : ran
    if (!result.issues) return result.value
    if (rejected === null || reported === 'last') rejected = result
  }
  return rejected === null ? undefined : unwrapResult(location, rejected)
}
