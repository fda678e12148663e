import {
  type Form,
  type Forms,
  isJsonObject,
  OBJECT,
  oneOf,
  required,
  requireOptions,
  STRING,
} from '@plumbline/base'
import type {
  ApiKeySecurityScheme,
  HttpSecurityScheme,
  OAuth2SecurityScheme,
  OpenIdConnectSecurityScheme,
} from '../openapi.ts'

/**
 * A bearer token in the `Authorization` header (RFC 6750).
 *
 * @example
 * ```ts
 * import { bearer } from '@plumbline/openapi/security'
 *
 * bearer({ bearerFormat: 'JWT' }) //=> { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }
 * ```
 * @see OpenAPI 3.1.1 §4.8.27
 */
export function bearer(
  options: Pick<HttpSecurityScheme, 'bearerFormat' | 'description'> = {},
): HttpSecurityScheme & { readonly scheme: 'bearer' } {
  requireScheme('bearer', options, { bearerFormat: STRING, description: STRING })
  return { type: 'http', scheme: 'bearer', ...options }
}

/**
 * A user name and a password in the `Authorization` header (RFC 7617).
 *
 * @example
 * ```ts
 * import { basic } from '@plumbline/openapi/security'
 *
 * basic() //=> { type: 'http', scheme: 'basic' }
 * ```
 * @see OpenAPI 3.1.1 §4.8.27
 */
export function basic(
  options: Pick<HttpSecurityScheme, 'description'> = {},
): HttpSecurityScheme & { readonly scheme: 'basic' } {
  requireScheme('basic', options, { description: STRING })
  return { type: 'http', scheme: 'basic', ...options }
}

/**
 * A key in a header, a query parameter or a cookie. Throws a TypeError unless `name` is a valid name there.
 *
 * @example
 * ```ts
 * import { apiKey } from '@plumbline/openapi/security'
 *
 * apiKey({ in: 'header', name: 'X-Key' }) //=> { type: 'apiKey', in: 'header', name: 'X-Key' }
 * ```
 * @see OpenAPI 3.1.1 §4.8.27
 */
export function apiKey(options: Omit<ApiKeySecurityScheme, 'type'>): ApiKeySecurityScheme {
  const place = Object(options).in
  const name = place === 'query' ? required(STRING) : NAME
  requireScheme('apiKey', options, { in: IN, name, description: STRING })
  return { type: 'apiKey', ...options }
}

/**
 * OAuth 2.0, with the URLs and scopes for each flow clients may use.
 *
 * OpenAPI 3.1 does not have a field for an authorization server's metadata (RFC 8414); use `description` for a link
 * to it.
 *
 * @example
 * ```ts
 * import { oauth2 } from '@plumbline/openapi/security'
 *
 * const tokenUrl = 'https://example.com/token'
 * const scopes = { 'books:read': 'Read books' }
 * oauth2({ flows: { clientCredentials: { tokenUrl, scopes } } }).type //=> 'oauth2'
 * ```
 * @see OpenAPI 3.1.1 §4.8.28
 */
export function oauth2(options: Omit<OAuth2SecurityScheme, 'type'>): OAuth2SecurityScheme {
  requireScheme('oauth2', options, { flows: required(OBJECT), description: STRING })
  return { type: 'oauth2', ...options }
}

/**
 * OpenID Connect, found with the discovery document's URL.
 *
 * @example
 * ```ts
 * import { openIdConnect } from '@plumbline/openapi/security'
 *
 * const openIdConnectUrl = 'https://example.com/.well-known/openid-configuration'
 * openIdConnect({ openIdConnectUrl }).type //=> 'openIdConnect'
 * ```
 * @see OpenAPI 3.1.1 §4.8.27
 */
export function openIdConnect(
  options: Omit<OpenIdConnectSecurityScheme, 'type'>,
): OpenIdConnectSecurityScheme {
  const forms = { openIdConnectUrl: required(STRING), description: STRING }
  requireScheme('openIdConnect', options, forms)
  return { type: 'openIdConnect', ...options }
}

/** Checks a scheme's fields. It may have extensions (OpenAPI 3.1.1 §4.9). */
function requireScheme<Options>(owner: string, options: unknown, forms: Forms<Options>): void {
  const fields = isJsonObject(options)
    ? Object.entries(options).filter(([name]) => !name.startsWith('x-'))
    : null
  requireOptions(owner, fields === null ? options : Object.fromEntries(fields), forms)
}

const IN: Form = required(oneOf('header', 'query', 'cookie'))
/** RFC 9110 §5.6.2: token = 1*tchar. RFC 6265 §4.1.1: a cookie's name is one, too. */
const NAME: Form = required([
  'a name without spaces and separators',
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
])
