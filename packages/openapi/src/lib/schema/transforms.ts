import type { JsonObject } from '@plumbline/base'

/** A node of a zod schema while it is converted. */
interface PipeNode {
  readonly zodSchema: { readonly _zod: { readonly def: PipeDefinition } }
  readonly jsonSchema: Record<string, unknown>
}

interface PipeDefinition {
  readonly type: string
  readonly in?: { readonly _zod: { readonly def: { readonly type: string } } }
}

/**
 * Marks a zod pipe that begins with a transform, such as `z.preprocess`: zod converts it to the output's JSON Schema.
 * Other libraries convert such a schema to an unrestricted one.
 */
export function markTransform({ zodSchema, jsonSchema }: PipeNode): void {
  const { type, in: first } = zodSchema._zod.def
  if (type !== 'pipe' || first?._zod.def.type !== 'transform') return
  const { $ref } = jsonSchema
  if ($ref !== undefined) {
    // A keyword next to a reference would be lost where the reference is followed.
    delete jsonSchema.$ref
    jsonSchema.allOf = [{ $ref }]
  }
  jsonSchema[MARK] = true
}

/** Whether a schema transforms its own input before it validates it. */
export function beginsWithTransform(schema: JsonObject): boolean {
  return schema[MARK] === true
}

/** A keyword unknown to JSON Schema; it never reaches a document. */
const MARK = '~transforms'
