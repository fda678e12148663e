/** A client's key: signs assertions, and is registered as a JWK Set (RFC 7517 §5). */
export interface SigningKey {
  readonly jwks: { readonly keys: readonly [Readonly<Record<string, string | undefined>>] }
  /** Signs a JWT (RFC 7515 §7.1). `header` replaces members of the header. */
  sign(claims: object, header?: object): Promise<string>
}

/** Creates a key for an algorithm. */
export async function createSigningKey(
  alg: 'ES256' | 'RS256',
  kid: string = 'a',
): Promise<SigningKey> {
  const algorithm = ALGORITHMS[alg]
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const members = kty === 'EC' ? { kty, crv, x, y } : { kty, n, e }
  return {
    jwks: { keys: [{ ...members, kid }] },
    sign: async (claims, header = {}) => {
      const content = `${encode({ alg, kid, ...header })}.${encode(claims)}`
      const data = Buffer.from(content)
      const signature = await crypto.subtle.sign(
        { ...algorithm, hash: 'SHA-256' },
        pair.privateKey,
        data,
      )
      return `${content}.${Buffer.from(signature).toString('base64url')}`
    },
  }
}

/** A part of a JWT. */
export function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

const ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2_048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
}
