import { type Incoming, requestOf } from '@plumbline/base'
import type { SecuritySchemes } from '../document/builder.ts'
import type { SecurityRequirement } from '../openapi.ts'
import { challengeOf, type Verified } from './challenge.ts'
import { readCredentials, type SentCredentials } from './credentials.ts'
import { FORBIDDEN, isForbidden } from './forbidden.ts'
import { whenKnown } from './when-known.ts'

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
  /** The reason for the client: one that a verifier chose, or the missing scopes. */
  readonly detail?: string | undefined
}

/** Authenticates a request. Does not wait for verifiers that do not. */
export type Authenticate = (request: Incoming) => Authentication | Promise<Authentication>

/**
 * Prepares an operation's security requirements. A request satisfies the first of them whose schemes all have valid
 * credentials and scopes (OpenAPI 3.1.1 §4.8.30). `{}`, which every request satisfies, is tried after the others.
 */
export function prepareAuthentication(
  requirements: readonly SecurityRequirement[],
  options: SecurityOptions,
): Authenticate {
  const alternatives = requirements
    .map((one) => Object.entries(one).map(([name, scopes]) => prepareScheme(name, scopes, options)))
    .filter((schemes) => schemes.length > 0)
  if (alternatives.length === 0) return () => ANYONE
  const isOptional = alternatives.length < requirements.length
  /** Tries the requirements. If a verifier returns a promise, tries them again with its outcome. */
  function authenticate(request: Incoming, known: Known): Authentication | Promise<Authentication> {
    const tried: (readonly Verified[])[] = []
    for (const schemes of alternatives) {
      const verified: Verified[] = []
      for (const scheme of schemes) {
        const one = known.get(scheme.key) ?? verify(scheme, request)
        if (one instanceof Promise) {
          return one.then((later) => authenticate(request, known.set(scheme.key, later)))
        }
        known.set(scheme.key, one)
        verified.push(one)
      }
      if (verified.every(({ outcome }) => outcome === 'valid')) return principalOf(verified)
      tried.push(verified)
    }
    return isOptional ? ANYONE : { rejection: rejectionOf(tried, options.realm) }
  }
  return (request) => authenticate(request, new Map())
}

/** A scheme of a requirement, with its verifier. */
interface PreparedScheme extends Pick<Verified, 'name' | 'scheme' | 'scopes'> {
  readonly verifier: (credentials: object) => unknown
  /** The same for a scheme with the same scopes. */
  readonly key: string
}

function prepareScheme(
  name: string,
  scopes: readonly string[],
  { schemes, verifiers }: SecurityOptions,
): PreparedScheme {
  const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
  const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined
  // `implement` rejects a document with such a scheme.
  if (!scheme || !verifier) throw new TypeError(`the security scheme ${name} is not defined`)
  const key = JSON.stringify([name, scopes])
  // The verifier's type names the scheme's credentials.
  return { name, scheme, scopes, key, verifier: verifier as (credentials: object) => unknown }
}

/** The outcomes for a request, by key. */
type Known = Map<string, Verified>

/** Runs a verifier: once per request, or once per scope list if alternatives require different scopes. */
function verify(asked: PreparedScheme, request: Incoming): Verified | Promise<Verified> {
  const credentials = new Presented(asked.scopes, request)
  const sent = readCredentials(asked.scheme, request, credentials)
  if (sent !== 'sent') return verifiedOf(asked, sent === 'absent' ? 'absent' : 'invalid', null)
  return whenKnown(asked.verifier(credentials), (principal) => judged(asked, principal))
}

/** The credentials for a verifier. Some servers make a request only when it is read. */
class Presented implements SentCredentials {
  declare token?: string
  readonly scopes: readonly string[]
  readonly #request: Incoming

  constructor(scopes: readonly string[], request: Incoming) {
    this.scopes = scopes
    this.#request = request
  }

  get request(): Request {
    return requestOf(this.#request)
  }
}

function judged(asked: PreparedScheme, principal: unknown): Verified {
  if (isForbidden(principal)) {
    const detail = principal === FORBIDDEN ? undefined : principal[FORBIDDEN]
    return verifiedOf(asked, 'forbidden', null, detail)
  }
  if (principal === null || principal === undefined || principal === false) {
    return verifiedOf(asked, 'invalid', principal)
  }
  const missing = missingScopes(asked, principal)
  if (missing.length === 0) return verifiedOf(asked, 'valid', principal)
  const named = `${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`
  return verifiedOf(asked, 'forbidden', null, `The credentials do not have the ${named}.`)
}

/**
 * Returns the required scopes a principal lacks. Without a member `scopes`, the verifier has compared them. Throws a
 * TypeError for a member of another type: a search in the string `'read:all'` would find the scope `read`.
 */
function missingScopes({ name, scopes }: PreparedScheme, principal: unknown): readonly string[] {
  if (scopes.length === 0) return []
  // An object or a function; text does not have members of its own.
  const owner = Object(principal)
  if (owner !== principal || !('scopes' in owner)) return []
  const granted: unknown = owner.scopes
  if (!Array.isArray(granted) || granted.some((one) => typeof one !== 'string')) {
    throw new TypeError(`the verifier ${name} returned scopes that are not an array of strings`)
  }
  return scopes.filter((one) => !granted.includes(one))
}

function verifiedOf(
  { name, scheme, scopes }: PreparedScheme,
  outcome: Verified['outcome'],
  principal: unknown,
  detail?: string,
): Verified {
  return { name, scheme, scopes, outcome, principal, detail }
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
  const details = shown.flatMap(({ detail }) => detail ?? [])
  return {
    reason: authentic ? 'forbidden' : 'unauthorized',
    challenges: [...new Set(challenges)],
    detail: [...new Set(details)].join(' ') || undefined,
  }
}

const ANYONE: Authentication = { principal: null }
