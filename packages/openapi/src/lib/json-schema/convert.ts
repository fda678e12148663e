import { isObject, type Members } from '../own.ts'
import { nameIn } from '../pointer.ts'
import { isSchema, type Schema } from '../schema.ts'
import { markTransform } from './transforms.ts'
import { BINARY, VALIBOT_OPTIONS } from './valibot.ts'

/** Why a schema has no JSON Schema. */
export interface ConversionFault {
  readonly fault: string
  /** The path to the part that has none. */
  readonly path: readonly (string | number)[]
  /** The error of the schema library; undefined if the library was not called. */
  readonly cause?: unknown
}

/** The JSON Schema of what a schema accepts, or why it has none. */
export type Converted = { readonly json: Members } | ConversionFault

/**
 * Converts the input side of a schema to draft 2020-12, anew at each call. Nothing keeps what it gives:
 * an API of a thousand operations would hold megabytes that only its one build has read.
 */
export function convert(schema: Schema): Converted {
  return convertWith(schema, LIBRARY_OPTIONS)
}

/** Converts a schema as `convert` does, and marks the parts that transform their own input. */
export function convertForReading(schema: Schema): Converted {
  return convertWith(schema, READING_OPTIONS)
}

function convertWith(schema: Schema, libraryOptions: typeof LIBRARY_OPTIONS): Converted {
  // The types keep it from happening; a program without them may hand over a bare schema of Valibot's.
  if (!isSchema(schema) || !schema['~standard'].jsonSchema) return MISSING
  const { input } = schema['~standard'].jsonSchema
  try {
    return { json: input({ target: TARGET, libraryOptions }) }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return { fault, path: placeOfFault(schema), cause: error }
  }
}

/**
 * The schema that the root of a conversion stands for, with what its references lead to: a named root is
 * itself a reference into the `$defs`.
 */
export function rootOf(json: Members): Members {
  const root = follow(json, json) ?? json
  return root === json ? json : { ...root, $defs: json.$defs }
}

/** What a local reference of a conversion leads to; null where there is nothing, or only a circle. */
export function follow(schema: Members, root: Members): Members | null {
  let at: unknown = schema
  for (let steps = 0; steps < 32; steps += 1) {
    if (!isObject(at)) return null
    if (typeof at.$ref !== 'string') return at
    if (at.$ref === '#') return root
    const name = nameIn(at.$ref, DEFINITIONS)
    const definitions = root.$defs
    at =
      name !== null && isObject(definitions) && Object.hasOwn(definitions, name)
        ? definitions[name]
        : null
  }
  return null
}

/** Where the definitions of a conversion stand. */
export const DEFINITIONS = '#/$defs/'

/** ArkType would document what no JSON value is as anything; a file is no JSON in a form. */
const REFUSING = {
  date: () => {
    throw new Error('Date cannot be represented in JSON Schema')
  },
  domain: ({ domain }: { readonly domain: string }) => {
    throw new Error(`${domain} cannot be represented in JSON Schema`)
  },
  proto: ({ proto }: { readonly proto: { readonly name: string } }) => {
    if (proto.name === 'File' || proto.name === 'Blob') return BINARY
    throw new Error(`${proto.name} cannot be represented in JSON Schema`)
  },
  default: ({ base }: { readonly base: unknown }) => base,
}

/** What zod's `readonly()` says of a type is not what `readOnly` says: that a client never sends it. */
function withoutReadOnly({ zodSchema, jsonSchema }: ZodNode): void {
  const { type, innerType } = zodSchema._zod.def
  if (type !== 'readonly') return
  const isMeant = [zodSchema, innerType].some((schema) => schema?.meta?.()?.readOnly === true)
  if (!isMeant) delete jsonSchema.readOnly
}

/** One bag for all libraries: each leaves alone what it does not know. */
const LIBRARY_OPTIONS = {
  /** ArkType's. */
  fallback: REFUSING,
  /** Zod's. */
  override: withoutReadOnly,
  /** Valibot's. */
  ...VALIBOT_OPTIONS,
}

const READING_OPTIONS = {
  ...LIBRARY_OPTIONS,
  override: (node: ZodNode): void => {
    withoutReadOnly(node)
    markTransform(node)
  },
}

/** Where in a zod schema the first node without a JSON Schema stands; the root where nobody tells. */
function placeOfFault(schema: Schema): readonly (string | number)[] {
  let place: readonly (string | number)[] = []
  const override = (node: ZodNode): void => {
    const type = node.zodSchema._zod.def.type
    if (Object.keys(node.jsonSchema).length === 0 && type !== 'any' && type !== 'unknown') {
      place = node.path
    }
  }
  try {
    const libraryOptions = { unrepresentable: 'any', override }
    schema['~standard'].jsonSchema.input({ target: TARGET, libraryOptions })
  } catch {
    // Other libraries refuse again; their message is all there is.
  }
  return place
}

/** What zod shows of each node while it converts. */
interface ZodNode {
  readonly zodSchema: ZodSchema
  readonly jsonSchema: Record<string, unknown>
  readonly path: readonly (string | number)[]
}

interface ZodSchema {
  readonly _zod: {
    readonly def: {
      readonly type: string
      readonly innerType?: ZodSchema
      readonly in?: ZodSchema
    }
  }
  readonly meta?: () => { readonly readOnly?: unknown } | undefined
}

const TARGET = 'draft-2020-12'
const MISSING: ConversionFault = {
  fault: 'the schema gives no JSON Schema (Standard JSON Schema)',
  path: [],
}
