import { DEFINITIONS, isJsonObject, type JsonObject, nameInReference } from '@plumbline/base'
import { mapSubschemas } from '../../schema/walk.ts'
import { type Conversion, idOf } from './name-definitions.ts'

/** A schema, and the conversion in which its references are resolved. */
export interface Located {
  readonly source: unknown
  readonly conversion: Conversion
}

/** Receives a named schema inside the second schema, which is assumed to equal the namesake in the first. */
export type OnNamed = (name: string, schema: Located) => void

/**
 * Returns whether two schemas named `name` accept the same values, compared keyword by keyword. Libraries write one
 * schema differently in two conversions: for a recursive schema, the starting point decides which part becomes a
 * definition and which part is repeated.
 */
export function areEqualSchemas(
  name: string,
  first: Located,
  second: Located,
  onNamed: OnNamed,
): boolean {
  // A pair that contains itself is equal if its other parts are equal.
  const assumed = new WeakMap<object, Set<unknown>>()
  const compare = (a: Located, b: Located): boolean => {
    if (!isJsonObject(a.source) || !isJsonObject(b.source)) return a.source === b.source
    if (a.source === b.source) return true
    const known = assumed.get(a.source) ?? new Set()
    if (known.has(b.source)) return true
    assumed.set(a.source, known.add(b.source))
    const [left, right] = [givenNameOf(a), givenNameOf(b)]
    if (left !== null && right !== null && left !== name) {
      if (left !== right) return false
      onNamed(right, resolveTarget(b) ?? b)
      return (
        toCanonicalJson(keywordsNextToReference(a.source)) ===
        toCanonicalJson(keywordsNextToReference(b.source))
      )
    }
    return compareBodies(followBareReferences(a), followBareReferences(b))
  }
  const compareBodies = (a: Located, b: Located): boolean => {
    if (!isJsonObject(a.source) || !isJsonObject(b.source)) return a.source === b.source
    const [left, right] = [splitSchema(a.source), splitSchema(b.source)]
    if (toCanonicalJson(left.frame) !== toCanonicalJson(right.frame)) return false
    const target = [resolveTarget(a), resolveTarget(b)] as const
    if (target[0] && target[1] && !compare(target[0], target[1])) return false
    return [...left.parts].every(([path, part]) =>
      compare({ ...a, source: part }, { ...b, source: right.parts.get(path) }),
    )
  }
  return compareBodies(followBareReferences(first), followBareReferences(second))
}

/** Follows bare references, those without other keywords, to the end. */
function followBareReferences(located: Located): Located {
  let at = located
  // References may lead to each other.
  const met = new Set<unknown>()
  while (!met.has(at.source)) {
    met.add(at.source)
    const target = resolveTarget(at)
    if (target === null || Object.keys(siblingKeywords(at.source)).length > 0) return at
    at = target
  }
  return at
}

function resolveTarget({ source, conversion }: Located): Located | null {
  if (!isJsonObject(source) || typeof source.$ref !== 'string') return null
  const { json } = conversion
  if (source.$ref === '#') return { source: json, conversion }
  const key = nameInReference(source.$ref, DEFINITIONS)
  if (key === null || !isJsonObject(json.$defs) || !Object.hasOwn(json.$defs, key)) return null
  return { source: json.$defs[key], conversion }
}

function givenNameOf({ source, conversion }: Located): string | null {
  if (!isJsonObject(source)) return null
  if (typeof source.$ref !== 'string') return idOf(source)
  const key = nameInReference(source.$ref, DEFINITIONS)
  const name = key === null ? null : conversion.names.get(key)
  return name?.kind === 'given' ? name.name : null
}

/** Splits a schema into keywords, and subschemas by path. */
function splitSchema(schema: JsonObject): {
  frame: JsonObject
  parts: ReadonlyMap<string, unknown>
} {
  const parts = new Map<string, unknown>()
  const { $ref, ...keywords } = schema
  const frame = mapSubschemas(siblingKeywords(keywords), (part, keyword, step = '') => {
    parts.set(JSON.stringify([keyword, step]), part)
    return null
  })
  // Another conversion uses another key for the definition.
  const isLocal = typeof $ref === 'string' && $ref.startsWith(DEFINITIONS)
  return { frame: $ref === undefined ? frame : { ...frame, $ref: isLocal ? '#' : $ref }, parts }
}

/** A schema's value-restricting keywords, except `$ref`. */
function siblingKeywords(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return {}
  const { $ref: _ref, $defs: _defs, $schema: _schema, $id: _uri, id, ...keywords } = schema
  return typeof id === 'string' || id === undefined ? keywords : { ...keywords, id }
}

function keywordsNextToReference(schema: JsonObject): JsonObject {
  return typeof schema.$ref === 'string' ? siblingKeywords(schema) : {}
}

/** JSON with each object's members in a fixed order. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
