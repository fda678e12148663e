import type { Access } from '../../kernel/access/token-store.ts'

/** Access token scopes. `scim:write` includes `scim:read`, and `scim` is both (IPSIE draft 00 §4.1). */
export const SCOPES = ['scim:read', 'scim:write', 'scim'] as const

/** Returns the scopes for an access, separated by spaces (RFC 6749 §3.3); `scim` if the client has requested it. */
export function scopeOf(access: Access, requested: string | null = null): string {
  if (access === 'read') return 'scim:read'
  return requested?.split(' ').includes('scim') ? 'scim' : 'scim:read scim:write'
}

/**
 * Returns the access for a requested scope; without a scope, all that the client has. Null if the scope is unknown,
 * malformed, or exceeds the client's access.
 */
export function accessOfScope(scope: string | null, allowed: Access): Access | null {
  if (scope === null) return allowed
  // scope = scope-token *( SP scope-token )
  const names = scope.split(' ')
  if (!names.every((name) => SCOPES.some((known) => known === name))) return null
  const access = names.some((one) => one !== 'scim:read') ? 'write' : 'read'
  return access === 'write' && allowed === 'read' ? null : access
}
