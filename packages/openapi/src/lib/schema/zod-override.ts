import { own } from '@plumbline/base'
import {
  addPattern,
  CIDR_V6,
  escapePattern,
  IPV6,
  inAnyCase,
  removeForeignFormat,
  replacePattern,
} from './formats.ts'
import type { ReportInexact } from './inexact.ts'
import { flagFault } from './patterns.ts'
import { acceptsUndefined } from './run-schema.ts'
import { addTrimmed } from './trimmed.ts'
import type { ZodCheck, ZodDefinition, ZodNode, ZodSchema } from './zod.ts'

/** Creates the hook zod calls for each node: it corrects the converter's differences from zod's parser. */
export function zodOverride(report: ReportInexact): (node: ZodNode) => void {
  return (node) => {
    const { def } = node.zodSchema._zod
    const fault = findFlagFault(def)
    if (fault !== null) report({ ...fault, path: node.path })
    if (def.type === 'success') report({ ...SUCCESS, path: node.path })
    corrections.get(def.type)?.(node)
  }
}

const SUCCESS = { part: 'the boolean of z.success', remedy: 'use the schema inside it' }

type Correct = (node: ZodNode) => void

/** Corrections for each schema type. */
const corrections: ReadonlyMap<string, Correct> = new Map<string, Correct>([
  ['readonly', removeReadOnly],
  ['object', removeOptionalKeys],
  ['tuple', removeOptionalItems],
  ['string', describeChecks],
  ['pipe', describeStringBoolean],
])

/** Removes `readOnly`: it says that clients never send the value, but zod's `readonly()` only changes the type. */
function removeReadOnly({ zodSchema, jsonSchema }: ZodNode): void {
  const { innerType } = zodSchema._zod.def
  const isMeant = [zodSchema, innerType].some((schema) => schema?.meta?.()?.readOnly === true)
  if (!isMeant) delete jsonSchema.readOnly
}

/** Removes keys from `required` if they may be absent despite their type: with `catch`, and some `preprocess`. */
function removeOptionalKeys({ zodSchema, jsonSchema }: ZodNode): void {
  const { required } = jsonSchema
  const { shape = {} } = zodSchema._zod.def
  if (!Array.isArray(required)) return
  const names = required.filter((name) => !mayBeAbsent(shape[name]))
  if (names.length === 0) delete jsonSchema.required
  else if (names.length < required.length) jsonSchema.required = names
}

function removeOptionalItems({ zodSchema, jsonSchema }: ZodNode): void {
  const { items = [] } = zodSchema._zod.def
  // JSON Schema Core §10.3.1.1: the list is not empty.
  if (items.length === 0) delete jsonSchema.prefixItems
  let { minItems } = jsonSchema
  while (typeof minItems === 'number' && minItems > 0 && mayBeAbsent(items[minItems - 1])) {
    minItems -= 1
    jsonSchema.minItems = minItems
  }
}

function mayBeAbsent(schema: ZodSchema | undefined): boolean {
  return schema?._zod.optin === 'optional' && acceptsUndefined(schema)
}

/** Corrects string checks: patterns zod does not use, trimmed strings, and formats it interprets differently. */
function describeChecks({ zodSchema, jsonSchema }: ZodNode): void {
  const { def } = zodSchema._zod
  // Most strings do not have a check.
  if (def.format === undefined && def.checks === undefined) return
  let isTrimmed = false
  for (const check of checksOf(def)) {
    const { pattern, format = '' } = check
    const parsed = PARSED.get(format)
    if (parsed !== undefined && pattern instanceof RegExp) {
      replacePattern(jsonSchema, pattern.source, parsed)
    }
    if (format === 'jwt') addPattern(jsonSchema, JWT)
    if (check.check === 'overwrite') isTrimmed ||= trims(check)
    else if (isTrimmed) describeTrimmed(check, jsonSchema)
  }
  removeForeignFormat(jsonSchema)
}

function checksOf(def: ZodDefinition): readonly ZodCheck[] {
  return [def, ...(def.checks ?? []).map((check) => check._zod.def)]
}

/** Whether a check's string function is `trim`. */
function trims({ tx }: ZodCheck): boolean {
  try {
    return tx?.(' a ') === 'a'
  } catch {
    return false
  }
}

function describeTrimmed({ check, minimum = 0, format = '' }: ZodCheck, json: Json): void {
  if (check === 'min_length') addTrimmed(json, minimum)
  // All other formats do not accept a string with spaces around it.
  else if (check === 'length_equals' || SPACED.has(format)) addTrimmed(json, null)
}

type Json = ZodNode['jsonSchema']

/** Describes the strings `z.stringbool` accepts, which zod omits. */
function describeStringBoolean({ zodSchema, jsonSchema }: ZodNode): void {
  const { bag } = zodSchema._zod
  const words = [own(bag, 'truthy'), own(bag, 'falsy')].flat()
  const isStrings = words.every((word) => typeof word === 'string')
  if (!isStrings || words.length === 0 || jsonSchema.type !== 'string') return
  if (own(bag, 'case') === 'sensitive') jsonSchema.enum = [...new Set(words)]
  else jsonSchema.pattern = `^(?:${words.map((word) => inAnyCase(escapePattern(word))).join('|')})$`
}

/** Finds flags that change a pattern: zod writes a regular expression's source without flags. */
function findFlagFault({ pattern, checks = [] }: ZodDefinition): ReturnType<typeof flagFault> {
  // Most nodes do not have a check.
  if (pattern === undefined && checks.length === 0) return null
  const patterns = [pattern, ...checks.map((check) => check._zod.def.pattern)]
  for (const one of patterns) {
    const fault = one instanceof RegExp ? flagFault(one.source, one.flags) : null
    if (fault !== null) return fault
  }
  return null
}

/** Formats zod checks with a URL parser, not with the pattern it writes. */
const PARSED: ReadonlyMap<string, string> = new Map([
  ['ipv6', IPV6],
  ['cidrv6', CIDR_V6],
])

/** A token's three parts: zod only decodes the first. */
const JWT = '^[^.]+\\.[^.]*\\.[^.]*$'

const SPACED: ReadonlySet<string> = new Set(['regex', 'includes', 'starts_with', 'ends_with'])
