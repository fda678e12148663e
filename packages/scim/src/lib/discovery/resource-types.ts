import { defined } from '@plumbline/base'
import type { DocumentOptions, ResourceType } from '../schema/types.ts'
import { buildList, buildMeta, type Document } from './document.ts'

/**
 * Builds the list of a service provider's resource types. Each `meta.location` starts with `options.base`, the SCIM
 * endpoint's address.
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
