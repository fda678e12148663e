import { memoize } from '@plumbline/base'
import { parseJsonFor } from '../schema/coerce.ts'
import { prepareSchema } from '../schema/prepare.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { type ParsedPart, parsePart } from './part-reader.ts'

/** Returns whether a schema accepts only strings, which are then sent as they are. */
export const isText: (schema: Schema) => boolean = memoize((schema) => {
  const { string, number, boolean, null: none, object, list } = prepareSchema(schema).whole
  return string && !(number || boolean || none || object || list !== null)
})

/** Writes a value as one JSON line. Throws a TypeError if JSON cannot represent it. */
export function writeJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('a part of the stream cannot be written as JSON')
  return text
}

/** Reads a JSON part for the schema, or says why that is impossible. */
export function readJson(schema: Schema, text: string): ParsedPart {
  return parsePart(text, (json) => parseJsonFor(prepareSchema(schema), json))
}
