import { isJsonObject, type JsonObject, own, type Step } from '@plumbline/base'
import { isSchema } from './standard-schema.ts'

/** Why a value does not convert to JSON Schema, and what to do. */
export interface Advice {
  readonly message: string
  readonly remedy: string
}

/** Explains why a value does not convert itself to JSON Schema. */
export function adviseOnSchema(value: unknown): Advice {
  const vendor = isSchema(value) ? value['~standard'].vendor : null
  if (vendor === null) {
    return { message: `${nameOf(value)} is not a schema`, remedy: 'use a schema of zod or ArkType' }
  }
  if (vendor === 'zod') {
    const remedy = `${definitionOf(value) === null ? '' : `${CONVERT_MINI} it, or `}use zod 4.2`
    return { message: MINI, remedy }
  }
  const message = `a schema of ${vendor} does not convert itself to JSON Schema`
  const isValibot = vendor === 'valibot'
  return { message, remedy: isValibot ? CONVERT_VALIBOT : 'use a schema of zod or ArkType' }
}

/** A part of a zod schema that zod cannot convert, because it is not a schema of the same kind. */
export interface ForeignPart extends Advice {
  readonly path: readonly Step[]
}

/** Finds the first part of a zod schema that is not a zod schema; null for schemas of other libraries. */
export function findForeignPart(schema: unknown): ForeignPart | null {
  try {
    return searchParts(schema)
  } catch {
    // A getter of the program threw, which the conversion reports.
    return null
  }
}

function searchParts(schema: unknown): ForeignPart | null {
  // `toStandardJsonSchema` for zod Mini keeps the schema it converts.
  const converted = own(schema, 'schema')
  const root = converted ?? schema
  if (definitionOf(root) === null) return null
  const seen = new Set<unknown>()
  const waiting: { readonly member: unknown; readonly path: readonly Step[] }[] = [
    { member: root, path: [] },
  ]
  // The list grows while it is read; a schema may contain itself.
  for (const { member, path } of waiting) {
    if (seen.has(member)) continue
    seen.add(member)
    const definition = definitionOf(member)
    if (definition === null) return { ...adviseOnMember(member), path }
    if (converted === undefined && convertsItself(root) && !convertsItself(member)) {
      return { message: MINI, remedy: `${CONVERT_MINI} the outermost schema`, path }
    }
    for (const [steps, inner] of membersOf(definition)) {
      waiting.push({ member: inner, path: [...path, ...steps] })
    }
    const { getter } = definition
    // A getter may make a new schema at each call.
    if (typeof getter !== 'function' || seen.size > MAX_PARTS) continue
    waiting.push({ member: getter(), path })
  }
  return null
}

function definitionOf(schema: unknown): JsonObject | null {
  const definition = own(own(schema, '_zod'), 'def')
  return isJsonObject(definition) ? definition : null
}

/** Whether a zod schema converts itself to JSON Schema. A zod Mini schema does not. */
function convertsItself(schema: unknown): boolean {
  return own(own(schema, '_zod'), 'processJSONSchema') !== undefined
}

type Member = readonly [steps: readonly Step[], member: unknown]

/** Lists a zod definition's members, each with its steps in JSON Schema. */
function* membersOf(definition: JsonObject): Iterable<Member> {
  const { shape, options, items, rest, inclusive } = definition
  for (const [name, member] of Object.entries(Object(shape))) yield [['properties', name], member]
  for (const [at, member] of listOf(options))
    yield [[inclusive === false ? 'oneOf' : 'anyOf', at], member]
  for (const [at, member] of listOf(items)) yield [['prefixItems', at], member]
  // A tuple without a rest has null.
  if (rest) yield [['items'], rest]
  for (const [name, steps] of MEMBERS) if (name in definition) yield [steps, definition[name]]
}

function listOf(list: unknown): Iterable<readonly [at: number, member: unknown]> {
  return Array.isArray(list) ? list.entries() : []
}

function adviseOnMember(member: unknown): Advice {
  const vendor = isSchema(member) ? member['~standard'].vendor : null
  if (vendor === 'plumbline') {
    return {
      message: 'ISSUES_SCHEMA of @plumbline/problem is not a zod schema',
      remedy: 'import it from @plumbline/problem/zod, or use a record of schemas as extensions',
    }
  }
  if (vendor === 'zod') {
    const message = 'the schema is of zod 3, or a result of toStandardJsonSchema'
    return { message, remedy: 'use the schema itself, of zod 4' }
  }
  const name = vendor === null ? nameOf(member) : `a schema of ${vendor}`
  const remedy =
    member === undefined
      ? 'define it before it is used, or use a getter'
      : 'write this part with zod'
  return { message: `${name} is not a zod schema`, remedy }
}

function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return typeof value === 'function'
    ? `the function ${value.name}`
    : `a value of type ${typeof value}`
}

const MEMBERS: readonly (readonly [name: string, steps: readonly Step[]])[] = [
  ['element', ['items']],
  ['left', ['allOf', 0]],
  ['right', ['allOf', 1]],
  ['keyType', ['propertyNames']],
  ['valueType', ['additionalProperties']],
  ['catchall', ['additionalProperties']],
  ['innerType', []],
  ['in', []],
  ['out', []],
]

const MAX_PARTS = 1_000

const MINI = 'a schema of zod Mini, or of zod before 4.2, does not convert itself to JSON Schema'
const CONVERT_MINI = 'call toStandardJsonSchema of @plumbline/problem/zod-mini with'
const CONVERT_VALIBOT = 'call toStandardJsonSchema of @valibot/to-json-schema with it'
