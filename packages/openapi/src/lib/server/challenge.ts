import type { SecurityScheme } from '../openapi.ts'

/** One scheme's outcome for a request. */
export interface Verified {
  readonly name: string
  readonly scheme: SecurityScheme
  readonly scopes: readonly string[]
  readonly outcome: 'valid' | 'absent' | 'invalid' | 'forbidden'
  readonly principal: unknown
  /** The reason for the client, if the credentials do not permit the operation. */
  readonly detail?: string | undefined
}

/**
 * A scheme's challenge in `WWW-Authenticate` (RFC 9110 §11.6.1). If valid credentials don't permit the operation,
 * only bearer-token schemes have one (RFC 6750 §3.1).
 */
export function challengeOf(
  { scheme, outcome, scopes }: Verified,
  realm: string | undefined,
): string | null {
  const isForbidden = outcome === 'forbidden'
  if (scheme.type === 'apiKey') {
    return isForbidden ? null : write('ApiKey', { realm, in: scheme.in, name: scheme.name })
  }
  if (scheme.type === 'mutualTLS') return isForbidden ? null : write('MutualTLS', { realm })
  const name = scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
  if (name === 'bearer') return write('Bearer', { realm, ...describeError(outcome, scopes) })
  if (isForbidden) return null
  // RFC 7617 §2: the realm is required.
  if (name === 'basic') return write('Basic', { realm: realm ?? 'api', charset: 'UTF-8' })
  return write(name, { realm })
}

/** RFC 6750 §3: a request without a token does not get an error code. */
function describeError(outcome: Verified['outcome'], scopes: readonly string[]) {
  if (outcome === 'invalid') return { error: 'invalid_token' }
  if (outcome !== 'forbidden') return {}
  const canBeSent = scopes.length > 0 && scopes.every((one) => SCOPE.test(one))
  return { error: 'insufficient_scope', scope: canBeSent ? scopes.join(' ') : undefined }
}

function write(scheme: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    // RFC 9110 §5.6.4: a quoted string.
    value === undefined ? [] : [`${name}="${value.replace(/["\\]/g, '\\$&')}"`],
  )
  return written.length === 0 ? scheme : `${scheme} ${written.join(', ')}`
}

// RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ). A role may have any name.
const SCOPE = /^[!#-[\]-~]+$/
