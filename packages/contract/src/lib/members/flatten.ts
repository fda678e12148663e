import {
  type Components,
  equal,
  isJsonObject,
  type JsonObject,
  own,
  targetOf,
} from '@plumbline/base'

/**
 * Merges a `$ref` and `allOf` into one schema, as far as one schema can express them. Of several unions, the others stay
 * in `allOf`: `unionsOf` finds them. Returns null if no value would be accepted. `accepts` still checks keywords the
 * result cannot express.
 */
export function flatten(schema: unknown, components: Components, depth = 0): JsonObject | null {
  if (schema === false) return null
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return {}
  const { $ref, allOf, not, ...rest } = schema
  if (isJsonObject(not) && Object.keys(not).length === 0) return null
  const first = not === undefined ? rest : { ...rest, not }
  const target = typeof $ref === 'string' ? [targetOf($ref, components)] : []
  const parts = [...target, ...(Array.isArray(allOf) ? allOf : [])]
  return parts
    .map((part) => flatten(part, components, depth + 1))
    .reduce<JsonObject | null>(
      (before, part) => (before && part ? merge(before, part) : null),
      first,
    )
}

/** A flattened schema's unions, and its other keywords. */
export interface Unions {
  readonly rest: JsonObject
  readonly unions: readonly (readonly unknown[])[]
}

/** Finds the unions in a flattened schema. A value must match an alternative in each of them. */
export function unionsOf({ anyOf, oneOf, allOf, ...rest }: JsonObject): Unions {
  const others = listOf(allOf ?? []).flatMap((one) => UNIONS.map((keyword) => own(one, keyword)))
  return { rest, unions: [anyOf, oneOf, ...others].filter((one) => Array.isArray(one)) }
}

const UNIONS = ['anyOf', 'oneOf'] as const

function merge(a: JsonObject, b: JsonObject): JsonObject | null {
  const merged: Record<string, unknown> = { ...a }
  const others: unknown[] = []
  for (const [keyword, value] of Object.entries(b)) {
    const before = merged[keyword]
    if (keyword === 'pattern')
      merged[PATTERNS] = [...listOf(merged[PATTERNS] ?? before ?? []), value]
    const isUnion = keyword === 'anyOf' || keyword === 'oneOf'
    if (isUnion && before !== undefined) {
      if (before !== value) others.push({ [keyword]: value })
    } else {
      merged[keyword] = before === undefined ? value : (MERGE.get(keyword) ?? later)(before, value)
    }
  }
  if (others.length > 0) merged.allOf = [...listOf(merged.allOf ?? []), ...others]
  return hasValues(a, b, merged) ? merged : null
}

/** Whether the merged keywords that list types or values leave any. */
function hasValues(a: JsonObject, b: JsonObject, { type, enum: values }: JsonObject): boolean {
  const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0
  const constants = [a.const, b.const].filter((constant) => constant !== undefined)
  const [constant] = constants
  const isListed = (one: unknown) => equal(one, constant)
  return (
    !isEmpty(type) &&
    !isEmpty(values) &&
    constants.every(isListed) &&
    (constant === undefined || !Array.isArray(values) || values.some(isListed))
  )
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

/** Subschemas by name: a name in both must match both. */
function bothByName(a: unknown, b: unknown): JsonObject {
  const parts: Record<string, unknown> = { ...Object(a) }
  for (const [name, part] of Object.entries(Object(b))) {
    parts[name] = Object.hasOwn(parts, name) ? both(parts[name], part) : part
  }
  return parts
}

const MERGE: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ['type', mergeTypes],
  ['required', (a, b) => [...new Set([...listOf(a), ...listOf(b)])]],
  ['properties', bothByName],
  ['patternProperties', bothByName],
  [
    'prefixItems',
    (a, b) =>
      (listOf(a).length < listOf(b).length ? listOf(b) : listOf(a)).map((part, at) =>
        at < listOf(a).length && at < listOf(b).length ? both(listOf(a)[at], listOf(b)[at]) : part,
      ),
  ],
  ['uniqueItems', (a, b) => a === true || b === true],
  ['enum', (a, b) => listOf(a).filter((one) => listOf(b).some((other) => equal(one, other)))],
  ['allOf', (a, b) => [...listOf(a), ...listOf(b)]],
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

const MAX_DEPTH = 32
