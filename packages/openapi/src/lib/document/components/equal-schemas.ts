import { isObject, type JsonObject } from '../../json/object.ts'
import { nameIn } from '../../json/pointer.ts'
import { DEFINITIONS } from '../../schema/to-json-schema.ts'
import { mapSubschemas } from '../../schema/walk.ts'
import { type Conversion, idOf } from './name-definitions.ts'

/** A schema, and the conversion that its references refer to. */
export interface Located {
  readonly source: unknown
  readonly conversion: Conversion
}

/** Receives a named schema inside the second schema. It is assumed to equal the schema of that name in the first. */
export type Meet = (name: string, schema: Located) => void

/**
 * Returns whether two schemas named `name` accept the same values, compared keyword by keyword. Libraries
 * write one schema differently in two conversions: where the conversion starts decides which part of a
 * circle becomes a definition and which part is repeated.
 */
export function isSame(name: string, first: Located, second: Located, meet: Meet): boolean {
  // A pair that contains itself is equal if its other parts are equal.
  const assumed = new WeakMap<object, Set<unknown>>()
  const compare = (a: Located, b: Located): boolean => {
    if (!isObject(a.source) || !isObject(b.source)) return a.source === b.source
    if (a.source === b.source) return true
    const known = assumed.get(a.source) ?? new Set()
    if (known.has(b.source)) return true
    assumed.set(a.source, known.add(b.source))
    const [left, right] = [nameOf(a), nameOf(b)]
    if (left !== null && right !== null && left !== name) {
      if (left !== right) return false
      meet(right, targetOf(b) ?? b)
      return textOf(besideReference(a.source)) === textOf(besideReference(b.source))
    }
    return compareBodies(follow(a), follow(b))
  }
  const compareBodies = (a: Located, b: Located): boolean => {
    if (!isObject(a.source) || !isObject(b.source)) return a.source === b.source
    const [left, right] = [partsOf(a.source), partsOf(b.source)]
    if (textOf(left.frame) !== textOf(right.frame)) return false
    const target = [targetOf(a), targetOf(b)] as const
    if (target[0] && target[1] && !compare(target[0], target[1])) return false
    return [...left.parts].every(([path, part]) =>
      compare({ ...a, source: part }, { ...b, source: right.parts.get(path) }),
    )
  }
  return compareBodies(follow(first), follow(second))
}

/** Follows references without other keywords to the end. */
function follow(located: Located): Located {
  let at = located
  for (let steps = 0; steps < 32; steps += 1) {
    const target = targetOf(at)
    if (target === null || Object.keys(besideOf(at.source)).length > 0) return at
    at = target
  }
  return at
}

function targetOf({ source, conversion }: Located): Located | null {
  if (!isObject(source) || typeof source.$ref !== 'string') return null
  const { json } = conversion
  if (source.$ref === '#') return { source: json, conversion }
  const key = nameIn(source.$ref, DEFINITIONS)
  if (key === null || !isObject(json.$defs) || !Object.hasOwn(json.$defs, key)) return null
  return { source: json.$defs[key], conversion }
}

function nameOf({ source, conversion }: Located): string | null {
  if (!isObject(source)) return null
  if (typeof source.$ref !== 'string') return idOf(source)
  const key = nameIn(source.$ref, DEFINITIONS)
  const name = key === null ? null : conversion.names.get(key)
  return name?.kind === 'given' ? name.name : null
}

/** The keywords of a schema, and its subschemas by their path. */
function partsOf(schema: JsonObject): { frame: JsonObject; parts: ReadonlyMap<string, unknown> } {
  const parts = new Map<string, unknown>()
  const { $ref, ...keywords } = schema
  const frame = mapSubschemas(besideOf(keywords), (part, keyword, step = '') => {
    parts.set(JSON.stringify([keyword, step]), part)
    return null
  })
  // Another conversion uses another key for the definition.
  const isLocal = typeof $ref === 'string' && ($ref === '#' || $ref.startsWith(DEFINITIONS))
  return { frame: $ref === undefined ? frame : { ...frame, $ref: isLocal ? '#' : $ref }, parts }
}

/** The keywords of a schema that restrict values, except `$ref`. */
function besideOf(schema: unknown): JsonObject {
  if (!isObject(schema)) return {}
  const { $ref: _ref, $defs: _defs, $schema: _schema, $id: _uri, id, ...keywords } = schema
  return typeof id === 'string' || id === undefined ? keywords : { ...keywords, id }
}

function besideReference(schema: JsonObject): JsonObject {
  return typeof schema.$ref === 'string' ? besideOf(schema) : {}
}

/** JSON with the members of each object in a fixed order. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
