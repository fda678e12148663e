import { MEDIA_TYPE_JSON } from '../constants.ts'
import { isJsonField, isListOfTexts } from '../json-schema/field.ts'
import { FORM, MULTIPART, mediaTypeOf } from '../media-types.ts'
import type { Encoding, MediaType } from '../model.ts'
import { preparePart } from '../request/contract.ts'
import type { Schema } from '../schema.ts'

/**
 * How the fields of a form are sent (OpenAPI 3.1.1 §4.8.15), none where the media type is no form's. What
 * the parser reads is said, though it is the default: references, and what may be null, have no `type`
 * that a reader could tell it by, and readers differ in how they send lists.
 */
export function encodingOf(type: string, schema: Schema): Pick<MediaType, 'encoding'> {
  if (![FORM, MULTIPART].includes(mediaTypeOf(type))) return {}
  const encoding = new Map<string, Encoding>()
  for (const [name, shape] of preparePart(schema).shapes) {
    if (isJsonField(shape)) encoding.set(name, { contentType: MEDIA_TYPE_JSON })
    else if (isListOfTexts(shape)) encoding.set(name, { style: 'form', explode: true })
  }
  return encoding.size > 0 ? { encoding: Object.fromEntries(encoding) } : {}
}
