import { memoize } from '../json/memoize.ts'
import { isJsonObject, type JsonObject, own } from '../json/object.ts'
import { DEFINITIONS, nameInReference } from '../json/pointer.ts'
import { canonicalText, equal } from './equal.ts'
import { FORMATS } from './formats.ts'
import { createWork, enter, isExaminedWhole, leave, type Work } from './work.ts'

/** A document's named schemas (OpenAPI 3.1.1 §4.8.7). */
export type Components = JsonObject

/**
 * Returns whether a document's schema accepts a JSON value. Implements draft 2020-12, except `contains`, `dependent…`,
 * `unevaluated…` and `$dynamicRef`, which accept every value. Each test of a value with a schema is a step of `work`.
 */
export function accepts(
  schema: unknown,
  value: unknown,
  components: Components,
  work?: Work,
): boolean {
  if (work) return acceptsWithin(schema, value, { components, work, depth: 0 })
  // A value nested too deeply is accepted.
  let isAccepted = true
  isExaminedWhole(() => {
    isAccepted = accepts(schema, value, components, createWork(Number.POSITIVE_INFINITY))
  })
  return isAccepted
}

/** Finds the schema for a `$ref` into the document's components or a conversion's `$defs`. */
export function targetOf(reference: string, components: Components): unknown {
  const known = targetsIn(components)
  const before = known.get(reference)
  if (before !== undefined) return before
  const target = findTarget(reference, components)
  known.set(reference, target)
  return target
}

const targetsIn: (components: Components) => Map<string, unknown> = memoize(() => new Map())

function findTarget(reference: string, components: Components): unknown {
  const prefixes = ['#/components/schemas/', DEFINITIONS]
  const prefix = prefixes.find((one) => reference.startsWith(one)) ?? ''
  const name = nameInReference(reference, prefix)
  return name === null ? undefined : own(components, name)
}

interface Within {
  readonly components: Components
  readonly work: Work
  /** How many schemas contain this one for the same value. */
  readonly depth: number
}

function acceptsWithin(schema: unknown, value: unknown, within: Within): boolean {
  enter(within.work)
  const isAccepted = acceptsKnown(schema, value, within)
  leave(within.work)
  return isAccepted
}

/** Remembers results: the alternatives of a recursive union would test the same inner value 2^depth times. */
function acceptsKnown(schema: unknown, value: unknown, within: Within): boolean {
  if (schema === false) return false
  if (!isJsonObject(schema) || within.depth > MAX_DEPTH) return true
  const isObject = typeof value === 'object' && value !== null
  if (!isObject || within.work.depth < SHALLOW) return acceptsAll(schema, value, within)
  within.work.accepted ??= new WeakMap()
  const { accepted } = within.work
  const known = accepted.get(value) ?? new Map<object, boolean>()
  const before = known.get(schema)
  if (before !== undefined) return before
  accepted.set(value, known)
  const isAccepted = acceptsAll(schema, value, within)
  known.set(schema, isAccepted)
  return isAccepted
}

/** Whether all keywords accept a value. */
function acceptsAll(schema: JsonObject, value: unknown, within: Within): boolean {
  const { components, work, depth } = within
  const inner = { components, work, depth: depth + 1 }
  const outer = depth === 0 ? within : { components, work, depth: 0 }
  const check: Check = (part, of) => acceptsWithin(part, of, of === value ? inner : outer)
  const around: Around = { schema, components }
  for (const keyword of Object.keys(schema)) {
    const operand = schema[keyword]
    const isAccepted =
      keyword === '$ref'
        ? check(targetOf(String(operand), components), value)
        : (RULES.get(keyword)?.(operand, value, check, around) ?? true)
    if (!isAccepted) return false
  }
  return true
}

type Check = (schema: unknown, value: unknown) => boolean

/** The schema around a keyword. */
interface Around {
  readonly schema: JsonObject
  readonly components: Components
}
type Rule = (operand: unknown, value: unknown, check: Check, around: Around) => boolean

/** Returns a value's JSON type. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
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
      // The build reports a pattern with an error.
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

function isWithin(range: string, type: string): boolean {
  return range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}

const list = (operand: unknown): readonly unknown[] => (Array.isArray(operand) ? operand : [])

const ofNumbers =
  (test: (value: number, limit: number) => boolean): Rule =>
  (limit, value) =>
    typeof value !== 'number' || test(value, Number(limit))

const ofStrings =
  (test: (text: string, operand: unknown, around: Around) => boolean): Rule =>
  (operand, value, _, around) =>
    typeof value !== 'string' || test(value, operand, around)

const ofLists =
  (test: (values: readonly unknown[], operand: unknown, check: Check) => boolean): Rule =>
  (operand, value, check) =>
    !Array.isArray(value) || test(value, operand, check)

const ofObjects =
  (test: (members: JsonObject, operand: unknown, check: Check, around: Around) => boolean): Rule =>
  (operand, value, check, around) =>
    !isJsonObject(value) || test(value, operand, check, around)

/** Returns the members `properties` and `patternProperties` do not describe (JSON Schema Core §10.3.2.3). */
function othersOf(members: JsonObject, { schema, components }: Around): string[] {
  const { properties, patternProperties } = schema
  const matches = matchesOf(components)
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
    (condition, value, check, { schema }) =>
      check(check(condition, value) ? schema.then : schema.else, value),
  ],
  ['const', (operand, value) => equal(operand, value)],
  [
    'enum',
    (values, value) =>
      list(values).includes(value) ||
      (typeof value === 'object' && list(values).some((one) => equal(one, value))),
  ],
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
  [
    'pattern',
    ofStrings((text, pattern, { components }) => matchesOf(components)(String(pattern), text)),
  ],
  ['format', ofStrings((text, format) => FORMATS.get(String(format))?.test(text) ?? true)],
  [
    'contentMediaType',
    (type, value) =>
      !(value instanceof Blob) || type === BYTES || isWithin(String(type), value.type),
  ],
  ['minItems', ofLists(({ length }, limit) => length >= Number(limit))],
  ['maxItems', ofLists(({ length }, limit) => length <= Number(limit))],
  [
    'uniqueItems',
    ofLists(
      (values, isUnique) =>
        isUnique !== true || new Set(values.map(canonicalText)).size === values.length,
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
    (part, value, check, { schema }) =>
      !Array.isArray(value) ||
      value.slice(list(schema.prefixItems).length).every((one) => check(part, one)),
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
    ofObjects((members, parts, check, { components }) =>
      Object.entries(Object(parts)).every(([pattern, part]) =>
        Object.keys(members).every(
          (name) => !matchesOf(components)(pattern, name) || check(part, members[name]),
        ),
      ),
    ),
  ],
  [
    'additionalProperties',
    ofObjects((members, part, check, around) =>
      othersOf(members, around).every((name) => check(part, members[name])),
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
const MAX_DEPTH = 200
/** Up to this depth, tests are repeated: most values are not deeper, and remembering takes longer. */
const SHALLOW = 8
/** A file with any media type (OpenAPI 3.1.1 §4.8.14.5). */
const BYTES = 'application/octet-stream'
