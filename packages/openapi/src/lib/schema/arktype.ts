import { isJsonObject, type JsonObject, own, setOwn } from '@plumbline/base'
import { removeForeignFormat } from './formats.ts'
import type { ReportInexact } from './inexact.ts'
import { flagFault } from './patterns.ts'
import type { Schema } from './standard-schema.ts'
import { BINARY } from './valibot.ts'
import { mapSubschemas } from './walk.ts'

/** The hooks ArkType calls for parts without a JSON Schema keyword. `base` is the schema it would write. */
type Fallbacks = {
  readonly [Code in keyof Contexts]: (
    context: Contexts[Code] & { readonly base: JsonObject },
  ) => unknown
}

interface Contexts {
  readonly arrayObject: unknown
  readonly arrayPostfix: unknown
  readonly date: unknown
  readonly defaultValue: unknown
  readonly domain: { readonly domain: string }
  readonly patternIntersection: { readonly pattern: string }
  readonly predicate: unknown
  readonly proto: { readonly proto: { readonly name: string } }
  readonly symbolKey: { readonly key: symbol | null; readonly optional: boolean }
  readonly unit: { readonly unit: unknown }
}

/** Creates ArkType's fallbacks. Each one writes exact JSON Schema or reports a fault. */
export function arkTypeFallbacks(report: ReportInexact): Fallbacks {
  const cannot = (part: string, remedy = SENT_VALUE): void => report({ part, remedy, path: [] })
  return {
    arrayObject: ({ base }) => {
      cannot('an array with named properties', 'use an array or an object')
      return base
    },
    arrayPostfix: ({ base }) => {
      cannot('elements after a variadic element', 'put the variadic element last')
      return base
    },
    date: ({ base }) => {
      cannot('Date')
      return base
    },
    // A non-JSON default is omitted.
    defaultValue: () => undefined,
    domain: ({ base, domain }) => {
      cannot(domain)
      return base
    },
    // A predicate is code.
    predicate: ({ base }) => base,
    patternIntersection: ({ base, pattern }) => {
      const others = Array.isArray(base.allOf) ? base.allOf : []
      return { ...base, allOf: [...others, { pattern }] }
    },
    proto: ({ base, proto: { name } }) => {
      if (name === 'File' || name === 'Blob') return { ...BINARY }
      cannot(name)
      return base
    },
    symbolKey: ({ base, key, optional }) => {
      // No JSON object has a symbol key, so an optional one and a symbol record match all objects.
      if (key !== null && !optional) cannot('a required symbol key', 'make it optional')
      return base
    },
    unit: ({ base, unit }) => {
      // No JSON value is undefined.
      if (unit === undefined) return { not: {} }
      cannot(`the value ${typeof unit === 'bigint' ? `${unit}n` : String(unit)}`)
      return base
    },
  }
}

const SENT_VALUE = 'use a schema for the value that is sent'

/** Reports rules ArkType's converter drops without calling a fallback. */
export function reportDropped(schema: ArkType, report: ReportInexact): void {
  for (const { rule = '', flags = '' } of schema.in.select({ kind: 'pattern' })) {
    const fault = flagFault(rule, flags)
    if (fault !== null) report({ ...fault, path: [] })
  }
  for (const { signature } of schema.in.select({ kind: 'index' })) {
    for (const { expression, inner = {} } of signature?.branches ?? []) {
      const { pattern = [], minLength, maxLength, exactLength } = inner
      const hasLength = [minLength, maxLength, exactLength].some((rule) => rule !== undefined)
      if (pattern.length < 2 && !hasLength) continue
      const part = `a record whose keys match ${expression}`
      report({ part, remedy: 'use one pattern for the keys', path: [] })
    }
  }
}

/** The part of an ArkType type read here. */
export interface ArkType extends Selectable {
  readonly in: Selectable
  toJsonSchema(options: { readonly fallback: object }): JsonObject
}

interface Selectable {
  select(selector: { readonly kind: string }): readonly ArkNode[]
}

interface ArkNode {
  readonly default?: unknown
  readonly rule?: string
  readonly flags?: string
  readonly signature?: {
    readonly branches: readonly {
      readonly expression: string
      readonly inner?: {
        readonly pattern?: readonly unknown[]
        readonly minLength?: unknown
        readonly maxLength?: unknown
        readonly exactLength?: unknown
      }
    }[]
  }
}

/** Whether a schema is an ArkType type, whose nodes can be read. */
export function isArkType(schema: Schema): schema is Schema & ArkType {
  return schema['~standard'].vendor === 'arktype' && 'in' in schema
}

/**
 * Adds the defaults to a conversion of the input side, which ArkType omits there. Defaults within unions are not added:
 * the two sides may order the branches differently.
 */
export function addDefaults(schema: ArkType, json: JsonObject): JsonObject {
  const hasDefault = schema.select({ kind: 'optional' }).some((one) => one.default !== undefined)
  if (!hasDefault) return json
  const fallback = {
    default: ({ base }: { readonly base: JsonObject }) => base,
    defaultValue: () => undefined,
  }
  return withDefaults(json, schema.toJsonSchema({ fallback }))
}

function withDefaults(json: JsonObject, source: unknown): JsonObject {
  const copy: Record<string, unknown> = { ...json }
  const value = own(source, 'default')
  if (value !== undefined) copy.default = value
  if (isJsonObject(json.items)) copy.items = withDefaults(json.items, own(source, 'items'))
  if (isJsonObject(json.properties)) {
    const properties: Record<string, unknown> = {}
    for (const [name, part] of Object.entries(json.properties)) {
      const other = own(own(source, 'properties'), name)
      setOwn(properties, name, isJsonObject(part) ? withDefaults(part, other) : part)
    }
    copy.properties = properties
  }
  return copy
}

/** Corrects formats and `never`, and removes alternatives without any matching value, such as `undefined`. */
export function correctArkType(json: JsonObject): JsonObject {
  const { $defs } = json
  const copy = simplify(json)
  if (!isJsonObject($defs)) return copy
  const definitions = Object.entries($defs).map(([name, one]) => [name, simplifyPart(one)])
  return { ...copy, $defs: Object.fromEntries(definitions) }
}

function simplify(json: JsonObject): JsonObject {
  const copy = mapSubschemas(json, simplifyPart)
  removeForeignFormat(copy)
  // JSON Schema Validation §6.1.2: `never` is an enum without values, which validators reject.
  if (Array.isArray(copy.enum) && copy.enum.length === 0) {
    delete copy.enum
    copy.not = {}
  }
  const { anyOf, ...rest } = copy
  if (!Array.isArray(anyOf)) return copy
  const others = anyOf.filter((one) => !matchesNothing(one)).map((one) => omitRepeated(one, copy))
  if (others.length === 0) return copy
  if (others.length === anyOf.length) return { ...copy, anyOf: others }
  const [only] = others
  return others.length === 1 && isJsonObject(only)
    ? { ...only, ...rest }
    : { ...rest, anyOf: others }
}

function simplifyPart(part: unknown): unknown {
  return isJsonObject(part) ? simplify(part) : part
}

/** Omits a union's examples from a branch: ArkType repeats them on each branch, which may reject them. */
function omitRepeated(branch: unknown, union: JsonObject): unknown {
  if (!isJsonObject(branch) || branch.examples === undefined) return branch
  const { examples, ...rest } = branch
  return JSON.stringify(examples) === JSON.stringify(union.examples) ? rest : branch
}

function matchesNothing(schema: unknown): boolean {
  return isJsonObject(schema) && isJsonObject(schema.not) && Object.keys(schema.not).length === 0
}
