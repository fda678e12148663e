import { isJsonObject } from '../json/object.ts'

/** Returns whether two JSON values are equal, with object members in any order. */
export function equal(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, at) => equal(one, b[at]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  )
}

/** Writes a JSON value so that equal values have one text. */
export function canonicalText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  )
}
