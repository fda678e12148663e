import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '../schema/standard-schema.ts'
import type { PreparedPart } from './contract.ts'
import { type InputErrorCode, type InputLocation, OperationInputError } from './input-error.ts'

/** Runs the schema of a part. What it rejects is thrown, for `parseRequest` alone to catch. */
export function validate(
  location: InputLocation,
  { schema }: { readonly schema: Schema },
  value: unknown,
): unknown {
  const outcome = outcomeOf(schema, value)
  return outcome instanceof Promise
    ? outcome.then((later) => accepted(location, later))
    : accepted(location, outcome)
}

/** What a schema makes of a value; `cause` is what the schema threw instead. */
export type Outcome = StandardSchemaV1.Result<unknown> & { readonly cause?: unknown }

/** Runs a schema. It never throws: a schema that throws has not accepted the value. */
export function outcomeOf(schema: Schema, value: unknown): Outcome | Promise<Outcome> {
  try {
    const result = schema['~standard'].validate(value)
    return result instanceof Promise ? result.catch(thrown) : result
  } catch (error) {
    return thrown(error)
  }
}

/** A recursive schema follows the nesting of the input, which a client can make deeper than the stack. */
function thrown(cause: unknown): Outcome {
  const isOverflow = cause instanceof RangeError && OVERFLOW.test(cause.message)
  if (isOverflow) return { issues: [{ message: 'nested too deeply', path: [] }] }
  return { issues: [{ message: 'the schema could not validate this value', path: [] }], cause }
}

// A schema that throws another RangeError, such as one of a Date, is a mistake of the program.
const OVERFLOW = /call stack/i

function accepted(location: InputLocation, outcome: Outcome): unknown {
  if (!outcome.issues) return outcome.value
  // The outcome holds the cause, if the schema threw.
  throw new OperationInputError(location, outcome.issues, 'invalid', outcome)
}

/**
 * Reads and validates a part. Where texts may be one kind of value or another, it is read as all
 * alternatives of the schema together have it, and where that is refused, as each of them has it.
 */
export function readAndValidate(
  location: InputLocation,
  part: PreparedPart,
  read: (part: PreparedPart) => unknown,
): unknown {
  return part.alternatives.length === 0
    ? validate(location, part, read(part))
    : firstAccepted(location, part, read)
}

async function firstAccepted(
  location: InputLocation,
  part: PreparedPart,
  read: (part: PreparedPart) => unknown,
): Promise<unknown> {
  let refusal: OperationInputError | null = null
  for (const reading of [part, ...part.alternatives]) {
    try {
      return await validate(location, part, read(reading))
    } catch (error) {
      if (!(error instanceof OperationInputError)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** Refuses a part of the request with one sentence. */
export function refuse(
  location: InputLocation,
  message: string,
  code: InputErrorCode,
): OperationInputError {
  return new OperationInputError(location, [{ message, path: [] }], code)
}
