import type { StandardSchemaV1 } from '@standard-schema/spec'
import {
  type CoerceOptions,
  coerceObject,
  coerceScalar,
  coerceValue,
  parseJsonFor,
  type Values,
} from '../schema/coerce.ts'
import { carriesJson } from '../schema/shape/form-field.ts'
import { elementAt, type ListShape, type Shape } from '../schema/shape/shape.ts'

/** A form part: a string, a file, or a JSON file with its text. */
export type FormPart = string | File | JsonFile

interface JsonFile {
  readonly file: File
  readonly text: string
}

/**
 * Coerces form parts to the object a schema validates. A field is JSON if the schema accepts an object (OpenAPI 3.1.1
 * §4.8.15). A list is one part per element, or one JSON array. Other fields are coerced as in a query.
 */
export function coerceForm(
  parts: Values<FormPart>,
  options: CoerceOptions,
): StandardSchemaV1.Result<Record<string, unknown>> {
  const issues: StandardSchemaV1.Issue[] = []
  const addIssue = (message: string, ...path: (string | number)[]): void => {
    issues.push({ message, path })
  }
  const value = coerceObject(parts, options, (sent, shape, name) => {
    const { list } = shape
    if (!mayBeJson(shape)) return coerceValue(sent, shape)
    if (!Array.isArray(sent)) {
      const shapes = { shape, element: list && elementAt(list, 0) }
      return coercePart(sent, shapes, options, (message) => addIssue(message, name))
    }
    if (list === null) return addIssue('sent more than once', name)
    return sent.map((part, at) => {
      const shapes = { shape: elementAt(list, at), element: null }
      return coercePart(part, shapes, options, (message) => addIssue(message, name, at))
    })
  })
  return issues.length > 0 ? { issues } : { value }
}

/** Whether a field's part may be read as JSON; a schema that transforms its own input receives the string. */
export function mayBeJson(shape: Shape): boolean {
  return !shape.raw && carriesJson(shape)
}

/** A part's shapes: the schema itself or, for a list sent once, the element. */
interface PartShapes {
  readonly shape: Shape
  readonly element: Shape | null
}

function coercePart(
  part: FormPart,
  { shape, element }: PartShapes,
  options: CoerceOptions,
  addIssue: (message: string) => void,
): unknown {
  const asSent = (sent: string | File): unknown =>
    element === null ? coerceScalar(sent, shape) : coerceValue(sent, shape)
  if (!isJsonPart(part, shape, element)) {
    return asSent(typeof part === 'object' && 'file' in part ? part.file : part)
  }
  if (typeof part === 'object' && !('file' in part)) {
    return addIssue(
      `expected application/json, found ${part.type.slice(0, 100) || 'no media type'}`,
    )
  }
  let json: unknown
  try {
    json = parseJsonFor(options, typeof part === 'string' ? part : part.text)
  } catch (error) {
    // The schema rejects text that is neither JSON nor an accepted string.
    if (typeof part === 'string' && (shape.string || element?.string)) return asSent(part)
    const why = error instanceof Error ? error.message : String(error)
    return addIssue(error instanceof RangeError ? why : `not valid JSON: ${why}`)
  }
  return element === null || isWhole(json, shape, element) ? json : [json]
}

/** Whether a part is JSON: not a string the schema accepts, and not a file it accepts. */
function isJsonPart(part: FormPart, shape: Shape, element: Shape | null): boolean {
  const { object, list, raw } = element ?? shape
  if (raw || (!shape.object && !object && list === null)) return false
  if (typeof part === 'string') return !shape.acceptsText(part) && !element?.acceptsText(part)
  return !shape.binary && !element?.binary
}

/** Whether a JSON value is the schema's whole value, rather than a list's only element. */
function isWhole(json: unknown, shape: Shape, element: Shape): boolean {
  if (json === null) return shape.null
  if (Array.isArray(json)) return element.list === null || !fits(json, element.list)
  if (typeof json === 'object') return shape.object
  if (typeof json === 'number') return shape.number
  return typeof json === 'boolean' ? shape.boolean : shape.string
}

/** Whether a JSON array may have this list shape: no element is a list unless the element's shape allows one. */
function fits(json: readonly unknown[], list: ListShape): boolean {
  return json.every((item, at) => !Array.isArray(item) || elementAt(list, at).list !== null)
}
