import { isObject, type JsonObject } from '../json/object.ts'
import { isFile } from '../schema/shape/form-field.ts'
import { shapeOf } from '../schema/shape/shape.ts'
import { follow, rootOf } from '../schema/to-json-schema.ts'
import { someSchema } from '../schema/walk.ts'

/** Whether a schema is that of a file, as it is before the document says so. */
export function isBinary({ contentEncoding, format }: JsonObject): boolean {
  return contentEncoding === 'binary' && format === 'binary'
}

/** OpenAPI 3.1.1 §4.8.14.5: a file is a schema with a media type and no type. */
export function binaryOf(schema: JsonObject): JsonObject {
  if (!isBinary(schema)) return schema
  const {
    type: _t,
    format: _f,
    contentEncoding: _e,
    minLength: _a,
    maxLength: _b,
    ...rest
  } = schema
  // Beside several media types, each in a branch, there is none of its own.
  return 'anyOf' in rest ? rest : { contentMediaType: 'application/octet-stream', ...rest }
}

/** Whether a conversion holds a file, which JSON and texts cannot carry, without being one itself. */
export function holdsFile(json: JsonObject): boolean {
  return someSchema(json, isBinary) && !isFile(shapeOf(rootOf(json), json))
}

/** The media types of the files that a schema, a part of the conversion `root`, takes. */
export function fileTypesOf(schema: unknown, root: JsonObject): readonly string[] {
  const types = new Set<string>()
  const waiting = [schema]
  // The list grows while it is read. A schema is entered once, though it may contain itself.
  const entered = new Set<JsonObject>()
  for (const next of waiting) {
    const node = isObject(next) ? follow(next, root) : null
    if (node === null || entered.has(node)) continue
    entered.add(node)
    const { contentMediaType, ...rest } = binaryOf(node)
    if (typeof contentMediaType === 'string') types.add(contentMediaType)
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']) {
      waiting.push(...[rest[keyword]].flat())
    }
  }
  return [...types]
}
