import type { SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement, SecurityScheme } from '../openapi.ts'
import type { UserAndPassword } from '../server/security-types.ts'

/**
 * Credentials by security scheme name: a token or a key, or a user name and a password for the scheme `basic`. For
 * another `Authorization` scheme, the text after its name.
 */
export type TestCredentials = Readonly<Record<string, string | UserAndPassword>>

/** The credentials a request is sent with. */
export type Sending = 'valid' | 'none' | 'invalid'

/** Where a request carries its credentials. */
export interface WrittenCredentials {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly string[]
}

/**
 * Finds the first requirement whose credentials are given. Throws a TypeError if none is found: otherwise tests would
 * pass because the server rejects every request.
 */
export function chooseRequirement(
  operationId: string,
  security: readonly SecurityRequirement[],
  schemes: SecuritySchemes,
  credentials: TestCredentials,
): SecurityRequirement {
  const isGiven = (name: string) =>
    Object.hasOwn(credentials, name) || schemes[name]?.type === 'mutualTLS'
  const chosen = security.find((requirement) => Object.keys(requirement).every(isGiven))
  if (chosen !== undefined) return chosen
  if (security.length === 0) return {}
  const names = security.map((requirement) => Object.keys(requirement).join(' and ')).join(', or ')
  throw new TypeError(
    `${operationId} needs credentials of ${names}: add them to credentials, or exclude the operation`,
  )
}

/** Writes a requirement's credentials. */
export function writeCredentials(
  requirement: SecurityRequirement,
  schemes: SecuritySchemes,
  secretOf: (name: string) => string | UserAndPassword,
): WrittenCredentials {
  const headers: [string, string][] = []
  const query: [string, string][] = []
  const cookies: string[] = []
  for (const name of Object.keys(requirement)) {
    const scheme = schemes[name]
    if (scheme === undefined || scheme.type === 'mutualTLS') continue
    const value = secretOf(name)
    const text = typeof value === 'string' ? value : encodePair(value)
    if (scheme.type !== 'apiKey') headers.push(['Authorization', `${prefixOf(scheme)} ${text}`])
    else if (scheme.in === 'header') headers.push([scheme.name, text])
    else if (scheme.in === 'query') query.push([scheme.name, text])
    else cookies.push(`${scheme.name}=${text}`)
  }
  return { headers, query, cookies }
}

function prefixOf(scheme: SecurityScheme): string {
  if (scheme.type !== 'http') return 'Bearer'
  const name = scheme.scheme.toLowerCase()
  return name === 'basic' || name === 'bearer'
    ? `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    : scheme.scheme
}

/** RFC 7617 §2.1: the user name and the password are UTF-8. */
function encodePair({ username, password }: UserAndPassword): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return btoa(String.fromCharCode(...bytes))
}

/** Makes credentials with the same form as valid ones, but accepted by no verifier. */
export function invalidCredentials(
  valid: string | UserAndPassword | undefined,
): string | UserAndPassword {
  return typeof valid === 'object' ? { ...valid, password: INVALID } : INVALID
}

const INVALID = 'not-a-valid-secret'
