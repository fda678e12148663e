import type { JsonObject } from '../json.ts'
import { attributeIndex } from '../schema/attribute-index.ts'
import type { Definitions } from '../schema/types.ts'
import { writeDefinedExtensions } from './extensions.ts'
import { resourceAttributes } from './resource-attributes.ts'
import { writeMembers } from './write-members.ts'

/**
 * Writes any resource type with the type's definitions, the core schema first, as a response's wire object.
 *
 * The names are spelled as in the definitions, and extensions are under their URN, as `parseResource` returns them.
 * `schemas` lists the core schema and each extension that is present. A `Date` becomes an RFC 3339 string. Empty,
 * write-only and never returned members, and those without a definition, are omitted. Values are not checked. Throws a
 * `TypeError` for definitions without a schema.
 *
 * @example
 * ```ts
 * import { writeResource } from '@plumbline/scim'
 * import { GROUP_DEFINITION } from '@plumbline/scim/discovery'
 *
 * const definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
 * const group = { displayName: 'Guides', members: [], meta: { created: new Date(0) } }
 * const { displayName, members, meta } = writeResource(group, definitions)
 * displayName //=> 'Guides'
 * members //=> undefined
 * meta //=> { created: '1970-01-01T00:00:00.000Z' }
 * ```
 * @see RFC 7643 §3, RFC 7643 §7
 */
export function writeResource(resource: object, definitions: Definitions): Record<string, unknown> {
  return writeWithExtensions(resource, definitions, writeDefinedExtensions(resource, definitions))
}

/** Writes a resource or model with the core schema in `definitions`, and adds the written extensions. */
export function writeWithExtensions(
  resource: object,
  definitions: Definitions,
  extensions: JsonObject,
): JsonObject {
  const index = attributeIndex(definitions)
  const { meta, ...members } = writeMembers(resource, resourceAttributes(index))
  const schemas = [index.core.id, ...Object.keys(extensions)]
  return { schemas, ...members, ...extensions, ...(meta === undefined ? {} : { meta }) }
}
