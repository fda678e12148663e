import { accepts, type Components, isJsonObject, type JsonObject, own } from '@plumbline/base'
import type { Arbitrary } from 'fast-check'
import { flatten, unionsOf } from '../members/flatten.ts'
import type { FastCheck } from './fast-check.ts'
import { type Alphabet, stringSources } from './strings.ts'
import { typeWithin } from './type-within.ts'

/** Finds an arbitrary for a schema's values; null if none is found. */
export type ValuesOf = (schema: unknown) => Arbitrary<unknown> | null

/**
 * Creates a function that turns a document's schema into an arbitrary. Nearly all values fit the schema: the caller
 * checks each one with `accepts`.
 */
export function createValues(
  fc: FastCheck,
  components: Components,
  alphabet: Alphabet = 'json',
): ValuesOf {
  const known = new Map<unknown, Map<number, Arbitrary<unknown> | null>>()
  const at = (schema: unknown, depth: number): Arbitrary<unknown> | null => {
    if (depth > MAX_DEPTH) return null
    const levels = known.get(schema) ?? new Map<number, Arbitrary<unknown> | null>()
    known.set(schema, levels)
    const found = levels.get(depth)
    if (found !== undefined) return found
    const node = flatten(schema, components)
    const made = node && make(node, { fc, components, alphabet, depth, at })
    levels.set(depth, made)
    return made
  }
  return (schema) => at(schema, 0)
}

interface Making {
  readonly fc: FastCheck
  readonly components: Components
  readonly alphabet: Alphabet
  readonly depth: number
  readonly at: (schema: unknown, depth: number) => Arbitrary<unknown> | null
}

function make(node: JsonObject, making: Making): Arbitrary<unknown> | null {
  const { fc, components, depth, at } = making
  if (isFile(node)) return makeFiles(node, making)
  const { const: constant, enum: values, ...others } = node
  const fixed = constant === undefined ? values : [constant]
  if (Array.isArray(fixed)) {
    const fitting = fixed.filter((one) => accepts(node, one, components))
    return fitting.length === 0 ? null : fc.constantFrom(...fitting)
  }
  const { rest, unions } = unionsOf(others)
  if (unions.length > 0) {
    const each = combine(unions).map((chosen) => at({ allOf: [rest, ...chosen] }, depth + 1))
    return either(fc, each)
  }
  const types = typesOf(node)
  if (types === null) return kept(fc, [fc.jsonValue({ maxDepth: 1 })], node, components)
  return either(
    fc,
    types.map((type) => MAKERS.get(type)?.(node, making) ?? null),
  )
}

/** Chooses an alternative in each union: all combinations if they are few, otherwise each alternative at least once. */
function combine(unions: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return unions.reduce<readonly (readonly unknown[])[]>(
    (before, union) => {
      const product = before.length * union.length
      const count = product > MAX_COMBINATIONS ? Math.max(before.length, union.length) : product
      return Array.from({ length: count }, (_, at) => [
        ...(before[at % before.length] ?? []),
        union[(product > count ? at : Math.floor(at / before.length)) % union.length],
      ])
    },
    [[]],
  )
}

/** A file has the media type in the schema, or one within that range. */
function makeFiles({ contentMediaType }: JsonObject, { fc }: Making): Arbitrary<Blob> {
  const type = typeWithin(typeof contentMediaType === 'string' ? contentMediaType : '')
  return fc.uint8Array({ maxLength: 64 }).map((bytes) => new Blob([bytes], { type }))
}

/** OpenAPI 3.1.1 §4.8.14.5: a file is a schema with a media type and no type, or a byte string. */
function isFile({ type, contentEncoding, contentMediaType }: JsonObject): boolean {
  return (
    contentEncoding === 'binary' ||
    (type === undefined && contentEncoding === undefined && contentMediaType !== undefined)
  )
}

function either(
  fc: FastCheck,
  each: readonly (Arbitrary<unknown> | null)[],
): Arbitrary<unknown> | null {
  const found = each.filter((one) => one !== null)
  return found.length === 0 ? null : fc.oneof(...found)
}

function typesOf(node: JsonObject): readonly unknown[] | null {
  if (node.type !== undefined) return Array.isArray(node.type) ? node.type : [node.type]
  if (node.properties !== undefined || node.required !== undefined) return ['object']
  if (node.items !== undefined || node.prefixItems !== undefined) return ['array']
  return node.pattern === undefined && node.maxLength === undefined ? null : ['string']
}

/**
 * Keeps the source values a schema accepts. A source with few such values is replaced with those in a sample, so no
 * filter searches for long.
 */
function kept<Value>(
  fc: FastCheck,
  sources: readonly Arbitrary<Value>[],
  node: JsonObject,
  components: Components,
): Arbitrary<Value> | null {
  const isFitting = (value: Value) =>
    accepts(node, value, components) && !isLonger(value, node.maxLength)
  const fitting = sources.flatMap((source) => {
    const sample = fc.sample(source, { numRuns: 60, seed: 1 })
    const found = sample.filter(isFitting)
    if (found.length === 0) return []
    return found.length > 20
      ? [{ weight: 4, arbitrary: source.filter(isFitting) }]
      : [{ weight: 1, arbitrary: fc.constantFrom(...found) }]
  })
  return fitting.length === 0 ? null : fc.oneof(...fitting)
}

/** Whether a string is too long for some libraries: they count a character beyond U+FFFF as two. */
function isLonger(value: unknown, most: unknown): boolean {
  return typeof value === 'string' && typeof most === 'number' && value.length > most
}

type Maker = (node: JsonObject, making: Making) => Arbitrary<unknown> | null

const MAKERS: ReadonlyMap<unknown, Maker> = new Map<unknown, Maker>([
  ['null', (_, { fc }) => fc.constant(null)],
  ['boolean', (_, { fc }) => fc.boolean()],
  ['integer', (node, making) => makeNumbers(node, making, true)],
  ['number', (node, making) => makeNumbers(node, making, false)],
  [
    'string',
    (node, { fc, components, alphabet }) =>
      kept(fc, stringSources(fc, node, alphabet), node, components),
  ],
  ['array', makeLists],
  ['object', makeObjects],
])

function makeNumbers(node: JsonObject, making: Making, isInteger: boolean) {
  const { fc, components } = making
  const limit = (name: string, otherwise: number) =>
    typeof node[name] === 'number' ? node[name] : otherwise
  const { MAX_SAFE_INTEGER: most } = Number
  const min = Math.max(limit('minimum', -most), limit('exclusiveMinimum', -most))
  const max = Math.min(limit('maximum', most), limit('exclusiveMaximum', most))
  if (min > max) return null
  const step = limit('multipleOf', 1)
  const { from, to } = countsWithin(Math.ceil(min / step), Math.floor(max / step), step)
  // The limits, zero, and the numbers near them.
  const near = (at: number) =>
    fc.integer({ min: Math.max(from, at - 3), max: Math.min(to, at + 3) })
  const integers = [from, to, 0]
    .filter((at) => at >= from && at <= to)
    .flatMap((at) => [fc.constant(at), near(at)])
    .map((counts) => counts.map((count) => multiply(count, step)))
  const others =
    isInteger || node.multipleOf !== undefined
      ? []
      : [fc.double({ min, max, noNaN: true, noDefaultInfinity: true })]
  return kept(fc, [...integers, ...others], node, components)
}

/** Limits the multiples of a fraction to those near zero: libraries do not compute large ones exactly. */
function countsWithin(from: number, to: number, step: number) {
  if (Number.isInteger(step)) return { from, to }
  const center = Math.min(Math.max(0, from), to)
  return { from: Math.max(from, center - MAX_STEPS), to: Math.min(to, center + MAX_STEPS) }
}

/** Multiplies without the rounding error of binary fractions: 3 * 0.1 is 0.3. */
function multiply(count: number, step: number): number {
  if (Number.isInteger(step)) return count * step
  const [, digits = '', exponent = '0'] = /(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(step)) ?? []
  const decimals = Math.min(100, Math.max(0, digits.length - Number(exponent)))
  return Number((count * step).toFixed(decimals))
}

function makeLists(node: JsonObject, { fc, depth, at }: Making): Arbitrary<unknown> | null {
  const first = Array.isArray(node.prefixItems) ? node.prefixItems : []
  const least = typeof node.minItems === 'number' ? node.minItems : 0
  const most = typeof node.maxItems === 'number' ? node.maxItems : Number.POSITIVE_INFINITY
  const heads = first.map((part) => at(part, depth + 1))
  const rest = node.items === false ? null : at(node.items ?? {}, depth + 1)
  if (heads.some((one) => one === null)) return null
  const head = fc.tuple(...heads.filter((one) => one !== null))
  if (node[REPEATED] === true) return rest?.map((one) => [one, one]) ?? null
  const needed = Math.max(0, least - first.length)
  if (least > most) return null
  if (rest === null) return needed > 0 ? null : head
  const few = depth > SHALLOW ? needed : Math.min(Math.max(0, most - first.length), needed + 3)
  const limits = { minLength: needed, maxLength: few }
  // A list with unique elements may become too short. A search for more elements may not end.
  const tail = fc
    .array(rest, limits)
    .map((values) => (node.uniqueItems ? distinct(values) : values))
  return fc.tuple(head, tail).map(([start, end]) => [...start, ...end])
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

function makeObjects(node: JsonObject, making: Making): Arbitrary<unknown> | null {
  const { fc, depth, at } = making
  const names = Array.isArray(node.required) ? node.required.map(String) : []
  const optional = depth > SHALLOW ? [] : Object.keys(Object(node.properties))
  const parts: Record<string, Arbitrary<unknown>> = {}
  for (const name of new Set([...names, ...optional])) {
    const schema = own(node.properties, name) ?? node.additionalProperties ?? {}
    const values = at(schema, depth + 1)
    if (values !== null) parts[name] = values
    else if (names.includes(name)) return null
  }
  const record = fc.record(parts, { requiredKeys: names, noNullPrototype: true })
  const least = typeof node.minProperties === 'number' ? node.minProperties : 0
  const minKeys = Math.max(0, least - names.length)
  const others = depth > SHALLOW && minKeys === 0 ? null : makeOthers(node, making, minKeys)
  if (others === null) return record
  return fc.tuple(others, record).map(([more, members]) => ({ ...more, ...members }))
}

/** Makes a record's members: those not named in `properties`. */
function makeOthers(node: JsonObject, { fc, components, depth, at }: Making, minKeys: number) {
  const [pattern, ofPattern] = Object.entries(Object(node.patternProperties))[0] ?? []
  const schema =
    ofPattern ??
    (isJsonObject(node.additionalProperties) || minKeys > 0
      ? (node.additionalProperties ?? {})
      : null)
  if (schema === null || schema === false) return null
  const name = [{ type: 'string', maxLength: 20 }, node.propertyNames ?? {}]
  const named = { allOf: [...name, pattern === undefined ? {} : { pattern }] }
  const keys = at(named, depth + 1)
  const values = at(schema, depth + 1)
  if (keys === null || values === null) return null
  const inherited = INHERITED.filter((key) => accepts(named, key, components))
  const any = inherited.length === 0 ? keys : fc.oneof(keys, keys, fc.constantFrom(...inherited))
  const members = fc.tuple(any.map(String), values)
  return fc
    .array(members, { minLength: minKeys, maxLength: minKeys + 2 })
    .map((entries) => Object.fromEntries(entries))
}

/** Keys every object inherits. Libraries drop `__proto__` from records without a check. */
const INHERITED = ['constructor', 'toString']
/** An undocumented keyword in generated schemas: a list with one element twice. */
export const REPEATED = 'x-repeated'

/** Beyond this depth, optional members and elements are left out, so recursive schemas end. */
const SHALLOW = 8
const MAX_DEPTH = 24
const MAX_COMBINATIONS = 64
const MAX_STEPS = 1_000_000
