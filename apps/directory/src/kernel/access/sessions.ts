import { randomBytes } from 'node:crypto'
import { MINUTE } from '../durations.ts'
import { memoize } from '../memoize.ts'
import { isTransient } from '../store/faults.ts'
import { sha256 } from '../store/sha256.ts'
import { ONE_STATEMENT, type Store } from '../store/store.ts'
import {
  type AuthOptions,
  findPrincipal,
  type Principal,
  principalOf,
  ROOT,
} from './authenticate.ts'
import { recordUse } from './record-use.ts'
import {
  deleteSession,
  deleteSessionsBefore,
  findSessionRow,
  insertSession,
  type SessionRow,
  touchSession,
} from './session-store.ts'
import { findTokenById, isSameText } from './token-store.ts'

/** An administrator's session in the console. */
export interface Session {
  /** The cookie's value. */
  readonly secret: string
  readonly principal: Principal
}

/** A new session, or why the token doesn't get one. */
export type SignIn = Session | 'unknown' | 'client'

/**
 * Creates a session for an administrator's token, and deletes expired sessions. If the database isn't writable, for
 * example on a full disk, the session is kept in this process's memory.
 */
export async function createSession(text: string, auth: AuthOptions): Promise<SignIn> {
  const principal = await findPrincipal(text, auth)
  if (principal === null) return 'unknown'
  if (principal.role !== 'admin') return 'client'
  const now = auth.now()
  const secret = randomBytes(32).toString('base64url')
  const row: SessionRow = {
    hash: sha256(secret),
    token_id: principal.tokenId,
    proof: principal.tokenId === null ? proofOf(secret, text) : null,
    created_at: now,
    used_at: now,
  }
  try {
    await auth.store.write(async (db) => {
      await deleteSessionsBefore(db, { created: now - MAX_SESSION_MS, used: now - IDLE })
      await insertSession(db, row)
    })
  } catch (error) {
    if (!isTransient(error)) throw error
    auth.store.jobs.failed('sessions', error)
    keepInMemory(unwritten.get(auth.store), row)
  }
  return { secret, principal }
}

/**
 * Finds a cookie's session. Returns null for an expired or ended session, and for an invalid token. Reads the database
 * each time, so ending a session takes effect in every process.
 */
export async function findSession(
  secret: string,
  { isUsed, ...auth }: AuthOptions & { readonly isUsed: boolean },
): Promise<Session | null> {
  if (!SECRET.test(secret)) return null
  const { store } = auth
  const hash = sha256(secret)
  const now = auth.now()
  const row =
    unwritten.get(store).get(hash) ??
    (await store.read((db) => findSessionRow(db, hash), ONE_STATEMENT))
  if (row === null || isExpired(row, now)) return null
  const { token_id } = row
  const token =
    token_id === null ? null : await store.read((db) => findTokenById(db, token_id), ONE_STATEMENT)
  const principal = token === null ? rootOf(row, secret, auth) : principalOf(token, now)
  if (principal?.role !== 'admin') return null
  if (isUsed && now - row.used_at >= MINUTE) noteUse(hash, auth)
  return { secret, principal }
}

/** Ends a session in every process. */
export async function endSession(secret: string, { store }: AuthOptions): Promise<void> {
  const hash = sha256(secret)
  if (unwritten.get(store).delete(hash)) return
  await store.write((db) => deleteSession(db, hash))
}

/** Returns the principal for a `DIRECTORY_TOKEN` session; null if the variable has changed. */
function rootOf({ proof }: SessionRow, secret: string, { token }: AuthOptions) {
  if (proof === null || token === null) return null
  return isSameText(proof, proofOf(secret, token)) ? ROOT : null
}

function proofOf(secret: string, token: string): string {
  return sha256(`${secret} ${token}`)
}

function isExpired({ created_at, used_at }: SessionRow, now: number): boolean {
  return now - created_at >= MAX_SESSION_MS || now - used_at >= IDLE
}

/** Notes when a session was used. */
function noteUse(hash: string, { store, now }: AuthOptions): void {
  const time = now()
  const row = unwritten.get(store).get(hash)
  if (row === undefined) recordUse(store, (db) => touchSession(db, hash, time))
  else unwritten.get(store).set(hash, { ...row, used_at: time })
}

function keepInMemory(rows: Map<string, SessionRow>, row: SessionRow): void {
  const [oldest] = rows.keys()
  if (rows.size >= MAX_UNWRITTEN && oldest !== undefined) rows.delete(oldest)
  rows.set(row.hash, row)
}

/** Sessions not yet in the database, keyed by their secrets' hashes. */
const unwritten = memoize((_: Store) => new Map<string, SessionRow>())
const MAX_UNWRITTEN = 100
/** How long (ms) a session lasts at most. */
export const MAX_SESSION_MS: number = 8 * 60 * MINUTE
/** How long (ms) a session lasts without a page being opened. */
const IDLE = 60 * MINUTE
/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/
