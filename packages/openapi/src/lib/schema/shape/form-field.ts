import type { Shape } from './shape.ts'

/**
 * Whether a form part may be JSON: the schema accepts an object, or a list whose elements are objects or lists and are
 * sent as one part each (OpenAPI 3.1.1 §4.8.15.1.1).
 */
export function carriesJson({ object, list }: Shape): boolean {
  return object || (list !== null && (list.first.some(isStructured) || isStructured(list.rest)))
}

/** Whether a field's parts are all JSON: none may be a string or a file. */
export function isJsonField(shape: Shape): boolean {
  return carriesJson(shape) && !placesOf(shape).some(({ string, binary }) => string || binary)
}

/** Whether a field is a list, sent as one string for each element. */
export function isListOfTexts(shape: Shape): boolean {
  const isText = (place: Shape) => !isStructured(place) && !place.binary
  return shape.list !== null && placesOf(shape).every(isText)
}

/** Whether a field's parts are all files. */
export function isFileField(shape: Shape): boolean {
  const places = placesOf(shape)
  const isOther = ({ object, list, string, number, boolean }: Shape) =>
    object || list !== null || string || number || boolean
  return places.some(({ binary }) => binary) && !places.some(isOther)
}

/** Whether a schema accepts only a file: neither a string nor an object. */
export function isFileShape({ binary, string, object }: Shape): boolean {
  return binary && !string && !object
}

function isStructured({ object, list }: Shape): boolean {
  return object || list !== null
}

/** The shapes for a field's parts: the field itself, or the list's elements. */
function placesOf(shape: Shape): readonly Shape[] {
  const { list } = shape
  return list === null ? [shape] : [{ ...shape, list: null }, ...list.first, list.rest]
}
