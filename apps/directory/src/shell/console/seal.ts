import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { isSameText } from '../../kernel/access/token-store.ts'

/** Returns the hidden field's value, which proves a form comes from a page in this session. */
export function formTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url')
}

/** Whether a form comes from a page in this session. */
export function isFormToken(sent: string | null, secret: string): boolean {
  return sent !== null && isSameText(sent, formTokenOf(secret))
}

/** Encrypts a value for a session's cookie (AES-256-GCM). */
export function seal(value: unknown, secret: string): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(ALGORITHM, keyOf(secret), nonce)
  const content = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...content]).toString('base64url')
}

/** Decrypts a value sealed in the same session; null for any other string. */
export function unseal(text: string, secret: string): unknown {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < NONCE + TAG) return null
  const options = { authTagLength: TAG }
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret), bytes.subarray(0, NONCE), options)
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  try {
    const content = [decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]
    return JSON.parse(Buffer.concat(content).toString('utf8'))
  } catch {
    return null
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'cookie', 32))
}

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16
