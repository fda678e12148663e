import { defined } from '@plumbline/base'
import type { Attribute, Definitions, DocumentOptions, SchemaDefinition } from '../schema/types.ts'
import { buildList, buildMeta, type Document } from './document.ts'

/**
 * Builds the schema list, with every characteristic written out. Each `meta.location` starts with `options.base`, the
 * SCIM endpoint's address.
 *
 * @example
 * ```ts
 * import { GROUP_DEFINITION, schemas } from '@plumbline/scim/discovery'
 *
 * const definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
 * schemas(definitions, { base: 'https://example.com/scim/v2' }).totalResults //=> 1
 * ```
 * @see RFC 7643 §7
 */
export function schemas(definitions: Definitions, options: DocumentOptions = {}): Document {
  return buildList(
    Object.values(definitions).map((definition) => describeSchema(definition, options)),
  )
}

function describeSchema(
  { id, name, description, attributes }: SchemaDefinition,
  options: DocumentOptions,
): Document {
  return defined({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributes.map(describeAttribute),
    meta: buildMeta('Schema', `/Schemas/${id}`, options),
  })
}

/** Describes an attribute with the defaults from RFC 7643 §2.2. */
function describeAttribute({ subAttributes, ...attribute }: Attribute): Document {
  const { name, type, description, canonicalValues, referenceTypes } = attribute
  return defined({
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    description,
    required: attribute.required ?? false,
    canonicalValues,
    // RFC 7643 §2.3.6: binary is case exact, although §8.7.1 says otherwise for certificates.
    caseExact: type === 'binary' || (attribute.caseExact ?? false),
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    uniqueness: attribute.uniqueness ?? 'none',
    referenceTypes,
    subAttributes: subAttributes?.map(describeAttribute),
  })
}
