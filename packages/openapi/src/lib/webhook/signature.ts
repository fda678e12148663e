import {
  type Form,
  type Forms,
  FUNCTION,
  kindOf,
  required,
  requireOptions,
  whole,
} from '@plumbline/base'

/** The content being signed (Standard Webhooks, "Signature scheme"). */
export interface SignedContent {
  /** The message ID, which stays the same when it is sent again: 1 to 256 visible ASCII characters without a dot. */
  readonly id: string
  /** When this attempt was made, in whole seconds since 1970. */
  readonly timestamp: number
  readonly body: Uint8Array<ArrayBuffer>
}

/** Signs a message. Returns the value for the header `webhook-signature`. */
export type Sign = (content: SignedContent) => Promise<string>

/** Verifies a message's headers and body. Returns why it is rejected, or its ID and time. */
export type Verify = (
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
) => Promise<VerifiedMessage | VerificationFault>

/** A message with a valid signature. */
export interface VerifiedMessage {
  readonly id: string
  /** When the attempt was made, in seconds since 1970. */
  readonly timestamp: number
}

/** The reason why a message is rejected. */
export interface VerificationFault {
  readonly code: 'missing-header' | 'malformed-header' | 'expired' | 'invalid-signature'
  readonly message: string
}

/**
 * Creates a function that signs messages as Standard Webhooks defines it: HMAC-SHA-256 with each secret. While a secret
 * is being replaced, sign with both. Throws a TypeError without a secret, and unless each is `whsec_` and 24 to 64 bytes
 * of base64. The function rejects with a TypeError for an ID or a timestamp that receivers must not accept.
 *
 * @example
 * ```ts
 * import { signWebhooks } from '@plumbline/openapi/webhooks'
 *
 * const sign = signWebhooks('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
 * const body = new TextEncoder().encode('{"test": 2432232314}')
 * const signature = await sign({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body })
 * signature //=> 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
 * ```
 * @see https://www.standardwebhooks.com
 */
export function signWebhooks(...secrets: readonly [string, ...string[]]): Sign {
  const keys = importSecrets('signWebhooks', secrets)
  return async (content) => {
    requireOptions<SignedContent>('sign', content, CONTENT_FORMS)
    const signed = signedBytes(content)
    const signatures = keys.map(async (key) => {
      const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await key(), signed))
      return `v1,${btoa(String.fromCharCode(...bytes))}`
    })
    return (await Promise.all(signatures)).join(' ')
  }
}

/** How messages are verified. */
export interface VerifyOptions {
  /** The most seconds between a message's time and now, before or after; at least 0, defaults to 300. */
  readonly tolerance?: number
  /** Returns the time in milliseconds since 1970; defaults to `Date.now`. */
  readonly now?: () => number
}

/**
 * Creates a function that verifies Standard Webhooks messages. A message is valid if any signature matches any secret.
 * Web Crypto compares them in constant time. Throws a TypeError for the same secrets as `signWebhooks`, and for other
 * options that are not valid.
 *
 * @see https://www.standardwebhooks.com
 */
export function verifyWebhooks(
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Verify {
  requireOptions<VerifyOptions>('verifyWebhooks', options, VERIFY_FORMS)
  const { tolerance = 300, now = Date.now } = options
  const [idRule, isMessageId] = MESSAGE_ID
  const keys = importSecrets('verifyWebhooks', [secrets].flat())
  return async (headers, body) => {
    const id = headers.get(WEBHOOK_ID)
    const time = headers.get(WEBHOOK_TIMESTAMP)
    const signatures = headers.get(WEBHOOK_SIGNATURE)
    const missing = id === null ? WEBHOOK_ID : time === null ? WEBHOOK_TIMESTAMP : WEBHOOK_SIGNATURE
    if (id === null || time === null || signatures === null) {
      return { code: 'missing-header', message: `the header ${missing} is missing` }
    }
    if (!isMessageId(id)) return malformed(WEBHOOK_ID, idRule)
    if (!/^\d{1,12}$/.test(time)) return malformed(WEBHOOK_TIMESTAMP, 'whole seconds since 1970')
    const timestamp = Number(time)
    if (!(Math.abs(now() / 1_000 - timestamp) <= tolerance)) {
      const message = `the time of the message is more than ${tolerance} seconds from now`
      return { code: 'expired', message }
    }
    const signed = signedBytes({ id, timestamp, body })
    for (const signature of signatures.split(' ').slice(0, MAX_SIGNATURES)) {
      const bytes = signature.startsWith('v1,') ? readBase64(signature.slice(3)) : null
      if (bytes === null) continue
      for (const key of keys) {
        if (await crypto.subtle.verify('HMAC', await key(), bytes, signed)) return { id, timestamp }
      }
    }
    return { code: 'invalid-signature', message: 'no signature of the message is valid' }
  }
}

function malformed(name: string, rule: string): VerificationFault {
  return { code: 'malformed-header', message: `the header ${name} must be ${rule}` }
}

function importSecrets(
  owner: string,
  secrets: readonly unknown[],
): readonly (() => Promise<CryptoKey>)[] {
  if (secrets.length === 0) throw new TypeError(`${owner} needs a secret`)
  return secrets.map((secret, at) => {
    const read = readSecret(secret)
    if (typeof read !== 'string') return importKey(read)
    const place = secrets.length === 1 ? 'the secret' : `secret ${at + 1}`
    const wanted = 'whsec_ and 24 to 64 bytes of base64'
    throw new TypeError(`${owner}: ${place} must be ${wanted}, not ${read}`)
  })
}

/** Returns a secret's bytes, or what is wrong with it. The secret itself is not shown. */
function readSecret(secret: unknown): Uint8Array<ArrayBuffer> | string {
  if (typeof secret !== 'string') return kindOf(secret)
  if (secret === '') return 'an empty string'
  if (!secret.startsWith(PREFIX)) return 'a string without whsec_'
  const bytes = readBase64(secret.slice(PREFIX.length))
  if (bytes === null) return 'a string of other characters'
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : `${bytes.length} bytes`
}

/** Imports a key at its first use, because a program may define webhooks before it needs them. */
function importKey(bytes: Uint8Array<ArrayBuffer>): () => Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  let key: Promise<CryptoKey> | undefined
  return () => {
    key ??= crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
    return key
  }
}

function signedBytes({ id, timestamp, body }: SignedContent): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(start.length + body.length)
  bytes.set(start)
  bytes.set(body, start.length)
  return bytes
}

function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** Also those of another realm. Larger elements would be cut to a byte each. */
function isBytes(value: unknown): boolean {
  return ArrayBuffer.isView(value) && Object(value).BYTES_PER_ELEMENT === 1
}

export const WEBHOOK_ID = 'webhook-id'
export const WEBHOOK_TIMESTAMP = 'webhook-timestamp'
export const WEBHOOK_SIGNATURE = 'webhook-signature'

const PREFIX = 'whsec_'
/** A client could send many signatures to cause work. */
const MAX_SIGNATURES = 16
/**
 * Standard Webhooks, "Signature scheme": an ID must not contain a dot, because the signed content could then be split
 * in two ways. Deviation: the length and the other characters are limited too, so an ID survives in a header.
 */
export const MESSAGE_ID: Form = [
  '1 to 256 visible ASCII characters without a dot',
  (value) => typeof value === 'string' && /^[!-\-/-~]{1,256}$/.test(value),
]
const CONTENT_FORMS: Forms<SignedContent> = {
  id: required(MESSAGE_ID),
  timestamp: required(whole(0)),
  body: required(['a Uint8Array', isBytes]),
}
const VERIFY_FORMS: Forms<VerifyOptions> = {
  tolerance: ['seconds of at least 0', (value) => Number.isFinite(value) && Number(value) >= 0],
  now: FUNCTION,
}
