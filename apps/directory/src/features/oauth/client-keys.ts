import { importJWK } from 'jose/key/import'

/** A client's public key (RFC 7517) for verifying its assertions: P-256 for ES256, or RSA for RS256. */
export type ClientKey = {
  /** Identifies the key in an assertion's header (RFC 7515 §4.1.4). */
  readonly kid?: string | undefined
} & (
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
)

/**
 * The signature algorithm for each key type (RFC 7518 §3.1). A client cannot choose another one, such as `none` or an
 * algorithm with a shared secret.
 */
export const ALGORITHMS = { EC: 'ES256', RSA: 'RS256' } as const

/** Returns only a key's public members. */
export function publicKey(key: ClientKey): ClientKey {
  const kid = key.kid === undefined ? {} : { kid: key.kid }
  if (key.kty === 'RSA') return { kty: key.kty, n: key.n, e: key.e, ...kid }
  return { kty: key.kty, crv: key.crv, x: key.x, y: key.y, ...kid }
}

/** Returns why a key cannot be registered; null if it can. */
export async function faultOfNewKey(key: ClientKey): Promise<string | null> {
  const fault = faultOfKey(key)
  if (fault !== null) return fault
  return await importKey(key).then(
    () => null,
    () => 'is not a valid public key',
  )
}

/** Prepares a key to verify signatures. Rejects for an EC key that is not a point on its curve. */
export async function importKey(key: ClientKey): Promise<CryptoKey | Uint8Array> {
  const { kid: _, ...members } = publicKey(key)
  return await importJWK(members, ALGORITHMS[key.kty])
}

/**
 * Returns why an RSA key is too weak; null for other keys. With the exponent 1, the signature is the message, so no
 * private key is needed. A modulus with leading zeros has fewer bits than the length says.
 */
export function faultOfKey(key: ClientKey): string | null {
  if (key.kty !== 'RSA') return null
  const [modulus, exponent] = [bytesOf(key.n), bytesOf(key.e)]
  if (modulus === null || exponent === null) {
    return 'n and e must be numbers in base64url without zeros at the start'
  }
  const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24
  if (bits < MIN_BITS || bits > MAX_BITS || !isOdd(modulus)) {
    return 'n must be an odd number of 2,048 to 4,096 bits'
  }
  const isOne = exponent.length === 1 && exponent[0] === 1
  return isOne || !isOdd(exponent) ? 'e must be an odd number of at least 3' : null
}

/** Base64urlUInt (RFC 7518 §2): the shortest form of a number that is not zero; null for other strings. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  const isShortest = bytes.length > 0 && bytes[0] !== 0
  return isShortest && bytes.toString('base64url') === text ? bytes : null
}

function isOdd(bytes: Buffer): boolean {
  return ((bytes.at(-1) ?? 0) & 1) === 1
}

const MIN_BITS = 2_048
const MAX_BITS = 4_096
