import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The value, or a schema's issues; `cause` is the exception if the schema threw. */
export type SchemaResult = StandardSchemaV1.Result<unknown> & { readonly cause?: unknown }

/** Runs a schema. It never throws: if the schema throws, the value is rejected. */
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

/** Whether a schema accepts undefined, as an absent value. Always false if it validates asynchronously. */
export function acceptsUndefined(schema: StandardSchemaV1): boolean {
  const result = runSchema(schema, undefined)
  return !(result instanceof Promise) && !result.issues
}

/** Describes an exception. A recursive schema follows the input's nesting, so a client can overflow the stack. */
function describeThrown(cause: unknown): SchemaResult {
  const isOverflow = cause instanceof RangeError && OVERFLOW.test(cause.message)
  if (isOverflow) return { issues: [{ message: 'nested too deeply', path: [] }] }
  return { issues: [{ message: 'the schema could not validate this value', path: [] }], cause }
}

// Any other RangeError from a schema, such as for an invalid Date, is a bug in the schema.
const OVERFLOW = /call stack/i
