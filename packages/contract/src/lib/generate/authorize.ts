import { own } from '@plumbline/base'
import type { OpenAPI, SecuritySchemes } from '@plumbline/openapi'
import type { UserAndPassword } from '@plumbline/openapi/server'

/**
 * A token or a key, or a user name and a password for the scheme `basic`. For another `Authorization` scheme, the text
 * after the scheme name.
 */
export type TestSecret = string | UserAndPassword

/** Makes credentials with exactly these scopes. It is called once for each list of scopes. */
export type MakeTestSecret = (wanted: {
  readonly scopes: readonly string[]
}) => TestSecret | Promise<TestSecret>

/** Credentials by security scheme name. With a function, tests also try too few scopes. */
export type TestCredentials = Readonly<Record<string, TestSecret | MakeTestSecret>>

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
  security: readonly OpenAPI.SecurityRequirement[],
  schemes: SecuritySchemes,
  credentials: TestCredentials,
): OpenAPI.SecurityRequirement {
  const chosen = security.find((one) => isGiven(one, schemes, credentials))
  if (chosen !== undefined) return chosen
  if (security.length === 0) return {}
  const names = security.map((requirement) => Object.keys(requirement).join(' and ')).join(', or ')
  throw new TypeError(
    `${operationId} needs credentials of ${names}: add them to credentials, or exclude the operation`,
  )
}

/** Whether the options have the credentials of every scheme in a requirement. */
function isGiven(
  requirement: OpenAPI.SecurityRequirement,
  schemes: SecuritySchemes,
  credentials: TestCredentials,
): boolean {
  return Object.keys(requirement).every(
    (name) => Object.hasOwn(credentials, name) || schemes[name]?.type === 'mutualTLS',
  )
}

/** A requirement with one scope too few, so that no requirement of the operation is satisfied. */
export interface Shortfall {
  readonly granted: OpenAPI.SecurityRequirement
  readonly scope: string
}

/** Lists the scopes credentials can lack, for the schemes whose credentials are made for scopes. */
export function listShortfalls(
  security: readonly OpenAPI.SecurityRequirement[],
  schemes: SecuritySchemes,
  credentials: TestCredentials,
): readonly Shortfall[] {
  const given = security.filter((one) => isGiven(one, schemes, credentials))
  const all = given.flatMap((requirement) =>
    Object.entries(requirement).flatMap(([name, scopes]) =>
      typeof own(credentials, name) !== 'function'
        ? []
        : scopes.map((scope) => {
            const others = scopes.filter((one) => one !== scope)
            return { granted: { ...requirement, [name]: others }, scope }
          }),
    ),
  )
  return all.filter(({ granted }) => !security.some((one) => isSatisfied(one, granted)))
}

/** Whether credentials with these scopes satisfy a requirement. */
function isSatisfied(
  requirement: OpenAPI.SecurityRequirement,
  granted: OpenAPI.SecurityRequirement,
): boolean {
  return Object.entries(requirement).every(([name, scopes]) => {
    const has = Object.hasOwn(granted, name) ? granted[name] : undefined
    return has !== undefined && scopes.every((one) => has.includes(one))
  })
}

/** Creates the function that finds a scheme's credentials. It makes them once for each list of scopes. */
export function createSecrets(
  credentials: TestCredentials,
): (name: string, scopes: readonly string[]) => Promise<TestSecret> {
  const made = new Map<string, Promise<TestSecret>>()
  return async (name, scopes) => {
    const given = Object.hasOwn(credentials, name) ? credentials[name] : undefined
    if (typeof given !== 'function') return given ?? ''
    const key = JSON.stringify([name, scopes])
    const secret = made.get(key) ?? Promise.resolve(given({ scopes }))
    made.set(key, secret)
    return await secret
  }
}

/** Writes a requirement's credentials. */
export function writeCredentials(
  requirement: OpenAPI.SecurityRequirement,
  schemes: SecuritySchemes,
  secretOf: (name: string) => TestSecret,
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

function prefixOf(scheme: OpenAPI.SecurityScheme): string {
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

/** Makes credentials that no verifier accepts, in the same form as valid ones. */
export function invalidCredentials(valid: TestSecret): TestSecret {
  return typeof valid === 'object' ? { ...valid, password: INVALID } : INVALID
}

const INVALID = 'not-a-valid-secret'
