import type { Access } from '../../store/tokens.ts'

/** The scopes of access tokens. `scim:write` includes `scim:read`. */
export const SCOPES = ['scim:read', 'scim:write'] as const

/** The scopes of an access, separated by spaces (RFC 6749 §3.3). */
export function scopeOf(access: Access): string {
  return access === 'write' ? SCOPES.join(' ') : SCOPES[0]
}

/**
 * The access that a client gets for the scope that it requests: all that it has without one. Null if the scope is
 * unknown, malformed, or exceeds what the client has.
 */
export function accessOfScope(scope: string | null, allowed: Access): Access | null {
  if (scope === null) return allowed
  // scope = scope-token *( SP scope-token )
  const names = scope.split(' ')
  if (!names.every((name) => SCOPES.some((known) => known === name))) return null
  const access = names.includes('scim:write') ? 'write' : 'read'
  return access === 'write' && allowed === 'read' ? null : access
}
