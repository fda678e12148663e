import type { JWTPayload } from 'jose'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import * as errors from 'jose/errors'
import { decodeJwt } from 'jose/jwt/decode'
import { jwtVerify } from 'jose/jwt/verify'
import { ALGORITHMS, type ClientKey, faultOfKey, importKey } from './client-keys.ts'

/** The `client_assertion_type` for a JWT (RFC 7523 §2.2). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A JWT sent for client authentication (RFC 7523 §2.2). Nothing in it is verified yet. */
export interface Assertion {
  /** The `sub`: the client's id. */
  readonly clientId: string
  /** The header's `kid`. */
  readonly keyId: string | null
  /** The JWT as it was sent. */
  readonly text: string
}

/** An assertion whose signature and claims are valid. */
export interface CheckedAssertion {
  /** The `jti`, which the client must not send again. */
  readonly id: string
  /** From this time on, the assertion is rejected. In milliseconds since 1970. */
  readonly expiresAt: number
}

/** Options for `checkAssertion`. */
export interface AssertionOptions {
  readonly keys: readonly ClientKey[]
  readonly audiences: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Parses an assertion; null if it is malformed, is of another type, or if the algorithm is not supported. */
export function parseAssertion(text: string): Assertion | null {
  if (text.length > MAX_LENGTH || !COMPACT.test(text)) return null
  try {
    const { alg, kid, crit, typ = 'JWT' } = decodeProtectedHeader(text)
    const { sub } = decodeJwt(text)
    const isSupported = Object.values(ALGORITHMS).some((one) => one === alg)
    // RFC 7515 §4.1.11: unknown extensions must be rejected. RFC 8725 §3.11: so must JWTs made for another purpose.
    if (!isSupported || crit !== undefined || !TYPES.test(typ)) return null
    if (typeof sub !== 'string') return null
    return { clientId: sub, keyId: typeof kid === 'string' ? kid : null, text }
  } catch {
    return null
  }
}

/**
 * Checks an assertion's signature and claims (RFC 7523 §3). Returns null if it is not signed with one of the client's
 * keys, and otherwise the first fault in the claims as a sentence. The type of a key decides the algorithm.
 */
export async function checkAssertion(
  { text, clientId, keyId }: Assertion,
  { keys, audiences, now }: AssertionOptions,
): Promise<CheckedAssertion | string | null> {
  for (const key of keys) {
    const isOther = keyId !== null && key.kid !== undefined && key.kid !== keyId
    if (isOther || faultOfKey(key) !== null) continue
    const algorithm = ALGORITHMS[key.kty]
    try {
      const { payload } = await jwtVerify(text, await importKey(key), {
        algorithms: [algorithm],
        issuer: clientId,
        audience: [...audiences],
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_SKEW / 1_000,
        currentDate: new Date(now),
      })
      return checkClaims(payload, { audiences, now })
    } catch (error) {
      if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) {
        return sentenceOf(error, audiences)
      }
      if (!(error instanceof errors.JOSEError)) throw error
    }
  }
  return null
}

/** Checks the rules of the directory, which go beyond RFC 7523. */
function checkClaims(
  { aud, exp = 0, iat, jti }: JWTPayload,
  { audiences, now }: Pick<AssertionOptions, 'audiences' | 'now'>,
): CheckedAssertion | string {
  // A JWT another server accepts too could be sent here from that server.
  if (![aud].flat().every((one) => audiences.includes(one ?? ''))) {
    return `aud must be only ${audiences.join(' or ')}`
  }
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_LENGTH) {
    return `jti must be a string of 1 to ${MAX_ID_LENGTH} characters`
  }
  const expiresAt = exp * 1_000 + CLOCK_SKEW
  // `jose` compares whole seconds, but a used assertion is remembered to the millisecond.
  if (expiresAt <= now) return 'the assertion has expired'
  if (expiresAt > now + MAX_LIFETIME + 2 * CLOCK_SKEW) return 'exp must be within the next hour'
  if (iat !== undefined && iat * 1_000 > now + CLOCK_SKEW) return 'iat is in the future'
  return { id: jti, expiresAt }
}

function sentenceOf(
  { claim, reason }: Pick<errors.JWTClaimValidationFailed, 'claim' | 'reason'>,
  audiences: readonly string[],
): string {
  if (claim === 'iss') return 'iss must be the client_id'
  if (claim === 'aud') return `aud must be ${audiences.join(' or ')}`
  if (reason !== 'check_failed') return `${claim} must be a number of seconds since 1970`
  return claim === 'exp' ? 'the assertion has expired' : `${claim} is in the future`
}

/** RFC 7515 §7.1. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** The types of a JWT for client authentication. Most clients send `JWT`, or no type. */
const TYPES = /^(?:application\/)?(?:jwt|client-authentication\+jwt)$/i
/** The maximum number of code units. Assertions from common libraries have less than 1,000. */
const MAX_LENGTH = 8_000
const MAX_ID_LENGTH = 200
/** How much (ms) a client's clock may differ. */
const CLOCK_SKEW = 60_000
/** How far (ms) in the future an assertion may expire: the directory remembers it until then. */
const MAX_LIFETIME = 3_600_000
