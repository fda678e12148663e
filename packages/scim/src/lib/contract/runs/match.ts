import { isJsonObject, own } from '../../json.ts'

/**
 * Returns the differences of a JSON value from the expected one. An object may have more members, null marks
 * a member that must be absent, and a list has the expected values in any order.
 */
export function mismatches(actual: unknown, expected: unknown, place = ''): readonly string[] {
  const other = [`${place || 'the body'} is ${show(actual)}, not ${show(expected)}`]
  if (expected === null) {
    const isAbsent =
      actual === undefined || actual === null || (Array.isArray(actual) && !actual.length)
    return isAbsent ? [] : [`${place} must be absent, but is ${show(actual)}`]
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return other
    const left: unknown[] = [...actual]
    for (const element of expected) {
      const at = left.findIndex((one) => mismatches(one, element).length === 0)
      if (at < 0) return other
      left.splice(at, 1)
    }
    return []
  }
  if (!isJsonObject(expected)) return actual === expected ? [] : other
  if (!isJsonObject(actual)) return other
  return Object.entries(expected).flatMap(([name, value]) =>
    mismatches(own(actual, name), value, `${place}/${name}`),
  )
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'missing'
}
