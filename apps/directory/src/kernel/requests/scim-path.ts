/** The path to the SCIM endpoints in a request's URL. */
export interface ScimPath {
  /** The path above the endpoints, such as `/scim/v2`. */
  readonly base: string
  /** The tenant in the path; null for the token's tenant. */
  readonly tenantId: string | null
  /** The base with a placeholder for the tenant, for the logs. */
  readonly pattern: string
}

/** The path to the SCIM endpoints; the token selects the tenant. */
export const SCIM_PATH = '/scim/v2'

/** The path to the token endpoint for OAuth clients, below `/scim`, which a proxy publishes. */
export const TOKEN_PATH = '/scim/oauth/token'

/** Returns the path to a tenant's SCIM endpoints. */
export function scimPathOf(tenantId: string): ScimPath {
  return { base: `${TENANTS}${tenantId}${END}`, tenantId, pattern: `${TENANTS}:tenant${END}` }
}

/** Finds the SCIM endpoints' path in a request's URL; null if the URL isn't below one. */
export function findScimPath(url: string): ScimPath | null {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return null
  if (url.startsWith(SCIM_PATH, start)) {
    return isEnd(url[start + SCIM_PATH.length]) ? OF_THE_TOKEN : null
  }
  if (!url.startsWith(TENANTS, start)) return null
  const from = start + TENANTS.length
  const to = url.indexOf('/', from)
  const tenantId = url.slice(from, to)
  if (to === -1 || !url.startsWith(END, to) || !isEnd(url[to + END.length])) return null
  return TENANT_ID.test(tenantId) ? scimPathOf(tenantId) : null
}

/** Whether a character ends a path segment. */
function isEnd(next: string | undefined): boolean {
  return next === undefined || next === '/' || next === '?' || next === '#'
}

/** The pattern for tenant ids. */
export const TENANT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/

const TENANTS = '/scim/tenants/'
const END = '/v2'
const OF_THE_TOKEN: ScimPath = { base: SCIM_PATH, tenantId: null, pattern: SCIM_PATH }
