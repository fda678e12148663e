import { type JsonObject, NUMBER } from '@plumbline/base'

/** JSON Schema Validation §6.1 and §6.3, for a string that is also a JSON number or boolean. */
export function compileTextTest(node: JsonObject): (text: string) => boolean {
  const { const: constant, enum: values, minLength, maxLength, pattern, format } = node
  // Compiled at the first use: a document does not use it, and formats have long patterns.
  let expression: RegExp | null | undefined
  return (text) => {
    if (constant !== undefined && constant !== text) return false
    if (Array.isArray(values) && !values.includes(text)) return false
    // A length counts characters, not UTF-16 units (RFC 8259 §7).
    if (typeof minLength === 'number' && [...text].length < minLength) return false
    if (typeof maxLength === 'number' && [...text].length > maxLength) return false
    if (typeof format === 'string' && WORDS.has(format) && isScalar(text)) return false
    if (typeof pattern !== 'string') return true
    if (expression === undefined) expression = compilePattern(pattern)
    return expression === null || expression.test(text)
  }
}

function compilePattern(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}

/** Whether a string is a JSON number or boolean. */
function isScalar(text: string): boolean {
  return NUMBER.test(text) || text === 'true' || text === 'false'
}

/** Formats in JSON Schema Validation §7.3 that never match a JSON number or boolean. */
const WORDS: ReadonlySet<string> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'idn-email',
  'ipv4',
  'ipv6',
  'uri',
  'iri',
  'uuid',
])
