import { sql } from '@plumbline/scim/internal'
import { HOUR, WEEK } from '../../kernel/durations.ts'
import { createId } from '../../kernel/ids.ts'
import { type Database, readRow } from '../../kernel/store/database.ts'

/** A private P-256 key (RFC 7517, RFC 7518 §6.2). */
export interface EventJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly d: string
  /** Names the key in a token's header. */
  readonly kid: string
  /** When it starts to sign, in milliseconds since 1970; it has always signed without this time. */
  readonly from?: number
}

/** Creates a key to sign Security Event Tokens. */
export async function createEventKey(): Promise<EventJwk> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { kty: 'EC', crv: 'P-256', x, y, d, kid: createId(Date.now()) }
}

/** The keys at a time. */
export interface CurrentKeys {
  readonly signing: EventJwk
  /** The keys whose public half is published. */
  readonly published: readonly EventJwk[]
}

/** Selects the keys for a given time. A key is published until a week after the next one has started to sign. */
export function currentKeys(keys: readonly [EventJwk, ...EventJwk[]], now: number): CurrentKeys {
  const started = keys.findIndex(({ from = 0 }) => from <= now)
  const signing = keys[started] ?? keys[0]
  const isRetired = (at: number) => (keys[at - 1]?.from ?? Number.POSITIVE_INFINITY) + WEEK <= now
  return { signing, published: keys.filter((_, at) => !isRetired(at)) }
}

/** How a key is replaced. */
export interface KeyRotation {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether the old keys must not verify any more, such as after a leak. The new key signs immediately. */
  readonly isRevoked: boolean
}

/**
 * Adds a key, and returns it. It is published an hour before it signs, so each process and receiver has read
 * it. Unpublished keys are deleted.
 */
export async function rotateEventKeys(
  db: Database,
  { now, isRevoked }: KeyRotation,
): Promise<EventJwk> {
  const old = isRevoked ? [] : currentKeys(await readEventKeys(db), now).published
  const key = { ...(await createEventKey()), from: isRevoked ? now : now + HOUR }
  const value = JSON.stringify([key, ...old])
  await db.exec(sql`update settings set value = ${value} where name = 'event_keys'`)
  return key
}

/** Reads the keys used to sign Security Event Tokens, newest first. */
export async function readEventKeys(db: Database): Promise<readonly [EventJwk, ...EventJwk[]]> {
  const row = await readRow<{ readonly value: string }>(
    db,
    sql`select value from settings where name = 'event_keys'`,
  )
  const [first, ...others] = row === null ? [] : (JSON.parse(row.value) as readonly EventJwk[])
  if (first === undefined) throw new Error('event_keys is missing in the settings of the database')
  return [first, ...others]
}
