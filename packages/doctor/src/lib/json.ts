/** A JSON object. */
export type JsonObject = Record<string, unknown>

/** Returns whether a value is a JSON object, and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object's own member, or undefined. */
export function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name as keyof typeof object] : undefined
}

/** Whether a value is assigned. RFC 7643 §2.5: null, an empty list and a missing attribute are the same state. */
export function isAssigned(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

/** The object or list, or undefined if it is empty. */
export function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}

/** A member's path: names separated by dots, or a list of names if one contains dots. */
export type MemberPath = string | readonly string[]

/** The own member at a path; undefined if it does not exist. */
export function memberAt(value: unknown, path: MemberPath): unknown {
  const names = typeof path === 'string' ? path.split('.') : path
  return names.reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return /^\d+$/.test(name) ? part[Number(name)] : undefined
    return isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined
  }, value)
}

/**
 * Copies an object with other values, by path, such as `title` or `name.givenName`. A path that starts with a URN is
 * one member name, also if it has dots.
 */
export function withAt(object: JsonObject, values: Readonly<JsonObject>): JsonObject {
  const copy = { ...object }
  for (const [path, value] of Object.entries(values)) {
    const [name = '', part] = namesOf(path)
    const members: object = Object(own(copy, name))
    copy[name] = part === undefined ? value : { ...members, [part]: value }
  }
  return copy
}

/** Splits a path into the member names that lead to a value. */
export function namesOf(path: string): readonly string[] {
  return path.startsWith('urn:') ? [path] : path.split('.')
}

/** The path as text, for messages. */
export function pathText(path: MemberPath): string {
  return typeof path === 'string' ? path : path.join('.')
}

/** A list's objects; none if the value is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A list's strings; none if the value is not a list. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Parses JSON text; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether two JSON values are equal, with members in any order. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, at) => isSameJson(one, right[at]))
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  )
}
