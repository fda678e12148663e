import { isJsonObject, type JsonObject } from '../json/object.ts'
import { nameInReference } from '../json/pointer.ts'
import type { Outcome } from '../outcome.ts'
import { arkTypeFallbacks, correctArkType, isArkType, reportDropped } from './arktype.ts'
import type { Inexact, ReportInexact } from './inexact.ts'
import { isSchema, type Schema } from './standard-schema.ts'
import { markTransform } from './transforms.ts'
import { valibotOptions, withoutMarks } from './valibot.ts'
import { findUnrepresentable, type ZodNode } from './zod.ts'
import { zodOverride } from './zod-override.ts'

/** A converted schema, with the parts that JSON Schema cannot represent. */
export interface ConvertedSchema {
  readonly json: JsonObject
  readonly inexact: readonly Inexact[]
}

/** The reason why a schema cannot be converted to JSON Schema. */
export interface ConversionFault {
  readonly message: string
  /** The path to the part that cannot be converted. */
  readonly path: readonly (string | number)[]
  /** The error of the schema library; undefined if the library was not called. */
  readonly cause?: unknown
}

/** The JSON Schema of the values a schema accepts, or the reason why it cannot be converted. */
export type Converted = Outcome<ConvertedSchema, ConversionFault>

/**
 * Converts the input side of a schema to draft 2020-12. Results are not cached, because an API of a
 * thousand operations would keep megabytes that only one build reads.
 */
export function convert(schema: Schema): Converted {
  return convertWith(schema, () => {})
}

/** Converts a schema as `convert` does, and marks the parts that transform their own input. */
export function convertForParsing(schema: Schema): Converted {
  return convertWith(schema, markTransform)
}

/** Converts a schema, and calls `mark` for each node of a zod schema. */
function convertWith(schema: Schema, mark: (node: ZodNode) => void): Converted {
  // The types prevent it, but a program without types may pass a bare Valibot schema.
  if (!isSchema(schema) || !schema['~standard'].jsonSchema) return MISSING
  const { input } = schema['~standard'].jsonSchema
  // The library may call back several times for one part.
  const inexact = new Map<string, Inexact>()
  const report: ReportInexact = (one) => {
    inexact.set(JSON.stringify(one), one)
  }
  try {
    const json = input({ target: TARGET, libraryOptions: optionsFor(report, mark) })
    if (isArkType(schema)) reportDropped(schema, report)
    return { value: { json: correctJson(schema, json), inexact: [...inexact.values()] } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { fault: { message, path: findUnrepresentable(schema, TARGET), cause: error } }
  }
}

function correctJson(schema: Schema, json: JsonObject): JsonObject {
  if (isArkType(schema)) return correctArkType(json)
  return schema['~standard'].vendor === 'valibot' ? withoutMarks(json) : json
}

/** One object of options for all libraries: each ignores the others' options. */
function optionsFor(report: ReportInexact, mark: (node: ZodNode) => void): Record<string, unknown> {
  const override = zodOverride(report)
  return {
    fallback: arkTypeFallbacks(report),
    override: (node: ZodNode): void => {
      override(node)
      mark(node)
    },
    ...valibotOptions(report),
  }
}

/**
 * The root schema of a conversion, with its `$defs`. If the root is a reference into the `$defs`, which
 * is how libraries write a named root, the reference is followed.
 */
export function rootOf(json: JsonObject): JsonObject {
  const root = followReference(json, json) ?? json
  return root === json ? json : { ...root, $defs: json.$defs }
}

/** Follows a local reference of a conversion; null if it leads to nothing or only to itself. */
export function followReference(schema: JsonObject, root: JsonObject): JsonObject | null {
  let at: unknown = schema
  for (let steps = 0; steps < 32; steps += 1) {
    if (!isJsonObject(at)) return null
    if (typeof at.$ref !== 'string') return at
    if (at.$ref === '#') return root
    const name = nameInReference(at.$ref, DEFINITIONS)
    const definitions = root.$defs
    at =
      name !== null && isJsonObject(definitions) && Object.hasOwn(definitions, name)
        ? definitions[name]
        : null
  }
  return null
}

/** The JSON Pointer of a conversion's definitions. */
export const DEFINITIONS = '#/$defs/'

const TARGET = 'draft-2020-12'
const MISSING: Converted = {
  fault: { message: 'the schema does not implement Standard JSON Schema', path: [] },
}
