/** A JSON object, or the model read from one. */
export type JsonObject = Record<string, unknown>

/** Returns whether a value is a JSON object; a list is not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an object's own member, or undefined. */
export function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name as keyof typeof object] : undefined
}

/**
 * Returns whether a value is assigned. RFC 7643 §2.5: null, an empty list and a missing attribute are the same state.
 */
export function isAssigned(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

/** Returns the object or list, or undefined if it is empty. */
export function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}
