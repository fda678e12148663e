import { expect } from 'vitest'
import type { Body, Client } from './harness.ts'

/** Verifies a Security Event Token with the published keys, and returns its claims. */
export async function verifyToken({ directory }: Client, token: unknown): Promise<Body> {
  const keys = await directory.fetch(new Request('http://localhost/.well-known/jwks.json'))
  const jwks: { readonly keys: readonly (JsonWebKey & { readonly kid: string })[] } =
    await keys.json()
  expect(JSON.stringify(jwks)).not.toContain('"d"')
  const [header = '', claims = '', signature = ''] = String(token).split('.')
  const { alg, typ, kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  expect([alg, typ]).toEqual(['ES256', 'secevent+jwt'])
  const jwk = jwks.keys.find((one) => one.kid === kid) ?? {}
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  const [sent, content] = [Buffer.from(signature, 'base64url'), Buffer.from(`${header}.${claims}`)]
  expect(await crypto.subtle.verify(algorithm, key, sent, content)).toBe(true)
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
