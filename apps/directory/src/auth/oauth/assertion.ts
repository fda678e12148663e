import {
  type ClientKey,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  verifySignature,
} from './client-keys.ts'

/** The `client_assertion_type` for a JWT (RFC 7523 §2.2). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A JWT sent for client authentication (RFC 7523 §2.2). Nothing in it is verified yet. */
export interface Assertion {
  /** The `sub`: the client's id. */
  readonly clientId: string
  readonly algorithm: SigningAlgorithm
  /** The header's `kid`. */
  readonly keyId: string | null
  readonly claims: Readonly<Record<string, unknown>>
  /** The signed text, and its signature in base64url. */
  readonly signed: { readonly content: string; readonly signature: string }
}

/** An assertion whose claims are valid. */
export interface CheckedAssertion {
  /** The `jti`, which the client must not send again. */
  readonly id: string
  /** From this time on, the assertion is rejected. In milliseconds since 1970. */
  readonly expiresAt: number
}

/** Parses an assertion; null if it is malformed, or if its algorithm is not supported. */
export function parseAssertion(text: string): Assertion | null {
  const parts = text.length > LONGEST ? null : COMPACT.exec(text)
  if (parts === null) return null
  const [, header = '', payload = '', signature = ''] = parts
  const { alg, kid, crit } = objectOf(header) ?? {}
  const claims = objectOf(payload)
  const algorithm = SIGNING_ALGORITHMS.find((one) => one === alg)
  // RFC 7515 §4.1.11: unknown extensions must be rejected.
  if (algorithm === undefined || crit !== undefined || typeof claims?.sub !== 'string') return null
  return {
    ...{ clientId: claims.sub, algorithm, claims },
    keyId: typeof kid === 'string' ? kid : null,
    signed: { content: `${header}.${payload}`, signature },
  }
}

/** Whether an assertion is signed with one of the client's keys. */
export async function isSignedBy(
  { algorithm, keyId, signed }: Assertion,
  keys: readonly ClientKey[],
): Promise<boolean> {
  for (const key of keys) {
    const isOther = keyId !== null && key.kid !== undefined && key.kid !== keyId
    if (!isOther && (await verifySignature(key, algorithm, signed))) return true
  }
  return false
}

/** Checks an assertion's claims (RFC 7523 §3). Returns the first fault as a sentence. */
export function checkClaims(
  { claims, clientId }: Assertion,
  { audiences, now }: { readonly audiences: readonly string[]; readonly now: number },
): CheckedAssertion | string {
  const { iss, aud, exp, nbf, iat, jti } = claims
  if (iss !== clientId) return 'iss must be the client_id'
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!audiences.some((one) => named.includes(one))) {
    return `aud must be ${audiences.join(' or ')}`
  }
  if (typeof jti !== 'string' || jti === '' || jti.length > 200) {
    return 'jti must be a string of 1 to 200 characters'
  }
  if (!isTime(exp)) return 'exp must be a number of seconds since 1970'
  const expiresAt = exp * 1_000 + CLOCK_SKEW
  if (expiresAt <= now) return 'the assertion has expired'
  if (expiresAt > now + MOST_LIFETIME + 2 * CLOCK_SKEW) {
    return 'exp must be within the next hour'
  }
  for (const [name, time] of Object.entries({ nbf, iat })) {
    if (time === undefined) continue
    if (!isTime(time)) return `${name} must be a number of seconds since 1970`
    if (time * 1_000 > now + CLOCK_SKEW) return `${name} is in the future`
  }
  return { id: jti, expiresAt }
}

/** NumericDate (RFC 7519 §2). */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Decodes one part of a JWT; null if it is not a JSON object. */
function objectOf(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(UTF8.decode(Buffer.from(part, 'base64url')))
    return typeof value === 'object' && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })
/** RFC 7515 §7.1. */
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
/** The maximum number of code units. Assertions from common libraries have less than 1,000. */
const LONGEST = 8_000
/** How much (ms) a client's clock may differ. */
const CLOCK_SKEW = 60_000
/** How far (ms) in the future an assertion may expire: the directory remembers it until then. */
const MOST_LIFETIME = 3_600_000
