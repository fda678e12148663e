import { isJsonObject, type JsonObject, memoize } from '@plumbline/base'
import { isFileShape } from './shape/form-field.ts'
import { shapeOf } from './shape/shape.ts'
import { followReference, rootOf } from './to-json-schema.ts'
import { someSchema } from './walk.ts'

/** Whether a schema is a file schema as libraries write it. */
export function isBinary({ contentEncoding, format }: JsonObject): boolean {
  return contentEncoding === 'binary' && format === 'binary'
}

/** OpenAPI 3.1.1 §4.8.14.5: a file is a schema with a media type and no type. */
export function toBinary(schema: JsonObject, anyType = 'application/octet-stream'): JsonObject {
  if (!isBinary(schema)) return schema
  const {
    type: _t,
    format: _f,
    contentEncoding: _e,
    minLength: _a,
    maxLength: _b,
    ...rest
  } = schema
  // Several media types are written as branches, not as the schema's own media type.
  return 'anyOf' in rest ? rest : { contentMediaType: anyType, ...rest }
}

/** Whether a conversion contains a file, which JSON and strings cannot carry, but is not a file itself. */
export function holdsFile(json: JsonObject): boolean {
  const { $defs, ...root } = json
  const definitions = isJsonObject($defs) ? Object.values($defs).filter(isJsonObject) : []
  return (someSchema(root, isBinary) || definitions.some(containsFile)) && !isFile(json)
}

/** Whether a converted schema accepts only a file. */
export function isFile(json: JsonObject): boolean {
  return isFileShape(shapeOf(rootOf(json), json))
}

// Schemas in one document share the definitions of named schemas.
const containsFile = memoize((definition: JsonObject) => someSchema(definition, isBinary))

/**
 * Finds the file media types a schema accepts within the conversion `root`; `anyType` for a file with an unrestricted
 * type.
 */
export function fileTypesOf(
  schema: unknown,
  root: JsonObject,
  anyType?: string,
): readonly string[] {
  const types = new Set<string>()
  const waiting = [schema]
  // The list grows while it is read. Each schema is entered once, because it may contain itself.
  const entered = new Set<JsonObject>()
  for (const next of waiting) {
    const node = isJsonObject(next) ? followReference(next, root) : null
    if (node === null || entered.has(node)) continue
    entered.add(node)
    const { contentMediaType, ...rest } = toBinary(node, anyType)
    if (typeof contentMediaType === 'string') types.add(contentMediaType)
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']) {
      waiting.push(...[rest[keyword]].flat())
    }
  }
  return [...types]
}
