import { own } from '../json/object.ts'
import type { ReportInexact } from './inexact.ts'
import { flagFault } from './patterns.ts'
import type { Schema } from './standard-schema.ts'

/** The node that zod passes to the hook while it converts. */
export interface ZodNode {
  readonly zodSchema: ZodSchema
  readonly jsonSchema: Record<string, unknown>
  readonly path: readonly (string | number)[]
}

interface ZodSchema {
  readonly _zod: { readonly def: ZodDefinition }
  readonly meta?: () => { readonly readOnly?: unknown } | undefined
}

interface ZodDefinition {
  readonly type: string
  readonly innerType?: ZodSchema
  readonly in?: ZodSchema
  readonly pattern?: unknown
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly pattern?: unknown } } }[]
}

/** The hook that zod calls for each node. */
export function zodOverride(report: ReportInexact): (node: ZodNode) => void {
  return (node) => {
    removeReadOnly(node)
    const fault = findFlagFault(node.zodSchema._zod.def)
    if (fault !== null) report({ ...fault, path: node.path })
  }
}

/** zod's `readonly()` is about the type, but `readOnly` means that a client never sends the value. */
function removeReadOnly({ zodSchema, jsonSchema }: ZodNode): void {
  const { type, innerType } = zodSchema._zod.def
  if (type !== 'readonly') return
  const isMeant = [zodSchema, innerType].some((schema) => schema?.meta?.()?.readOnly === true)
  if (!isMeant) delete jsonSchema.readOnly
}

/** zod writes the source of a regular expression and drops its flags. */
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

/** The path of the first node that zod cannot convert; empty for other libraries. */
export function findUnrepresentable(schema: Schema, target: string): readonly (string | number)[] {
  let place: readonly (string | number)[] = []
  const override = (node: ZodNode): void => {
    const type = node.zodSchema._zod.def.type
    if (Object.keys(node.jsonSchema).length === 0 && type !== 'any' && type !== 'unknown') {
      place = node.path
    }
  }
  try {
    const libraryOptions = { unrepresentable: 'any', override }
    schema['~standard'].jsonSchema.input({ target, libraryOptions })
  } catch {
    // Other libraries throw again, and their message does not contain a path.
  }
  return place
}

/** A zod object schema. */
export interface ZodObject extends Schema {
  /** Makes a schema of another definition. */
  clone(definition: ZodObjectDefinition): Schema
}

interface ZodObjectDefinition {
  readonly type: 'object'
  readonly shape: Readonly<Record<number, Schema>>
}

/** Whether a schema is a zod object schema. */
export function isZodObject(schema: Schema): schema is ZodObject {
  return (
    own(own(own(schema, '_zod'), 'def'), 'type') === 'object' &&
    'clone' in schema &&
    typeof schema.clone === 'function'
  )
}

/** The version of zod that made a schema, an object for each copy of zod; null for other schemas. */
export function findZodVersion(schema: Schema): ZodVersion | null {
  // Does not read `~standard`, which zod makes at the first access.
  const version = own(own(schema, '_zod'), 'version')
  return isVersion(version) ? version : null
}

/** A version of zod. */
export interface ZodVersion {
  readonly major: number
  readonly minor: number
}

function isVersion(version: unknown): version is ZodVersion {
  return typeof own(version, 'major') === 'number' && typeof own(version, 'minor') === 'number'
}

/** Whether a key of `$defs` is the name of a schema. zod numbers the others. */
export function isZodName(key: string): boolean {
  return !/^__schema\d+$/.test(key)
}
