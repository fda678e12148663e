import { isJsonObject, type JsonObject } from '../json/object.ts'
import { type Components, targetOf } from './accepts.ts'

/**
 * Merges a `$ref` and `allOf` into one schema, as far as one schema can express them. Returns null if no value would be
 * accepted. `accepts` still checks keywords the result cannot express.
 */
export function flatten(schema: unknown, components: Components, depth = 0): JsonObject | null {
  if (schema === false) return null
  if (!isJsonObject(schema) || depth > DEEPEST) return {}
  const { $ref, allOf, not, ...rest } = schema
  if (isJsonObject(not) && Object.keys(not).length === 0) return null
  const own = not === undefined ? rest : { ...rest, not }
  const target = typeof $ref === 'string' ? [targetOf($ref, components)] : []
  const parts = [...target, ...(Array.isArray(allOf) ? allOf : [])]
  return parts
    .map((part) => flatten(part, components, depth + 1))
    .reduce((before, part) => (before && part ? merge(before, part) : null), own as JsonObject)
}

function merge(a: JsonObject, b: JsonObject): JsonObject | null {
  const merged: Record<string, unknown> = { ...a }
  for (const [keyword, value] of Object.entries(b)) {
    const before = merged[keyword]
    if (keyword === 'pattern')
      merged[PATTERNS] = [...listOf(merged[PATTERNS] ?? before ?? []), value]
    merged[keyword] = before === undefined ? value : (MERGE.get(keyword) ?? later)(before, value)
  }
  return Array.isArray(merged.type) && merged.type.length === 0 ? null : merged
}

type Merge = (a: unknown, b: unknown) => unknown

const later: Merge = (_, b) => b
const both: Merge = (a, b) => ({ allOf: [a, b] })
const lesser: Merge = (a, b) => Math.min(Number(a), Number(b))
const greater: Merge = (a, b) => Math.max(Number(a), Number(b))
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function mergeTypes(a: unknown, b: unknown): readonly unknown[] {
  const [one, other] = [listOf(a), listOf(b)]
  const integers = [...one, ...other].includes('integer') ? ['integer'] : []
  const isWide = (types: readonly unknown[]) =>
    types.includes('number') || types.includes('integer')
  const shared = one.filter((type) => type !== 'number' && other.includes(type))
  if (!isWide(one) || !isWide(other)) return shared
  const numbers = integers.length > 0 ? integers : ['number']
  return [...new Set([...shared, ...numbers])]
}

const MERGE: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ['type', mergeTypes],
  ['required', (a, b) => [...new Set([...listOf(a), ...listOf(b)])]],
  [
    'properties',
    (a, b) => {
      const properties: Record<string, unknown> = { ...Object(a) }
      for (const [name, part] of Object.entries(Object(b))) {
        properties[name] = Object.hasOwn(properties, name) ? both(properties[name], part) : part
      }
      return properties
    },
  ],
  ['enum', (a, b) => listOf(a).filter((one) => JSON.stringify(b).includes(JSON.stringify(one)))],
  ['items', both],
  ['additionalProperties', both],
  ['propertyNames', both],
  // A string must match both.
  ['pattern', (a, b) => `^(?=[^]*(?:${a}))(?=[^]*(?:${b}))`],
  ['not', (a, b) => ({ anyOf: [a, b] })],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
    (keyword): [string, Merge] => [keyword, greater],
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
    (keyword): [string, Merge] => [keyword, lesser],
  ),
])

/** A keyword in flattened schemas: the patterns joined by `pattern`. */
export const PATTERNS = 'x-patterns'

const DEEPEST = 32
