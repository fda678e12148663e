import { memoize } from '@plumbline/base'
import type { AttributePath } from '../path/attribute-path.ts'
import { fold } from '../values/fold.ts'
import { COMMON_ATTRIBUTES } from './common-attributes.ts'
import type * as Discovery from './types.ts'

/** An attribute or sub-attribute, with a value for every characteristic (RFC 7643 §2.2 has the defaults). */
export interface AttributeNode {
  readonly kind: 'attribute'
  readonly name: string
  readonly type: Discovery.AttributeType
  readonly multiValued: boolean
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: Discovery.Mutability
  readonly returned: Discovery.Returned
  readonly uniqueness: Discovery.Uniqueness
  /** For a `reference`: the names of resource types, `external` or `uri`. */
  readonly referenceTypes: readonly string[]
  /** For `binary`: the alphabet of its values. */
  readonly encoding: 'base64' | 'base64url'
  readonly schema: SchemaNode
  /** The complex attribute containing this sub-attribute; null for an attribute. */
  readonly parent: AttributeNode | null
  /** Keyed by folded name. Empty unless `type` is `complex`. */
  readonly subAttributes: ReadonlyMap<string, AttributeNode>
}

/** Returns an attribute's name: in an extension, with its URN. */
export function nameOf({ name, schema: { id, container } }: AttributeNode): string {
  return container === null ? name : `${id}:${name}`
}

/** A schema in the definitions. */
export interface SchemaNode {
  readonly kind: 'schema'
  readonly id: string
  /** The member that contains this schema's attributes: an extension's URN, null for the core. */
  readonly container: string | null
  /** Keyed by folded name. The core schema also contains the common attributes from RFC 7643 §3.1. */
  readonly attributes: ReadonlyMap<string, AttributeNode>
}

/** A resource type's definitions, prepared so any path resolves in two lookups. */
export interface AttributeIndex {
  readonly core: SchemaNode
  /** Keyed by folded URN, in definition order. */
  readonly schemas: ReadonlyMap<string, SchemaNode>
  /** Keyed by folded unqualified name. If two schemas share a name, the earlier schema wins. */
  readonly attributes: ReadonlyMap<string, AttributeNode>
}

/** Prepares definitions once. The same definitions always return the same index. Throws if they contain no schema. */
export const attributeIndex: (definitions: Discovery.Definitions) => AttributeIndex =
  memoize(buildIndex)

/**
 * Returns the attribute or schema `path` names, in any letter case, or null.
 *
 * A URN parses like a qualified attribute (`urn:…:2.0:User` as attribute `User`), so a path with just a schema's URN
 * returns the schema.
 */
export function resolvePath(
  index: AttributeIndex,
  { schema, attribute, subAttribute }: AttributePath,
): AttributeNode | SchemaNode | null {
  const node =
    schema === null
      ? // Most names in paths are those of a definition in lower case, such as `active`.
        (index.attributes.get(attribute) ?? index.attributes.get(fold(attribute)))
      : index.schemas.get(fold(schema))?.attributes.get(fold(attribute))
  if (node)
    return subAttribute === null ? node : (node.subAttributes.get(fold(subAttribute)) ?? null)
  if (schema === null) return null
  const { schemas } = index
  const alone = subAttribute && schemas.get(fold(`${schema}:${attribute}.${subAttribute}`))
  if (alone) return alone
  const whole = schemas.get(fold(`${schema}:${attribute}`))
  if (!whole) return null
  // Deviation: Entra ID also writes a dot between the URN and the name (`…:2.0:User.manager`).
  return subAttribute === null ? whole : (whole.attributes.get(fold(subAttribute)) ?? null)
}

/** Returns the attribute `path` names, or null. A schema's URN does not name an attribute. */
export function resolveAttribute(index: AttributeIndex, path: AttributePath): AttributeNode | null {
  const node = resolvePath(index, path)
  return node?.kind === 'attribute' ? node : null
}

/**
 * Resolves `path` inside the brackets of a value path over `node`. Returns a sub-attribute, `value` for the elements
 * themselves if they are not complex, or null.
 */
export function resolveInBrackets(
  node: AttributeNode,
  { schema, attribute, subAttribute }: AttributePath,
): AttributeNode | null {
  if (schema !== null || subAttribute !== null) return null
  if (node.type !== 'complex') return fold(attribute) === 'value' ? node : null
  return node.subAttributes.get(fold(attribute)) ?? null
}

/** RFC 7643 §2.4: a complex attribute is compared by its sub-attribute `value`, if it has one. */
export function significantPart(node: AttributeNode): AttributeNode {
  return node.subAttributes.get('value') ?? node
}

function buildIndex(byUrn: Discovery.Definitions): AttributeIndex {
  const definitions = Object.values(byUrn)
  const [first] = definitions
  if (!first) throw new TypeError('definitions must contain at least the core schema')
  const schemas = definitions.map((definition) =>
    definition === first
      ? buildSchemaNode(definition, null, [...definition.attributes, ...COMMON_ATTRIBUTES])
      : buildSchemaNode(definition, definition.id, definition.attributes),
  )
  const attributes = new Map<string, AttributeNode>()
  for (const schema of schemas) {
    for (const [name, node] of schema.attributes)
      if (!attributes.has(name)) attributes.set(name, node)
  }
  return {
    core: schemas[0] as SchemaNode,
    schemas: new Map(schemas.map((schema) => [fold(schema.id), schema])),
    attributes,
  }
}

function buildSchemaNode(
  { id }: Discovery.SchemaDefinition,
  container: string | null,
  attributes: readonly Discovery.Attribute[],
): SchemaNode {
  const nodes = new Map<string, AttributeNode>()
  const schema: SchemaNode = { kind: 'schema', id, container, attributes: nodes }
  for (const attribute of attributes) {
    // A core schema may define a common attribute itself, such as a required `externalId`. Then the schema's definition
    // wins.
    const name = fold(attribute.name)
    if (!nodes.has(name)) nodes.set(name, buildAttributeNode(attribute, schema, null))
  }
  return schema
}

function buildAttributeNode(
  attribute: Discovery.Attribute,
  schema: SchemaNode,
  parent: AttributeNode | null,
): AttributeNode {
  const subAttributes = new Map<string, AttributeNode>()
  const node: AttributeNode = {
    kind: 'attribute',
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.multiValued ?? false,
    required: attribute.required ?? false,
    // RFC 7643 §2.3.6: binary is case exact, although §8.7.1 says otherwise for certificates.
    caseExact: attribute.type === 'binary' || (attribute.caseExact ?? false),
    mutability: attribute.mutability ?? 'readWrite',
    // RFC 7643 §7: write-only attributes are not returned.
    returned: attribute.mutability === 'writeOnly' ? 'never' : (attribute.returned ?? 'default'),
    uniqueness: attribute.uniqueness ?? 'none',
    referenceTypes: attribute.referenceTypes ?? [],
    encoding: attribute.encoding ?? 'base64',
    schema,
    parent,
    subAttributes,
  }
  for (const part of attribute.subAttributes ?? []) {
    subAttributes.set(fold(part.name), buildAttributeNode(part, schema, node))
  }
  return node
}
