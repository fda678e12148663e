import type { SecurityScheme } from '../openapi.ts'

/**
 * Returns the scopes that none of an OAuth 2.0 scheme's flows defines. A requirement may name any scope of OpenID
 * Connect, and any role for the other schemes (OpenAPI 3.1.1 §4.8.30). Throws a TypeError for scopes that are not a list.
 */
export function undefinedScopes(
  name: string,
  scheme: SecurityScheme | undefined,
  scopes: readonly string[],
): readonly string[] {
  if (!Array.isArray(scopes)) {
    throw new TypeError(`the security scheme ${name} needs a list of scopes, such as []`)
  }
  if (scheme?.type !== 'oauth2') return []
  const { implicit, password, clientCredentials, authorizationCode } = scheme.flows
  const flows = [implicit, password, clientCredentials, authorizationCode]
  return scopes.filter((one) => !flows.some((flow) => flow && Object.hasOwn(flow.scopes, one)))
}
