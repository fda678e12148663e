import { own } from '@plumbline/base'
import type { Schema } from './standard-schema.ts'

/** The node zod passes to the conversion hook. */
export interface ZodNode {
  readonly zodSchema: ZodSchema
  readonly jsonSchema: Record<string, unknown>
  readonly path: readonly (string | number)[]
}

/** The part of a zod schema read here. */
export interface ZodSchema extends Schema {
  readonly _zod: {
    readonly def: ZodDefinition
    /** Set if the schema may receive an absent value. */
    readonly optin?: string | undefined
    /** Set if the schema may return an absent value. */
    readonly optout?: string | undefined
    /** Facts about a schema for users, such as the strings `z.stringbool` accepts. */
    readonly bag?: Readonly<Record<string, unknown>>
    /** The program's own conversion. */
    readonly toJSONSchema?: unknown
  }
  readonly meta?: () =>
    | { readonly readOnly?: unknown; readonly additionalProperties?: unknown }
    | undefined
}

/** A zod schema's definition. */
export interface ZodDefinition extends ZodCheck {
  readonly type: string
  readonly innerType?: ZodSchema
  readonly in?: ZodSchema
  readonly shape?: Readonly<Record<string, ZodSchema>>
  readonly catchall?: ZodSchema
  readonly items?: readonly ZodSchema[]
  readonly element?: ZodSchema
  readonly options?: readonly ZodSchema[]
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheck } }[]
}

/** A check's definition. A format is a schema and a check. */
export interface ZodCheck {
  readonly check?: string
  readonly format?: string
  readonly pattern?: unknown
  readonly minimum?: number
  /** Changes the value before the next checks. */
  readonly tx?: (text: string) => unknown
}

/** Finds the path to the first node zod cannot convert; empty for other libraries. */
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
  /** Makes a schema with another definition. */
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

/** Whether a zod schema's kind shows that it does not accept a file; false for other schemas. */
export function isZodWithoutFile(schema: Schema): boolean {
  const type = own(own(own(schema, '_zod'), 'def'), 'type')
  return typeof type === 'string' && KINDS_WITHOUT_FILES.has(type)
}

/** Finds the zod version that made a schema. Each zod copy has its own object; null for other schemas. */
export function findZodVersion(schema: Schema): ZodVersion | null {
  // Does not read `~standard`, which zod creates at first access.
  const version = own(own(schema, '_zod'), 'version')
  return isVersion(version) ? version : null
}

/** A zod version. */
export interface ZodVersion {
  readonly major: number
  readonly minor: number
}

function isVersion(version: unknown): version is ZodVersion {
  return typeof own(version, 'major') === 'number' && typeof own(version, 'minor') === 'number'
}

/** Whether a `$defs` key is a schema's name. zod numbers the others. */
export function isZodName(key: string): boolean {
  return !/^__schema\d+$/.test(key)
}

const KINDS_WITHOUT_FILES: ReadonlySet<string> = new Set([
  'object',
  'record',
  'array',
  'tuple',
  'string',
  'number',
  'boolean',
  'enum',
  'literal',
])
