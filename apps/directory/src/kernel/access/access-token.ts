import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Access } from './token-store.ts'

/** An access token's content (RFC 6749 §1.4). */
export interface AccessToken {
  readonly clientId: string
  /** The client's tenant, even after the client was deleted. */
  readonly tenantId: string
  /** The number of the secret used for authentication. */
  readonly revision: number
  readonly access: Access
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** Signs an access token with HMAC-SHA-256. The result uses only bearer token characters (RFC 6750 §2.1). */
export function writeAccessToken(token: AccessToken, key: string): string {
  const { clientId, tenantId, revision, access, expiresAt } = token
  const content: Content = [FORMAT, clientId, tenantId, revision, access, expiresAt]
  const signed = `${PREFIX}${Buffer.from(JSON.stringify(content)).toString('base64url')}`
  return `${signed}.${sign(signed, key)}`
}

/** Whether a bearer token looks like an access token: tokens in the database have two parts, access tokens three. */
export function isAccessToken(text: string): boolean {
  return text.startsWith(PREFIX) && text.split('.', 4).length === 3
}

/** Reads an access token; null if the signature is not valid. The token may have expired. */
export function readAccessToken(text: string, key: string): AccessToken | null {
  if (!isAccessToken(text)) return null
  const end = text.lastIndexOf('.')
  const expected = Buffer.from(sign(text.slice(0, end), key))
  const sent = Buffer.from(text.slice(end + 1))
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null
  // The signature proves `writeAccessToken` wrote the content.
  const content = JSON.parse(Buffer.from(text.slice(PREFIX.length, end), 'base64url').toString())
  const [format, clientId, tenantId, revision, access, expiresAt] = content as Content
  return format === FORMAT ? { clientId, tenantId, revision, access, expiresAt } : null
}

type Content = [
  format: number,
  clientId: string,
  tenantId: string,
  revision: number,
  access: Access,
  expiresAt: number,
]

function sign(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

const PREFIX = 'oauth.'
/** The content's version, incremented whenever its shape changes. */
const FORMAT = 1
