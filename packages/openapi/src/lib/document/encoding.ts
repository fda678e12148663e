import { FORM, type JsonObject, MULTIPART, mediaTypeOf } from '@plumbline/base'
import { MEDIA_TYPE_JSON } from '../constants.ts'
import type { Encoding, MediaType } from '../openapi.ts'
import { fileTypesOf } from '../schema/binary.ts'
import { prepareSchema } from '../schema/prepare.ts'
import { isFileField, isJsonField, isListOfTexts } from '../schema/shape/form-field.ts'
import { propertiesOf } from '../schema/shape/properties.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { rootOf } from '../schema/to-json-schema.ts'

/**
 * Describes how a form's fields are sent (OpenAPI 3.1.1 §4.8.15); empty for other media types.
 * `json` is the schema's conversion. Defaults are written too: they depend on a `type`, which
 * references and nullable schemas do not have, and clients differ in how they send lists.
 */
export function describeEncoding(
  type: string,
  schema: Schema,
  json: JsonObject,
): Pick<MediaType, 'encoding'> {
  if (![FORM, MULTIPART].includes(mediaTypeOf(type))) return {}
  const encoding = new Map<string, Encoding>()
  for (const [name, shape] of prepareSchema(schema).shapes) {
    if (isJsonField(shape)) encoding.set(name, { contentType: MEDIA_TYPE_JSON })
    else if (isListOfTexts(shape)) encoding.set(name, { style: 'form', explode: true })
    else if (isFileField(shape)) encoding.set(name, { contentType: fileTypes(name, json) })
  }
  return encoding.size > 0 ? { encoding: Object.fromEntries(encoding) } : {}
}

/** A file field's media types, separated by commas. */
function fileTypes(name: string, json: JsonObject): string {
  const root = rootOf(json)
  return fileTypesOf(propertiesOf(root).get(name), root).join(', ')
}
