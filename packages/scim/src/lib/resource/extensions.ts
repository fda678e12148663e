import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ENTERPRISE_USER_SCHEMA } from '../constants.ts'
import type { EnterpriseUser } from '../model.ts'
import { attributeIndex, fold } from '../schema/attribute-index.ts'
import { ENTERPRISE_USER_DEFINITION } from '../schema/core-schemas.ts'
import { invalid, isObject, type JsonObject, readMembers } from './read.ts'
import { writeMembers, writePlain } from './write-resource.ts'

/**
 * The extensions of a resource, by the key under which each is read: its URN, and a synchronous
 * Standard Schema of its value.
 */
export type ExtensionSchemas = Readonly<
  Record<string, { readonly urn: string; readonly schema: StandardSchemaV1 }>
>

/** What a map of extensions reads: each key with the output of its schema, absent where the client sent none. */
export type InferExtensions<Extensions extends ExtensionSchemas> = {
  readonly [Key in keyof Extensions]?: StandardSchemaV1.InferOutput<Extensions[Key]['schema']>
}

const enterprise = attributeIndex({ [ENTERPRISE_USER_SCHEMA]: ENTERPRISE_USER_DEFINITION }).core

/** The default of `options.extensions`: the Enterprise User, under `enterprise`. */
export const defaultExtensions: ExtensionSchemas = {
  enterprise: { urn: ENTERPRISE_USER_SCHEMA, schema: enterpriseSchema() },
}

/** Reads the extensions that a body carries; throws a ScimError that names the member. */
export function readExtensions(body: JsonObject, extensions: ExtensionSchemas): JsonObject {
  const sent = new Map<string, unknown>()
  const twice = new Set<string>()
  for (const [name, value] of Object.entries(body)) {
    const folded = fold(name)
    if (sent.has(folded)) twice.add(folded)
    sent.set(folded, value)
  }
  const read: [string, unknown][] = []
  for (const [key, { urn, schema }] of Object.entries(extensions)) {
    if (twice.has(fold(urn))) throw invalid(urn, 'is there twice, in different letter case')
    const value = sent.get(fold(urn))
    if (value === undefined || value === null) continue
    if (!isObject(value)) throw invalid(urn, 'must be an object')
    if (Object.keys(value).length === 0) continue
    const output = validated(value, urn, schema)
    if (output !== undefined) read.push([key, output])
  }
  return Object.fromEntries(read)
}

/** The wire members of the extensions that a model carries, by URN. */
export function writeExtensions(model: JsonObject, extensions: ExtensionSchemas): JsonObject {
  const written: [string, unknown][] = []
  for (const [key, { urn }] of Object.entries(extensions)) {
    const value = Object.hasOwn(model, key) ? model[key] : undefined
    if (!isObject(value)) continue
    const wire =
      urn === ENTERPRISE_USER_SCHEMA
        ? { ...Object(writePlain(value)), ...writeMembers(value, enterprise.attributes) }
        : writePlain(value)
    if (isObject(wire) && Object.keys(wire).length > 0) written.push([urn, wire])
  }
  return Object.fromEntries(written)
}

function validated(value: JsonObject, urn: string, schema: StandardSchemaV1): unknown {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    throw new TypeError(`the schema of the extension ${urn} must be synchronous`)
  }
  const [issue] = result.issues ?? []
  if (issue) throw invalid(`${urn}${pathOf(issue)}`, `is not valid: ${issue.message}`)
  if ('value' in result) return result.value
  throw invalid(urn, 'is not valid')
}

/** The path of an issue as a client writes it: `:manager.value`, `:badges[0]`. */
function pathOf({ path = [] }: StandardSchemaV1.Issue): string {
  let text = ''
  for (const segment of path) {
    const key = typeof segment === 'object' ? segment.key : segment
    const dot = text === '' ? ':' : '.'
    text += typeof key === 'number' ? `[${key}]` : `${dot}${String(key)}`
  }
  return text
}

/** Yields undefined where no member is assigned: the extension is not there (RFC 7643 §2.5). */
function enterpriseSchema(): StandardSchemaV1<unknown, EnterpriseUser | undefined> {
  return {
    '~standard': {
      version: 1,
      vendor: 'plumbline',
      // Throws the ScimError that names a member, which `readExtensions` does as well.
      validate: (value) => {
        const place = `${ENTERPRISE_USER_SCHEMA}:`
        const members = readMembers(Object(value), enterprise.attributes, place)
        // The definition is that of EnterpriseUser, name for name and type for type.
        return {
          value: Object.keys(members).length === 0 ? undefined : (members as EnterpriseUser),
        }
      },
    },
  }
}
