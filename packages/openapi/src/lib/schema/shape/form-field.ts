import type { Shape } from './shape.ts'

/**
 * Whether a part of a form may be JSON: the schema accepts an object, or a list whose elements
 * are lists and are sent as one part each (OpenAPI 3.1.1 §4.8.15.1.1).
 */
export function carriesJson({ object, list }: Shape): boolean {
  return object || (list !== null && (list.first.some(isStructured) || isStructured(list.rest)))
}

/** Whether every part of a field is JSON: none of them may be a string or a file. */
export function isJsonField(shape: Shape): boolean {
  return carriesJson(shape) && !placesOf(shape).some(({ string, binary }) => string || binary)
}

/** Whether a field is a list, sent as one string for each element. */
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

/** Whether a schema accepts only a file: neither a string nor an object. */
export function isFileShape({ binary, string, object }: Shape): boolean {
  return binary && !string && !object
}

function isStructured({ object, list }: Shape): boolean {
  return object || list !== null
}

/** The shape of one part of a field: the field itself, or an element of its list. */
function placesOf(shape: Shape): readonly Shape[] {
  const { list } = shape
  return list === null ? [shape] : [{ ...shape, list: null }, ...list.first, list.rest]
}
