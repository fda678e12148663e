import type { JsonObject } from '../json.ts'
import { attributeIndex } from '../schema/attribute-index.ts'
import type { Definitions } from '../schema/types.ts'
import { writeDefinedExtensions } from './extensions.ts'
import { resourceAttributes } from './resource-attributes.ts'
import { writeMembers } from './write-members.ts'

/**
 * Writes a resource of any type by its definitions, the core schema first, as the wire object of a response.
 *
 * The names are those of the definitions, and extensions are under their URN, as `parseResource` returns them.
 * `schemas` lists the core schema and the extensions that are present. A `Date` becomes an RFC 3339 string.
 * Members that are empty, write-only, never returned or without a definition are omitted. Values are not
 * checked. Throws a `TypeError` for definitions without a schema.
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

/** Writes a resource or model by the core schema of `definitions`, and adds its written extensions. */
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
