import type { SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement } from '../openapi.ts'
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
 * are tried before `{}`, which every request satisfies. Does not wait without requirements, or for a verifier that does
 * not: promises take a tenth of the processor time of a small request over HTTP.
 */
export function authenticate(
  request: Request,
  requirements: readonly SecurityRequirement[],
  options: SecurityOptions,
): Authentication | Promise<Authentication> {
  if (requirements.length === 0) return ANYONE
  const verify = createVerification(request, options, requirements.length > 1)
  const tried: (readonly Verified[])[] = []
  const tryFrom = (at: number): Authentication | Promise<Authentication> => {
    const requirement = requirements[at]
    if (requirement === undefined) {
      // A requirement without schemes is not tried.
      if (tried.length < requirements.length) return ANYONE
      return { rejection: rejectionOf(tried, options.realm) }
    }
    const schemes = Object.entries(requirement)
    if (schemes.length === 0) return tryFrom(at + 1)
    return whenKnown(verifyAll(verify, schemes), (verified) => {
      if (verified.every(({ outcome }) => outcome === 'valid')) return principalOf(verified)
      tried.push(verified)
      return tryFrom(at + 1)
    })
  }
  return tryFrom(0)
}

/** Verifies the credentials for each scheme of a requirement, one after the other. */
function verifyAll(
  verify: Verify,
  schemes: readonly (readonly [name: string, scopes: readonly string[]])[],
  before: readonly Verified[] = [],
): readonly Verified[] | Promise<readonly Verified[]> {
  const scheme = schemes[before.length]
  if (scheme === undefined) return before
  return whenKnown(verify(...scheme), (one) => verifyAll(verify, schemes, [...before, one]))
}

/** Verifies the credentials for a scheme. */
type Verify = (name: string, scopes: readonly string[]) => Verified | Promise<Verified>

/** Runs each verifier once per request, or once per scope list if alternatives require different scopes. */
function createVerification(
  request: Request,
  { schemes, verifiers }: SecurityOptions,
  hasAlternatives: boolean,
): Verify {
  const run: Verify = (name, scopes) => {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
    const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined
    // `implement` rejects a document with such a scheme.
    if (!scheme || !verifier) throw new TypeError(`the security scheme ${name} is not defined`)
    return runVerifier(verifier, { name, scheme, scopes }, request)
  }
  if (!hasAlternatives) return run
  const known = new Map<string, Verified | Promise<Verified>>()
  return (name, scopes) => {
    const key = JSON.stringify([name, scopes])
    const verified = known.get(key) ?? run(name, scopes)
    known.set(key, verified)
    return verified
  }
}

function runVerifier(
  verifier: Verifier,
  asked: Pick<Verified, 'name' | 'scheme' | 'scopes'>,
  request: Request,
): Verified | Promise<Verified> {
  const sent = readCredentials(asked.scheme, request)
  if (sent.kind === 'absent') return { ...asked, outcome: 'absent', principal: null }
  if (sent.kind === 'malformed') return { ...asked, outcome: 'invalid', principal: null }
  // The verifier's type names its scheme's credentials.
  const verify = verifier as (credentials: object) => unknown
  const principal = verify({ ...sent.credentials, scopes: asked.scopes, request })
  return whenKnown(principal, (known) => judged(asked, known))
}

function judged(asked: Pick<Verified, 'name' | 'scheme' | 'scopes'>, principal: unknown): Verified {
  if (isForbidden(principal)) {
    const detail = principal === FORBIDDEN ? undefined : principal[FORBIDDEN]
    return { ...asked, outcome: 'forbidden', principal: null, detail }
  }
  const isInvalid = principal === null || principal === undefined || principal === false
  return { ...asked, outcome: isInvalid ? 'invalid' : 'valid', principal }
}

/** Calls a function with a value, or with that of a promise. */
function whenKnown<Value, Answer>(
  value: Value | PromiseLike<Value>,
  use: (value: Value) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  return isPromiseLike(value) ? Promise.resolve(value).then(use) : use(value)
}

function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
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
