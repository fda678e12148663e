import { LIST_RESPONSE_SCHEMA } from '../constants.ts'
import type {
  Attribute,
  Definitions,
  ResourceType,
  SchemaDefinition,
  ServiceProviderConfigOptions,
} from './types.ts'

/** A JSON object to answer with. */
type Document = Record<string, unknown>

/**
 * Makes the document that says what a service provider can do; what is not named is not supported.
 *
 * @example
 * ```ts
 * import { serviceProviderConfig } from '@plumbline/scim/discovery'
 *
 * serviceProviderConfig({ patch: true }).patch //=> { supported: true }
 * serviceProviderConfig({ patch: true }).sort //=> { supported: false }
 * ```
 * @see RFC 7643 §5, RFC 9865 §4
 */
export function serviceProviderConfig(options: ServiceProviderConfigOptions = {}): Document {
  const { documentationUri, bulk, filter, pagination, authenticationSchemes = [] } = options
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    ...(documentationUri === undefined ? {} : { documentationUri }),
    patch: { supported: options.patch ?? false },
    bulk: bulk ?? { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: filter ?? { supported: false, maxResults: 0 },
    changePassword: { supported: options.changePassword ?? false },
    sort: { supported: options.sort ?? false },
    etag: { supported: options.etag ?? false },
    ...(pagination === undefined ? {} : { pagination }),
    authenticationSchemes,
    meta: { resourceType: 'ServiceProviderConfig', location: '/ServiceProviderConfig' },
  }
}

/**
 * Makes the list of the resource types that a service provider serves.
 *
 * @example
 * ```ts
 * import { USER_SCHEMA } from '@plumbline/scim'
 * import { resourceTypes } from '@plumbline/scim/discovery'
 *
 * const document = resourceTypes([{ id: 'User', endpoint: '/Users', schema: USER_SCHEMA }])
 * document.totalResults //=> 1
 * ```
 * @see RFC 7643 §6
 */
export function resourceTypes(types: readonly ResourceType[]): Document {
  return list(
    types.map(({ id, name = id, description, endpoint, schema, extensions = [] }) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id,
      name,
      ...(description === undefined ? {} : { description }),
      endpoint,
      schema,
      schemaExtensions: extensions,
      meta: { resourceType: 'ResourceType', location: `/ResourceTypes/${id}` },
    })),
  )
}

/**
 * Makes the list of the schemas, every characteristic written out.
 *
 * @example
 * ```ts
 * import { GROUP_DEFINITION, schemas } from '@plumbline/scim/discovery'
 *
 * schemas({ [GROUP_DEFINITION.id]: GROUP_DEFINITION }).totalResults //=> 1
 * ```
 * @see RFC 7643 §7
 */
export function schemas(definitions: Definitions): Document {
  return list(Object.values(definitions).map(schemaDocument))
}

function schemaDocument({ id, name, description, attributes }: SchemaDefinition): Document {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    ...(description === undefined ? {} : { description }),
    attributes: attributes.map(attributeDocument),
    meta: { resourceType: 'Schema', location: `/Schemas/${id}` },
  }
}

/** RFC 7643 §2.2 has the defaults. */
function attributeDocument({ subAttributes, ...attribute }: Attribute): Document {
  const { name, type, description, canonicalValues, referenceTypes } = attribute
  return {
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    ...(description === undefined ? {} : { description }),
    required: attribute.required ?? false,
    ...(canonicalValues === undefined ? {} : { canonicalValues }),
    caseExact: attribute.caseExact ?? false,
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    uniqueness: attribute.uniqueness ?? 'none',
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(attributeDocument) }),
  }
}

function list(resources: readonly Document[]): Document {
  return {
    schemas: [LIST_RESPONSE_SCHEMA],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  }
}
