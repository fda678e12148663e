import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type InputErrorCode, type InputLocation, OperationInputError } from '../input-error.ts'
import type { Schema } from '../schema.ts'
import type { PreparedPart } from './contract.ts'

/** Runs the schema of a part; what it refuses is thrown, for `parseRequest` alone to catch. */
export function validate(
  location: InputLocation,
  { schema }: { readonly schema: Schema },
  value: unknown,
): unknown {
  let validated: ReturnType<Schema['~standard']['validate']>
  try {
    validated = schema['~standard'].validate(value)
  } catch (error) {
    throw refusalOf(error, location)
  }
  if (!(validated instanceof Promise)) return accepted(location, validated)
  return validated.then(
    (result) => accepted(location, result),
    (error: unknown) => {
      throw refusalOf(error, location)
    },
  )
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

function accepted(location: InputLocation, result: StandardSchemaV1.Result<unknown>): unknown {
  if (result.issues) throw new OperationInputError(location, result.issues)
  return result.value
}

/** A recursive schema follows the nesting of the input, which a client can make deeper than the stack. */
function refusalOf(error: unknown, location: InputLocation): unknown {
  const isOverflow = error instanceof RangeError && OVERFLOW.test(error.message)
  return isOverflow ? refuse(location, 'nested too deeply', 'invalid') : error
}

// A schema that throws another RangeError, such as one of a Date, is a mistake of the program.
const OVERFLOW = /call stack/i
