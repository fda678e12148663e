import { LIST_RESPONSE_SCHEMA } from '../constants.ts'
import { defined } from '../json.ts'
import type {
  Attribute,
  Definitions,
  DocumentOptions,
  ResourceType,
  SchemaDefinition,
  ServiceProviderConfigOptions,
} from '../schema/types.ts'

/** A JSON object for a response. */
type Document = Record<string, unknown>

/**
 * Builds the document of the features that a service provider supports. Features that are not named are not
 * supported. `meta.location` starts with `options.base`.
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
  return defined({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri,
    patch: { supported: options.patch ?? false },
    bulk: bulk ?? { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: filter ?? { supported: false, maxResults: 0 },
    changePassword: { supported: options.changePassword ?? false },
    sort: { supported: options.sort ?? false },
    etag: { supported: options.etag ?? false },
    pagination,
    authenticationSchemes,
    meta: buildMeta('ServiceProviderConfig', '/ServiceProviderConfig', options),
  })
}

/**
 * Builds the list of the resource types that a service provider serves. Each `meta.location` starts with
 * `options.base`, the address of the SCIM endpoints.
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
export function resourceTypes(
  types: readonly ResourceType[],
  options: DocumentOptions = {},
): Document {
  return buildList(
    types.map(({ id, name = id, description, endpoint, schema, extensions = [] }) =>
      defined({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
        id,
        name,
        description,
        endpoint,
        schema,
        schemaExtensions: extensions,
        meta: buildMeta('ResourceType', `/ResourceTypes/${id}`, options),
      }),
    ),
  )
}

/**
 * Builds the list of the schemas, with every characteristic written out. Each `meta.location` starts with
 * `options.base`, the address of the SCIM endpoints.
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

function buildMeta(resourceType: string, path: string, { base = '' }: DocumentOptions): Document {
  return { resourceType, location: `${base.endsWith('/') ? base.slice(0, -1) : base}${path}` }
}

/** The defaults are those of RFC 7643 §2.2. */
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

function buildList(resources: readonly Document[]): Document {
  return {
    schemas: [LIST_RESPONSE_SCHEMA],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  }
}
