import type { Shape } from './shape.ts'

/**
 * Whether a part of a form may be JSON: where the schema takes an object, or a list in a list, whose
 * elements are a part each (OpenAPI 3.1.1 §4.8.15.1.1).
 */
export function carriesJson({ object, list }: Shape): boolean {
  return object || (list !== null && (list.first.some(isStructured) || isStructured(list.rest)))
}

/** Whether every part of a field is JSON: none of them may be a text or a file. */
export function isJsonField(shape: Shape): boolean {
  return carriesJson(shape) && !placesOf(shape).some(({ string, binary }) => string || binary)
}

/** Whether a field is a list, sent as a text for each of its elements. */
export function isListOfTexts(shape: Shape): boolean {
  const isText = (place: Shape) => !isStructured(place) && !place.binary
  return shape.list !== null && placesOf(shape).every(isText)
}

/** Whether every part of a field is a file. */
export function isFileField(shape: Shape): boolean {
  const places = placesOf(shape)
  const isOther = ({ object, list, string, number, boolean }: Shape) =>
    object || list !== null || string || number || boolean
  return places.some(({ binary }) => binary) && !places.some(isOther)
}

/** Whether what stands by itself is a file: neither a text nor, in JSON or a form, an object. */
export function isFile({ binary, string, object }: Shape): boolean {
  return binary && !string && !object
}

function isStructured({ object, list }: Shape): boolean {
  return object || list !== null
}

/** What one part of a field may be: the whole of it, or an element of its list. */
function placesOf(shape: Shape): readonly Shape[] {
  const { list } = shape
  return list === null ? [shape] : [{ ...shape, list: null }, ...list.first, list.rest]
}
