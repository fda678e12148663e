import type { Schema } from './standard-schema.ts'
import type { ZodDefinition, ZodNode, ZodSchema } from './zod.ts'

/**
 * Creates a function that returns whether zod writes the same JSON Schema for a schema's input and output, except that
 * the output of an object has `additionalProperties`. It may return false for a schema of which this is true.
 *
 * zod searches every part of an input for a transform, once for each part that contains it. This takes half of the
 * time in which it writes a document's schemas.
 */
export function createSideFinder(): (schema: Schema) => boolean {
  const known = new Set<ZodSchema>()
  return (schema) => {
    // The set grows while it is read. A schema may contain itself.
    const found = new Set([schema as ZodSchema])
    for (const one of found) {
      if (known.has(one)) continue
      // A program without types may write a part with another library.
      if (one._zod === undefined) return false
      const { def, optin, optout, toJSONSchema } = one._zod
      const parts = PARTS[def.type]?.(def)
      const isOwn = toJSONSchema !== undefined || namesAdditionalProperties(one)
      if (parts === undefined || optin !== optout || isOwn) return false
      for (const part of parts) if (part !== undefined) found.add(part)
    }
    for (const one of found) known.add(one)
    return true
  }
}

/** Whether a schema's metadata has `additionalProperties`, which would be removed with that of the output. */
function namesAdditionalProperties({ _zod, meta }: ZodSchema): boolean {
  return _zod.def.type === 'object' && meta?.()?.additionalProperties !== undefined
}

/** Removes what only an object's output has: an input may have other members. */
export function removeClosing({ zodSchema, jsonSchema }: ZodNode): void {
  const { type, catchall } = zodSchema._zod.def
  if (type === 'object' && catchall === undefined) delete jsonSchema.additionalProperties
}

const noParts = (): [] => []

/** The parts of each type of schema whose sides are the same. */
const PARTS: Readonly<Record<string, (def: ZodDefinition) => readonly (ZodSchema | undefined)[]>> =
  {
    string: noParts,
    number: noParts,
    boolean: noParts,
    null: noParts,
    any: noParts,
    unknown: noParts,
    never: noParts,
    enum: noParts,
    literal: noParts,
    array: ({ element }) => [element],
    optional: ({ innerType }) => [innerType],
    nullable: ({ innerType }) => [innerType],
    union: ({ options = [] }) => options,
    object: ({ shape = {}, catchall }) => [...Object.values(shape), catchall],
  }
