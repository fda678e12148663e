import { copyPlain, type JsonObject } from '@plumbline/base'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { addPattern, escapePattern, inAnyCase, removeForeignFormat } from './formats.ts'
import type { ReportInexact } from './inexact.ts'
import { flagFault } from './patterns.ts'
import { acceptsUndefined } from './run-schema.ts'
import { addTrimmed } from './trimmed.ts'

/** A file schema as zod writes it; ArkType's and Valibot's files are written the same. */
export const BINARY: JsonObject = { type: 'string', format: 'binary', contentEncoding: 'binary' }

/** A node in a Valibot schema or pipe while it is converted. */
interface SchemaNode {
  readonly valibotSchema: {
    readonly type: string
    /** Only Valibot's schemas have it. */
    readonly '~run'?: unknown
    readonly entries?: Readonly<Record<string, { readonly fallback?: unknown }>>
    readonly items?: readonly StandardSchemaV1[]
  }
  readonly jsonSchema: JsonObject
}

interface ActionNode {
  readonly valibotAction: Action
  readonly jsonSchema: JsonObject
}

interface Action {
  readonly type: string
  readonly requirement?: unknown
}

interface ValibotOptions {
  readonly overrideSchema: (node: SchemaNode) => JsonObject | null
  readonly overrideAction: (node: ActionNode) => JsonObject | null
  readonly ignoreActions: readonly string[]
}

/** Actions not expressible in JSON Schema, or implied by JSON; zod and ArkType omit them as well. */
const IGNORED: readonly string[] = [
  'brand',
  'flavor',
  'readonly',
  'finite',
  'check',
  'check_items',
  'partial_check',
  'raw_check',
  'size',
  'not_size',
  'min_size',
  'max_size',
  'normalize',
  'to_lower_case',
  'to_upper_case',
]

/**
 * Creates options for Valibot's converter: they correct the converter's differences from Valibot's parser, and fill
 * gaps.
 */
export function valibotOptions(report: ReportInexact): ValibotOptions {
  return {
    overrideSchema: (node) => describeSchema(node, report),
    overrideAction: (node) => describeAction(node, report),
    ignoreActions: IGNORED,
  }
}

function describeSchema(
  { valibotSchema, jsonSchema }: SchemaNode,
  report: ReportInexact,
): JsonObject | null {
  const { type, entries = {}, items = [] } = valibotSchema
  // The converter only reads the type, which a zod Mini schema has too. Valibot's parser throws.
  if (!('~run' in valibotSchema)) report({ ...FOREIGN, path: [] })
  if (type === 'file' || type === 'blob') return BINARY
  if (Array.isArray(jsonSchema.required)) {
    // A key with a fallback may be absent.
    const required = jsonSchema.required.filter((name) => entries[name]?.fallback === undefined)
    return { ...jsonSchema, required }
  }
  return Array.isArray(jsonSchema.prefixItems) ? describeItems(jsonSchema, items) : null
}

/** Describes a tuple's items. The last elements may be absent if they accept undefined. */
function describeItems(json: JsonObject, items: readonly StandardSchemaV1[]): JsonObject {
  const minItems = items.findLastIndex((item) => !acceptsUndefined(item)) + 1
  const { prefixItems, ...others } = json
  // JSON Schema Core §10.3.1.1: the list is not empty.
  return items.length === 0 ? { ...others, minItems } : { ...others, prefixItems, minItems }
}

function describeAction({ valibotAction, jsonSchema }: ActionNode, report: ReportInexact) {
  const { type, requirement } = valibotAction
  if (TRIMS.has(type)) return { ...jsonSchema, [TRIMMED]: true }
  if (type === 'mime_type') return describeMimeTypes(requirement, jsonSchema)
  if (type === 'multiple_of' && !Number.isInteger(requirement)) {
    report({ part: `a multiple of ${requirement} in Valibot`, remedy: INTEGERS, path: [] })
  }
  const pattern = patternOf(valibotAction)
  const minLength = TRIMMED in jsonSchema ? minLengthOf(valibotAction) : undefined
  // The converter describes the action, or throws.
  if (pattern === null && minLength === undefined) return null
  const json: Record<string, unknown> = { ...jsonSchema }
  if (pattern !== null) addPattern(json, pattern)
  if (minLength !== undefined) addTrimmed(json, minLength)
  removeForeignFormat(json)
  return json
}

/** Removes the marks on a conversion's nodes. */
export function withoutMarks(json: JsonObject): JsonObject {
  // Copies only members with string names.
  return copyPlain(json)
}

/** Describes a file's media types: several ones are alternatives. */
function describeMimeTypes(requirement: unknown, json: JsonObject): JsonObject | null {
  if (!Array.isArray(requirement)) return null
  const [only, ...others] = requirement
  if (others.length === 0) return { ...json, contentMediaType: only }
  return { ...json, anyOf: requirement.map((contentMediaType) => ({ contentMediaType })) }
}

/** An action's pattern; null if it does not have one or JSON Schema cannot express the flags. */
function patternOf({ type, requirement }: Action): string | null {
  if (typeof requirement === 'string') {
    return TEXTS.get(type)?.(escapePattern(requirement)) ?? null
  }
  if (!(requirement instanceof RegExp)) return null
  const { source, flags } = requirement
  // Some Valibot formats ignore the letter case.
  if (type !== 'regex' && flags.includes('i')) return inAnyCase(source)
  return flagFault(source, flags) === null ? source : null
}

/** The minimum length required for a trimmed string; null for another check; undefined if spaces never pass it. */
function minLengthOf({ type, requirement }: Action): number | null | undefined {
  if (type === 'min_length' && typeof requirement === 'number') return requirement
  if (type === 'non_empty') return 1
  // All other formats do not accept a string with spaces around it.
  return type === 'length' || type === 'regex' || TEXTS.has(type) ? null : undefined
}

const FOREIGN = {
  part: 'a schema of another library within a Valibot schema',
  remedy: 'write this part with Valibot',
}

const TRIMS: ReadonlySet<string> = new Set(['trim', 'trim_start', 'trim_end'])
/** Marks a trimmed string, for the next actions. */
const TRIMMED: unique symbol = Symbol('trimmed')

const TEXTS: ReadonlyMap<string, (escaped: string) => string> = new Map([
  ['starts_with', (text: string) => `^${text}`],
  ['ends_with', (text: string) => `${text}$`],
  ['includes', (text: string) => text],
])

const INTEGERS =
  'use a multiple of an integer, such as cents: Valibot computes with binary fractions'
