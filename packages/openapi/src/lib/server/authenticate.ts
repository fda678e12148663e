import type { SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement, SecurityScheme } from '../openapi.ts'
import { challengeOf, type Verified } from './challenge.ts'
import { readCredentials } from './credentials.ts'
import { FORBIDDEN, isForbidden } from './forbidden.ts'

/** Checks a request's credentials, whatever scheme they have. */
export type Verifier = (credentials: never) => unknown

/** The security schemes, their verifiers, and the realm for challenges. */
export interface SecurityOptions {
  readonly schemes: SecuritySchemes
  readonly verifiers: Readonly<Record<string, Verifier>>
  readonly realm: string | undefined
}

/** A request's principal, or its rejection. */
export type Authentication =
  | { readonly principal: unknown; readonly rejection?: undefined }
  | { readonly principal?: undefined; readonly rejection: Rejection }

/** A request's rejection, with the values of its `WWW-Authenticate` header. */
export interface Rejection {
  readonly reason: 'unauthorized' | 'forbidden'
  readonly challenges: readonly string[]
  /** The reason a verifier chose for the client. */
  readonly detail?: string | undefined
}

/**
 * Finds the first security requirement a request satisfies (OpenAPI 3.1.1 §4.8.30). Requirements needing credentials
 * are tried before `{}`, which every request satisfies. Does not wait without requirements.
 */
export function authenticate(
  request: Request,
  requirements: readonly SecurityRequirement[],
  options: SecurityOptions,
): Authentication | Promise<Authentication> {
  return requirements.length === 0 ? ANYONE : tryAll(request, requirements, options)
}

async function tryAll(
  request: Request,
  requirements: readonly SecurityRequirement[],
  options: SecurityOptions,
): Promise<Authentication> {
  const verify = createVerification(request, options)
  const tried: (readonly Verified[])[] = []
  for (const requirement of requirements) {
    const schemes = Object.entries(requirement)
    if (schemes.length === 0) continue
    const verified: Verified[] = []
    for (const [name, scopes] of schemes) verified.push(await verify(name, scopes))
    if (verified.every(({ outcome }) => outcome === 'valid')) return principalOf(verified)
    tried.push(verified)
  }
  // A requirement without schemes is not tried.
  if (tried.length < requirements.length) return ANYONE
  return { rejection: rejectionOf(tried, options.realm) }
}

/** Runs each verifier once per request, or once per scope list if alternatives require different scopes. */
function createVerification(request: Request, { schemes, verifiers }: SecurityOptions) {
  const known = new Map<string, Verified>()
  return async (name: string, scopes: readonly string[]): Promise<Verified> => {
    const key = JSON.stringify([name, scopes])
    const before = known.get(key)
    if (before !== undefined) return before
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
    const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined
    // `implement` rejects a document with such a scheme.
    if (!scheme || !verifier) throw new TypeError(`the security scheme ${name} is not defined`)
    const verified = {
      name,
      scheme,
      scopes,
      ...(await runVerifier(verifier, scheme, scopes, request)),
    }
    known.set(key, verified)
    return verified
  }
}

async function runVerifier(
  verifier: Verifier,
  scheme: SecurityScheme,
  scopes: readonly string[],
  request: Request,
): Promise<Pick<Verified, 'outcome' | 'principal' | 'detail'>> {
  const sent = readCredentials(scheme, request)
  if (sent.kind === 'absent') return { outcome: 'absent', principal: null }
  if (sent.kind === 'malformed') return { outcome: 'invalid', principal: null }
  // The verifier's type names its scheme's credentials.
  const verify = verifier as (credentials: object) => unknown
  const principal = await verify({ ...sent.credentials, scopes, request })
  if (isForbidden(principal)) {
    const detail = principal === FORBIDDEN ? undefined : principal[FORBIDDEN]
    return { outcome: 'forbidden', principal: null, detail }
  }
  const isInvalid = principal === null || principal === undefined || principal === false
  return { outcome: isInvalid ? 'invalid' : 'valid', principal }
}

function principalOf(verified: readonly Verified[]): Authentication {
  const [first, ...others] = verified
  if (others.length === 0) return { principal: first?.principal ?? null }
  return { principal: Object.fromEntries(verified.map(({ name, principal }) => [name, principal])) }
}

/** A request is forbidden if valid credentials were sent for all schemes in one requirement. */
function rejectionOf(
  tried: readonly (readonly Verified[])[],
  realm: string | undefined,
): Rejection {
  const isAuthentic = ({ outcome }: Verified) => outcome === 'valid' || outcome === 'forbidden'
  const authentic = tried.find((verified) => verified.every(isAuthentic))
  const shown = authentic?.filter(({ outcome }) => outcome === 'forbidden') ?? tried.flat()
  const challenges = shown.flatMap((verified) => challengeOf(verified, realm) ?? [])
  return {
    reason: authentic ? 'forbidden' : 'unauthorized',
    challenges: [...new Set(challenges)],
    detail: shown.find(({ detail }) => detail !== undefined)?.detail,
  }
}

const ANYONE: Authentication = { principal: null }
