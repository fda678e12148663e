import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/**
 * A schema accepted by operations: any value that implements Standard Schema and Standard JSON Schema, such as schemas
 * from zod, ArkType, and Valibot's `toStandardJsonSchema`.
 */
export type Schema = StandardSchemaV1 & StandardJSONSchemaV1

/** The value a schema accepts: the sent value. */
export type Input<Of extends StandardSchemaV1> = StandardSchemaV1.InferInput<Of>

/** The value a schema returns. */
export type Output<Of extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Of>

/** Whether a type's values are all files. */
export type IsFile<Value> = unknown extends Value
  ? false
  : [Exclude<Value, null | undefined>] extends [never]
    ? false
    : [Exclude<Value, null | undefined>] extends [Blob]
      ? true
      : false

/** Whether a value is a schema rather than a record with schemas; ArkType's schemas are functions. */
export function isSchema(value: unknown): value is Schema {
  const isCandidate = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isCandidate && '~standard' in value
}
