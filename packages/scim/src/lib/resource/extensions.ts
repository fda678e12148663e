import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ENTERPRISE_USER_SCHEMA } from '../constants.ts'
import { invalidValue } from '../error.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import { attributeIndex, type SchemaNode } from '../schema/attribute-index.ts'
import { ENTERPRISE_USER_DEFINITION } from '../schema/core-schemas.ts'
import type { Definitions } from '../schema/types.ts'
import { fold } from '../values/fold.ts'
import { type ReadRules, readExtensionMembers } from './read-members.ts'
import { writeMembers, writePlain } from './write-members.ts'

/**
 * A resource's extensions (RFC 7643 §3.3), each under a key in the result: the URN, and a synchronous Standard Schema
 * for the value.
 */
export type ExtensionSchemas = Readonly<
  Record<string, { readonly urn: string; readonly schema: StandardSchemaV1 }>
>

/** The extensions' values: each key with its schema's output, absent if the client did not send it. */
export type InferExtensions<Extensions extends ExtensionSchemas> = {
  readonly [Key in keyof Extensions]?: StandardSchemaV1.InferOutput<Extensions[Key]['schema']>
}

/** The default for `options.extensions`: the Enterprise User, under `enterprise`. */
export const DEFAULT_EXTENSIONS: ExtensionUrns = { enterprise: { urn: ENTERPRISE_USER_SCHEMA } }

/** Each extension's URN, under the extension's key in a model. */
export type ExtensionUrns = Readonly<Record<string, { readonly urn: string }>>

/** An extension that can be read from a body. */
export interface ReadableExtension {
  /** The result's key. */
  readonly key: string
  readonly urn: string
  /** Reads the value. Undefined if the resource does not have the extension. Throws a ScimError. */
  readonly read: (value: JsonObject) => unknown
}

/** Returns the extensions after the core schema in `definitions`, keyed by URN. */
export function definedExtensions(definitions: Definitions, rules: ReadRules): ReadableExtension[] {
  const extensions: ReadableExtension[] = []
  for (const schema of attributeIndex(definitions).schemas.values()) {
    if (schema.container !== null) extensions.push(defineExtension(schema.container, schema, rules))
  }
  return extensions
}

/** Returns a user's extensions: those of the given schemas, otherwise the Enterprise User. */
export function userExtensions(
  schemas: ExtensionSchemas | undefined,
  rules: ReadRules,
): ReadableExtension[] {
  if (schemas === undefined) return [defineExtension('enterprise', enterprise, rules)]
  return Object.entries(schemas).map(([key, { urn, schema }]) => ({
    key,
    urn,
    read: (value) => validate(value, urn, schema),
  }))
}

/**
 * Reads a body's extensions under their keys. Throws a ScimError naming the member.
 *
 * @param sent The values sent under each folded URN.
 */
export function readExtensions(
  sent: ReadonlyMap<string, readonly unknown[]>,
  extensions: readonly ReadableExtension[],
): JsonObject {
  const carried: [string, unknown][] = []
  for (const { key, urn, read } of extensions) {
    const [value, ...others] = sent.get(fold(urn)) ?? []
    if (others.length > 0) throw invalidValue(urn, 'is duplicated in different letter case')
    if (value === undefined || value === null) continue
    if (!isJsonObject(value)) throw invalidValue(urn, 'must be an object')
    if (Object.keys(value).length === 0) continue
    const output = read(value)
    if (output !== undefined) carried.push([key, output])
  }
  return Object.fromEntries(carried)
}

/** Writes a user's extensions as wire members, each under the URN. */
export function writeExtensions(model: JsonObject, extensions: ExtensionUrns): JsonObject {
  const written: [string, unknown][] = []
  for (const [key, { urn }] of Object.entries(extensions)) {
    const value = own(model, key)
    if (!isJsonObject(value)) continue
    const wire =
      urn === ENTERPRISE_USER_SCHEMA
        ? { ...Object(writePlain(value)), ...writeMembers(value, enterprise.attributes) }
        : writePlain(value)
    if (isJsonObject(wire) && Object.keys(wire).length > 0) written.push([urn, wire])
  }
  return Object.fromEntries(written)
}

/** Writes a resource's extensions, stored under their URN, as wire members according to the definitions. */
export function writeDefinedExtensions(resource: object, definitions: Definitions): JsonObject {
  const written: [string, unknown][] = []
  for (const { container, attributes } of attributeIndex(definitions).schemas.values()) {
    const value = container === null ? undefined : own(resource, container)
    if (container === null || !isJsonObject(value)) continue
    const wire = writeMembers(value, attributes)
    if (Object.keys(wire).length > 0) written.push([container, wire])
  }
  return Object.fromEntries(written)
}

function defineExtension(
  key: string,
  { id, attributes }: SchemaNode,
  rules: ReadRules,
): ReadableExtension {
  return {
    key,
    urn: id,
    read: (value) => readExtensionMembers(value, attributes, `${id}:`, rules),
  }
}

function validate(value: JsonObject, urn: string, schema: StandardSchemaV1): unknown {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    throw new TypeError(`the schema of the extension ${urn} must be synchronous`)
  }
  const [issue] = result.issues ?? []
  if (issue)
    throw invalidValue(`${urn}${stringifyIssuePath(issue)}`, `is not valid: ${issue.message}`)
  if ('value' in result) return result.value
  throw invalidValue(urn, 'is not valid')
}

/** Writes an issue's path as a client does: `:manager.value`, `:badges[0]`. */
function stringifyIssuePath({ path = [] }: StandardSchemaV1.Issue): string {
  let text = ''
  for (const segment of path) {
    const key = typeof segment === 'object' ? segment.key : segment
    const dot = text === '' ? ':' : '.'
    text += typeof key === 'number' ? `[${key}]` : `${dot}${String(key)}`
  }
  return text
}

const enterprise = attributeIndex({ [ENTERPRISE_USER_SCHEMA]: ENTERPRISE_USER_DEFINITION }).core
