import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The value or a schema's issues; `cause` is the exception, if the schema threw. */
export type SchemaResult = StandardSchemaV1.Result<unknown> & { readonly cause?: unknown }

/** Runs a schema. It never throws: a schema that throws rejects the value. */
export function runSchema(
  schema: StandardSchemaV1,
  value: unknown,
): SchemaResult | Promise<SchemaResult> {
  try {
    const result = schema['~standard'].validate(value)
    return result instanceof Promise ? result.catch(describeThrown) : result
  } catch (error) {
    return describeThrown(error)
  }
}

/** Whether a schema accepts undefined, as an absent value. A schema that validates asynchronously does not. */
export function acceptsUndefined(schema: StandardSchemaV1): boolean {
  const result = runSchema(schema, undefined)
  return !(result instanceof Promise) && !result.issues
}

/** A recursive schema follows the nesting of the input, which a client can make deeper than the stack. */
function describeThrown(cause: unknown): SchemaResult {
  const isOverflow = cause instanceof RangeError && OVERFLOW.test(cause.message)
  if (isOverflow) return { issues: [{ message: 'nested too deeply', path: [] }] }
  return { issues: [{ message: 'the schema could not validate this value', path: [] }], cause }
}

// Another RangeError of a schema, such as that of an invalid Date, is a bug in the schema.
const OVERFLOW = /call stack/i
