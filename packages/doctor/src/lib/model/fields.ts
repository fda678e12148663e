import { isJsonObject, type JsonObject, own, stringsOf } from '../json.ts'
import type { Attribute, Definitions } from './types.ts'

/** An attribute or sub-attribute of a resource type, and its place. */
export interface Field {
  /** The path (RFC 7644 §3.10), such as `name.givenName`, with the extension's URN. */
  readonly path: string
  /** The extension's URN; null for the core schema. */
  readonly container: string | null
  /** The complex attribute around a sub-attribute; null for an attribute. */
  readonly parent: Attribute | null
  readonly attribute: Attribute
}

/**
 * Lists all attributes and sub-attributes, each complex attribute before its parts. `schemas` and `meta` are omitted.
 */
export function fieldsOf(definitions: Definitions): readonly Field[] {
  const [core, ...extensions] = Object.values(definitions)
  const named = new Set(core?.attributes.map(({ name }) => name))
  const common = COMMON.filter(({ name }) => !named.has(name))
  return [
    ...[...common, ...(core?.attributes ?? [])].flatMap((one) => withParts(one, null)),
    ...extensions.flatMap(({ id, attributes }) => attributes.flatMap((one) => withParts(one, id))),
  ]
}

function withParts(attribute: Attribute, container: string | null): Field[] {
  const path = container === null ? attribute.name : `${container}:${attribute.name}`
  const parts = attribute.subAttributes ?? []
  return [
    { path, container, parent: null, attribute },
    ...parts.map((part) => ({
      path: `${path}.${part.name}`,
      container,
      parent: attribute,
      attribute: part,
    })),
  ]
}

/** Whether a client may write the attribute after the resource exists. */
export function isChangeable({ mutability = 'readWrite' }: Attribute): boolean {
  return mutability !== 'readOnly' && mutability !== 'immutable'
}

/** Whether no two resources may have the same value. */
export function isUnique({ uniqueness = 'none' }: Attribute): boolean {
  return uniqueness !== 'none'
}

/** Finds the resource types a complex attribute may refer to: from the `$ref` sub-attribute, or from the name. */
export function targetsOf({ name, type, subAttributes = [] }: Attribute): readonly string[] {
  if (type !== 'complex' || !subAttributes.some((part) => part.name === 'value')) return []
  const reference = subAttributes.find((part) => part.name === '$ref')
  if (reference === undefined) return TARGETS[name] ?? []
  const types = reference.referenceTypes ?? []
  return types.filter((target) => target !== 'external' && target !== 'uri')
}

/** Reads an attribute's value in a wire resource. */
export function readAttribute(
  resource: object,
  { container, attribute }: Pick<Field, 'container' | 'attribute'>,
): unknown {
  const holder = container === null ? resource : own(resource, container)
  return isJsonObject(holder) ? own(holder, attribute.name) : undefined
}

/** Copies a resource with another value for an attribute. `schemas` names the extension. */
export function writeAttribute(
  resource: JsonObject,
  { container, attribute: { name } }: Pick<Field, 'container' | 'attribute'>,
  value: unknown,
): JsonObject {
  if (container === null) return { ...resource, [name]: value }
  const members: object = Object(own(resource, container))
  const schemas = [...new Set([...stringsOf(resource.schemas), container])]
  return { ...resource, schemas, [container]: { ...members, [name]: value } }
}

/** Returns a resource's values for an attribute or a sub-attribute. */
export function valuesOf(
  resource: object,
  { container, parent, attribute }: Field,
): readonly unknown[] {
  const whole = readAttribute(resource, { container, attribute: parent ?? attribute })
  return [whole].flat().flatMap((value) => {
    const part =
      parent === null ? value : isJsonObject(value) ? own(value, attribute.name) : undefined
    return [part].flat().filter((one) => one !== undefined && one !== null)
  })
}

/** The common attributes, which clients read and write as if a schema declared them (RFC 7643 §3.1). */
const COMMON: readonly Attribute[] = [
  { name: 'id', type: 'string', caseExact: true, mutability: 'readOnly', returned: 'always' },
  { name: 'externalId', type: 'string', caseExact: true },
]

/** The references of RFC 7643 §4.2 and §4.3, for definitions that omit their `$ref`. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  members: ['User', 'Group'],
  manager: ['User'],
}
