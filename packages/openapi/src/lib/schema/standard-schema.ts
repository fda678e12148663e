import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/**
 * What an operation takes for a schema: any value that validates and gives its JSON Schema by Standard
 * Schema and Standard JSON Schema, such as those of zod, ArkType, and Valibot's `toStandardJsonSchema`.
 */
export type Schema = StandardSchemaV1 & StandardJSONSchemaV1

/** What a schema accepts: what is on the wire. */
export type Input<Of extends StandardSchemaV1> = StandardSchemaV1.InferInput<Of>

/** What a schema gives. */
export type Output<Of extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Of>

/** Whether a value is a schema rather than a record of them; ArkType's schemas are functions. */
export function isSchema(value: unknown): value is Schema {
  const isCandidate = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isCandidate && '~standard' in value
}
