/** A JSON object, or the model that is read from one. */
export type JsonObject = Record<string, unknown>

/** Whether a value is a JSON object; a list is not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own member of an object, or undefined. */
export function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name as keyof typeof object] : undefined
}
