import { memoize } from '../json/memoize.ts'
import { isJsonObject, type JsonObject, own } from '../json/object.ts'
import { nameInReference } from '../json/pointer.ts'
import { DEFINITIONS } from '../schema/to-json-schema.ts'
import { FORMATS } from './formats.ts'

/** A document's named schemas (OpenAPI 3.1.1 §4.8.7). */
export type Components = JsonObject

/**
 * Returns whether a document's schema accepts a JSON value. Implements draft 2020-12, except `contains`, `dependent…`,
 * `unevaluated…` and `$dynamicRef`, which accept every value.
 */
export function accepts(schema: unknown, value: unknown, components: Components): boolean {
  return acceptsWithin(schema, value, { components, depth: 0 })
}

/** Finds the schema for a `$ref` into the document's components or a conversion's `$defs`. */
export function targetOf(reference: string, components: Components): unknown {
  const prefixes = ['#/components/schemas/', DEFINITIONS]
  const prefix = prefixes.find((one) => reference.startsWith(one)) ?? ''
  const name = nameInReference(reference, prefix)
  return name === null ? undefined : own(components, name)
}

interface Within {
  readonly components: Components
  readonly depth: number
}

function acceptsWithin(schema: unknown, value: unknown, within: Within): boolean {
  if (schema === false) return false
  if (!isJsonObject(schema) || within.depth > DEEPEST) return true
  const inner = { ...within, depth: within.depth + 1 }
  const test = (part: unknown, of: unknown) => acceptsWithin(part, of, inner)
  const check: Check = Object.assign(test, { matches: matchesOf(within.components) })
  return Object.keys(schema).every((keyword) => {
    if (keyword === '$ref') return check(targetOf(String(schema.$ref), within.components), value)
    const rule = RULES.get(keyword)
    return rule === undefined || rule(schema[keyword], value, check, schema)
  })
}

interface Check {
  (schema: unknown, value: unknown): boolean
  readonly matches: Matches
}
type Rule = (operand: unknown, value: unknown, check: Check, schema: JsonObject) => boolean

/** Returns a value's JSON type. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

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

/** Counts characters: JSON Schema Validation §6.3.1 does not count UTF-16 units. */
export function lengthOf(text: string): number {
  return [...text].length
}

/** Returns a pattern test that compiles each pattern once. */
function createMatches(): Matches {
  const compiled = new Map<string, RegExp | null>()
  return (pattern, text) => {
    const known = compiled.get(pattern)
    if (known !== undefined) return known?.test(text) ?? true
    let expression: RegExp | null = null
    try {
      expression = new RegExp(pattern, 'u')
    } catch {
      // The build reports patterns that do not compile.
    }
    compiled.set(pattern, expression)
    return expression?.test(text) ?? true
  }
}

type Matches = (pattern: string, text: string) => boolean

const matchesOf: (components: Components) => Matches = memoize(createMatches)

/** Division rounds, as decimal fractions do. */
function isMultiple(value: number, step: number): boolean {
  const count = value / step
  return !Number.isFinite(count) || Math.abs(count - Math.round(count)) < 1e-9
}

const list = (operand: unknown): readonly unknown[] => (Array.isArray(operand) ? operand : [])

const ofNumbers =
  (test: (value: number, limit: number) => boolean): Rule =>
  (limit, value) =>
    typeof value !== 'number' || test(value, Number(limit))

const ofStrings =
  (test: (text: string, operand: unknown, check: Check) => boolean): Rule =>
  (operand, value, check) =>
    typeof value !== 'string' || test(value, operand, check)

const ofLists =
  (test: (values: readonly unknown[], operand: unknown, check: Check) => boolean): Rule =>
  (operand, value, check) =>
    !Array.isArray(value) || test(value, operand, check)

const ofObjects =
  (
    test: (members: JsonObject, operand: unknown, check: Check, schema: JsonObject) => boolean,
  ): Rule =>
  (operand, value, check, schema) =>
    !isJsonObject(value) || test(value, operand, check, schema)

/** Returns the members not described by `properties` or `patternProperties` (JSON Schema Core §10.3.2.3). */
function othersOf(
  members: JsonObject,
  { properties, patternProperties }: JsonObject,
  { matches }: Check,
): string[] {
  const patterns = Object.keys(Object(patternProperties))
  return Object.keys(members).filter(
    (name) =>
      own(properties, name) === undefined && !patterns.some((pattern) => matches(pattern, name)),
  )
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['allOf', (parts, value, check) => list(parts).every((part) => check(part, value))],
  ['anyOf', (parts, value, check) => list(parts).some((part) => check(part, value))],
  ['oneOf', (parts, value, check) => list(parts).filter((part) => check(part, value)).length === 1],
  ['not', (part, value, check) => !check(part, value)],
  [
    'if',
    (condition, value, check, schema) =>
      check(check(condition, value) ? schema.then : schema.else, value),
  ],
  ['const', (operand, value) => equal(operand, value)],
  ['enum', (values, value) => list(values).some((one) => equal(one, value))],
  [
    'type',
    (operand, value) =>
      (Array.isArray(operand) ? operand : [operand]).some(
        (type) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value)),
      ),
  ],
  ['minimum', ofNumbers((value, limit) => value >= limit)],
  ['maximum', ofNumbers((value, limit) => value <= limit)],
  ['exclusiveMinimum', ofNumbers((value, limit) => value > limit)],
  ['exclusiveMaximum', ofNumbers((value, limit) => value < limit)],
  ['multipleOf', ofNumbers(isMultiple)],
  ['minLength', ofStrings((text, limit) => lengthOf(text) >= Number(limit))],
  ['maxLength', ofStrings((text, limit) => lengthOf(text) <= Number(limit))],
  ['pattern', ofStrings((text, pattern, { matches }) => matches(String(pattern), text))],
  ['format', ofStrings((text, format) => FORMATS.get(String(format))?.test(text) ?? true)],
  ['minItems', ofLists(({ length }, limit) => length >= Number(limit))],
  ['maxItems', ofLists(({ length }, limit) => length <= Number(limit))],
  [
    'uniqueItems',
    ofLists(
      (values, isUnique) =>
        isUnique !== true ||
        values.every((one, at) => !values.slice(0, at).some((other) => equal(one, other))),
    ),
  ],
  [
    'prefixItems',
    ofLists((values, parts, check) =>
      list(parts).every((part, at) => at >= values.length || check(part, values[at])),
    ),
  ],
  [
    'items',
    (part, value, check, { prefixItems }) =>
      !Array.isArray(value) ||
      value.slice(list(prefixItems).length).every((one) => check(part, one)),
  ],
  [
    'required',
    ofObjects((members, names) =>
      list(names).every((name) => Object.hasOwn(members, String(name))),
    ),
  ],
  [
    'properties',
    ofObjects((members, parts, check) =>
      Object.keys(members).every((name) => check(own(parts, name) ?? true, members[name])),
    ),
  ],
  [
    'patternProperties',
    ofObjects((members, parts, check) =>
      Object.entries(Object(parts)).every(([pattern, part]) =>
        Object.keys(members).every(
          (name) => !check.matches(pattern, name) || check(part, members[name]),
        ),
      ),
    ),
  ],
  [
    'additionalProperties',
    ofObjects((members, part, check, schema) =>
      othersOf(members, schema, check).every((name) => check(part, members[name])),
    ),
  ],
  [
    'propertyNames',
    ofObjects((members, part, check) => Object.keys(members).every((name) => check(part, name))),
  ],
  ['minProperties', ofObjects((members, limit) => Object.keys(members).length >= Number(limit))],
  ['maxProperties', ofObjects((members, limit) => Object.keys(members).length <= Number(limit))],
])

/** A schema may refer to itself without consuming a value. */
const DEEPEST = 200
