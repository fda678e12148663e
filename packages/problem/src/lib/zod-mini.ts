import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { type $ZodType, type input, type output, toJSONSchema } from 'zod/v4/core'

/** A zod Mini schema that converts itself to JSON Schema. */
export type ConvertedZodMini<Of extends $ZodType> = StandardSchemaV1<input<Of>, output<Of>> &
  StandardJSONSchemaV1<input<Of>, output<Of>> & {
    /** The schema itself, to nest it in another one. */
    readonly schema: Of
  }

/**
 * Returns a zod Mini schema with Standard JSON Schema, which only the schemas of zod itself have.
 *
 * Call it with the outermost schema, where an operation or a problem type uses it. Schemas within it are converted
 * with it, with their names, and may be of zod itself. Needs zod 4. Throws a TypeError for anything else.
 *
 * @example
 * ```ts
 * import { toStandardJsonSchema } from '@plumbline/problem/zod-mini'
 * import * as z from 'zod/mini'
 *
 * const Book = z.object({ title: z.string() })
 * const books = toStandardJsonSchema(z.array(Book))
 * books['~standard'].jsonSchema.input({ target: 'draft-2020-12' }).type //=> 'array'
 * ```
 */
export function toStandardJsonSchema<Of extends $ZodType>(schema: Of): ConvertedZodMini<Of> {
  // A schema of zod 3 or of another library, in a program without types.
  const given: Partial<$ZodType> | null | undefined = schema
  if (given?._zod?.def === undefined) {
    throw new TypeError('toStandardJsonSchema needs a schema of zod 4 or zod Mini')
  }
  const convert =
    (io: 'input' | 'output') =>
    ({ target, libraryOptions }: StandardJSONSchemaV1.Options): Record<string, unknown> => ({
      ...toJSONSchema(schema, { ...libraryOptions, target, io }),
    })
  const standard: StandardSchemaV1.Props<input<Of>, output<Of>> = schema['~standard']
  const jsonSchema = { input: convert('input'), output: convert('output') }
  return { schema, '~standard': { ...standard, jsonSchema } }
}
