import { isJsonObject } from '../json.ts'

/**
 * Returns how a JSON value differs from the expected one. An object may have more members. A member expected to be null
 * must be absent. An array has the expected elements in any order.
 */
export function differences(actual: unknown, expected: unknown, pointer = ''): readonly string[] {
  const other = [`${pointer || 'the body'} is ${show(actual)}, not ${show(expected)}`]
  if (expected === null) {
    const isAbsent = actual === undefined || actual === null
    return isAbsent ? [] : [`${pointer} must be absent, but is ${show(actual)}`]
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return other
    const left: unknown[] = [...actual]
    return expected.flatMap((element, index) => {
      const found = left.findIndex((one) => differences(one, element).length === 0)
      if (found < 0) return [`${pointer}/${index}: no element is ${show(element)} in ${show(left)}`]
      left.splice(found, 1)
      return []
    })
  }
  if (!isJsonObject(expected)) return actual === expected ? [] : other
  if (!isJsonObject(actual)) return other
  return Object.entries(expected).flatMap(([key, value]) => {
    const own = Object.hasOwn(actual, key) ? actual[key] : undefined
    return differences(own, value, `${pointer}/${key}`)
  })
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

const MAX_LENGTH = 500
