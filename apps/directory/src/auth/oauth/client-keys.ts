/** A client's public key (RFC 7517) for verifying its assertions: P-256 for ES256, or RSA for RS256. */
export type ClientKey = {
  /** Identifies the key in an assertion's header (RFC 7515 §4.1.4). */
  readonly kid?: string | undefined
} & (
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
)

/** Signature algorithms for assertions (RFC 7518 §3.1). `none` and the shared-secret algorithms are excluded. */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const

/** A signature algorithm for assertions. */
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

/** Returns only a key's public members. */
export function publicKey(key: ClientKey): ClientKey {
  const kid = key.kid === undefined ? {} : { kid: key.kid }
  if (key.kty === 'RSA') return { kty: key.kty, n: key.n, e: key.e, ...kid }
  return { kty: key.kty, crv: key.crv, x: key.x, y: key.y, ...kid }
}

/** Whether a key can be used: a point on its curve, or an RSA modulus and exponent. */
export async function isUsableKey(key: ClientKey): Promise<boolean> {
  return await importKey(key).then(
    () => true,
    () => false,
  )
}

/** Verifies a JWS signature (RFC 7515 §5.2). Always fails if the algorithm needs another key type. */
export async function verifySignature(
  key: ClientKey,
  algorithm: SigningAlgorithm,
  { content, signature }: { readonly content: string; readonly signature: string },
): Promise<boolean> {
  if (KEY_TYPES[algorithm] !== key.kty) return false
  return await crypto.subtle.verify(
    { ...ALGORITHMS[key.kty], hash: 'SHA-256' },
    await importKey(key),
    Buffer.from(signature, 'base64url'),
    Buffer.from(content),
  )
}

async function importKey(key: ClientKey): Promise<CryptoKey> {
  const { kid: _, ...members } = publicKey(key)
  const algorithm = { ...ALGORITHMS[key.kty], namedCurve: 'P-256', hash: 'SHA-256' }
  return await crypto.subtle.importKey('jwk', members, algorithm, false, ['verify'])
}

const ALGORITHMS = { EC: { name: 'ECDSA' }, RSA: { name: 'RSASSA-PKCS1-v1_5' } } as const
const KEY_TYPES: Readonly<Record<SigningAlgorithm, ClientKey['kty']>> = {
  ES256: 'EC',
  RS256: 'RSA',
}
