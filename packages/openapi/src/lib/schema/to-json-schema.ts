import {
  DEFINITIONS,
  isJsonObject,
  type JsonObject,
  nameInReference,
  type Outcome,
} from '@plumbline/base'
import {
  addDefaults,
  arkTypeFallbacks,
  correctArkType,
  isArkType,
  reportDropped,
} from './arktype.ts'
import { adviseOnSchema, findForeignPart } from './foreign.ts'
import type { Inexact, ReportInexact } from './inexact.ts'
import { isSchema, type Schema } from './standard-schema.ts'
import { markTransform } from './transforms.ts'
import { valibotOptions, withoutMarks } from './valibot.ts'
import { findUnrepresentable, type ZodNode } from './zod.ts'
import { zodOverride } from './zod-override.ts'
import { removeClosing } from './zod-sides.ts'

/** A converted schema, with the parts not represented exactly. */
export interface ConvertedSchema {
  readonly json: JsonObject
  readonly inexact: readonly Inexact[]
}

/** Why a schema cannot be converted to JSON Schema. */
export interface ConversionFault {
  readonly message: string
  /** The way out. */
  readonly remedy: string
  /** The path to the inconvertible part. */
  readonly path: readonly (string | number)[]
  /** The schema library's error; undefined if the library was not called. */
  readonly cause?: unknown
}

/** The JSON Schema for the values a schema accepts, or the reason why it cannot be converted. */
export type Converted = Outcome<ConvertedSchema, ConversionFault>

/**
 * Converts a schema's input side to draft 2020-12. Results are not cached: with a thousand operations, megabytes would
 * be kept for a single build.
 */
export function convert(schema: Schema): Converted {
  return convertWith(schema, () => {})
}

/** Converts a schema as `convert` does, and marks parts that transform their own input. */
export function convertForParsing(schema: Schema): Converted {
  return convertWith(schema, markTransform)
}

/** Converts a zod schema whose two sides are the same, as `convert` does in half of the time. */
export function convertSameSides(schema: Schema): Converted {
  return convertWith(schema, removeClosing, 'output')
}

/** Converts a schema, and calls `mark` for each node in a zod schema. */
function convertWith(
  schema: Schema,
  mark: (node: ZodNode) => void,
  side: 'input' | 'output' = 'input',
): Converted {
  // The types prevent it, but a program without types may pass a bare Valibot schema.
  if (!isSchema(schema) || !schema['~standard'].jsonSchema) {
    return { fault: { ...adviseOnSchema(schema), path: [] } }
  }
  const { [side]: write } = schema['~standard'].jsonSchema
  // The library may call back several times for one part.
  const inexact = new Map<string, Inexact>()
  const report: ReportInexact = (one) => {
    inexact.set(JSON.stringify(one), one)
  }
  try {
    const json = write({ target: TARGET, libraryOptions: optionsFor(report, mark) })
    if (isArkType(schema)) reportDropped(schema, report)
    return { value: { json: correctJson(schema, json), inexact: [...inexact.values()] } }
  } catch (error) {
    return { fault: { ...explain(schema, error), cause: error } }
  }
}

function explain(schema: Schema, error: unknown): Omit<ConversionFault, 'cause'> {
  const foreign = findForeignPart(schema)
  if (foreign !== null) return foreign
  const message = error instanceof Error ? error.message : String(error)
  // Valibot's converter throws an Error for each of its own parts without a JSON Schema.
  if (error instanceof TypeError && schema['~standard'].vendor === 'valibot') {
    const reason = `a part of the Valibot schema is not one itself (${message})`
    return { message: reason, remedy: 'write each part with Valibot', path: [] }
  }
  const remedy = 'use a schema for the value that is sent'
  return { message, remedy, path: findUnrepresentable(schema, TARGET) }
}

function correctJson(schema: Schema, json: JsonObject): JsonObject {
  if (isArkType(schema)) return correctArkType(addDefaults(schema, json))
  return schema['~standard'].vendor === 'valibot' ? withoutMarks(json) : json
}

/** Creates one options object for all libraries: each ignores the others' options. */
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
 * A conversion's root schema, with `$defs`. Libraries write a named root as a reference into the `$defs`; it is
 * followed.
 */
export function rootOf(json: JsonObject): JsonObject {
  const root = followReference(json, json) ?? json
  return root === json ? json : { ...root, $defs: json.$defs }
}

/** Follows a conversion's local reference; null if the target is missing or only refers to itself. */
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

const TARGET = 'draft-2020-12'
