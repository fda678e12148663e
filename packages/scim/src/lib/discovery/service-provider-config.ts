import { defined } from '@plumbline/base'
import type { ServiceProviderConfigOptions } from '../schema/types.ts'
import { buildMeta, type Document } from './document.ts'

/**
 * Builds the document about a service provider's features. Unnamed features are not supported. `meta.location` starts
 * with `options.base`.
 *
 * @example
 * ```ts
 * import { serviceProviderConfig } from '@plumbline/scim/discovery'
 *
 * serviceProviderConfig({ patch: true }).patch //=> { supported: true }
 * serviceProviderConfig({ patch: true }).sort //=> { supported: false }
 * ```
 * @see RFC 7643 §5, RFC 9865 §4, RFC 9967 §4
 */
export function serviceProviderConfig(options: ServiceProviderConfigOptions = {}): Document {
  const {
    documentationUri,
    bulk,
    filter,
    pagination,
    securityEvents,
    authenticationSchemes = [],
  } = options
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
    securityEvents,
    authenticationSchemes,
    meta: buildMeta('ServiceProviderConfig', '/ServiceProviderConfig', options),
  })
}
