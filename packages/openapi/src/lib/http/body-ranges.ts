import { ANY_TYPE, JSON_RANGES, type JsonObject, mediaTypeOf, memoize } from '@plumbline/base'
import { fileTypesOf } from '../schema/binary.ts'
import { prepareSchema } from '../schema/prepare.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import { convertForParsing, rootOf } from '../schema/to-json-schema.ts'
import { isZodWithoutFile } from '../schema/zod.ts'
import type { BodyRanges, BodySpec } from '../spec/operation-spec.ts'

/**
 * Returns a body's media types and ranges. A single schema is JSON. If it accepts only a file, the body is a file with
 * the media types it names, or any.
 */
export function rangesOf(body: BodySpec): BodyRanges {
  if (!isSchema(body)) return { isFile: false, ranges: Object.keys(body).map(mediaTypeOf) }
  return isFileBody(body) ? convertedRangesOf(body) : JSON_BODY
}

/** Returns whether a body is a single schema for files only. */
export function isFileBody(body: BodySpec): body is Schema {
  // Most zod schemas are known not to be files. Others are converted, which takes time.
  return isSchema(body) && !isZodWithoutFile(body) && isFileShape(prepareSchema(body).whole)
}

/** Returns a file's media types from its converted schema. */
export function fileRangesOf(json: JsonObject): readonly string[] {
  const types = fileTypesOf(rootOf(json), json, ANY_TYPE).map(mediaTypeOf)
  return types.includes(ANY_TYPE) ? [ANY_TYPE] : types
}

const convertedRangesOf = memoize((schema: Schema): BodyRanges => {
  const { value } = convertForParsing(schema)
  return { isFile: true, ranges: value ? fileRangesOf(value.json) : [ANY_TYPE] }
})

const JSON_BODY: BodyRanges = { isFile: false, ranges: JSON_RANGES }
