import { randomBytes } from 'node:crypto'
import { raw, sql } from '@plumbline/scim/internal'
import { createId } from '../ids.ts'
import type { Profile } from '../profiles.ts'
import { type Database, insertRows, readRow, readRows } from '../store/database.ts'
import { isSameHash, sha256 } from '../store/sha256.ts'
import type { ClientRow } from '../store/tables.ts'
import type { Access } from './token-store.ts'

/** A new client's properties. */
export interface ClientOptions {
  readonly tenantId: string
  readonly name: string
  readonly profile: Profile
  readonly access: Access
  /** The user that `/Me` returns. */
  readonly userId: string | null
  /** The public keys as a JSON list; null for a client with a secret. */
  readonly keys: string | null
  readonly now: number
}

/** A client with a new secret, found only in this value; null for a client with keys. */
export interface ClientWithSecret {
  readonly row: ClientRow
  readonly secret: string | null
}

/** Creates a client. */
export async function createClient(
  db: Database,
  { tenantId, name, profile, access, userId, keys, now }: ClientOptions,
): Promise<ClientWithSecret> {
  const secret = createSecret()
  const row: ClientRow = {
    id: createId(now),
    tenant_id: tenantId,
    name,
    profile,
    access,
    user_id: userId,
    secret_hash: sha256(secret),
    revision: 1,
    old_secret_hash: null,
    old_secret_until: null,
    public_keys: keys,
    created_at: now,
    last_used_at: null,
  }
  await insertRows(db, 'clients', [row])
  return { row, secret: keys === null ? secret : null }
}

/**
 * Replaces a client's secret or keys; returns null if the client does not exist. The previous secret stays
 * valid until a given time; an older one, and the previous keys, become invalid immediately.
 */
export async function rotateClient(
  db: Database,
  id: string,
  { oldSecretUntil, keys }: { readonly oldSecretUntil: number } & Pick<ClientOptions, 'keys'>,
): Promise<ClientWithSecret | null> {
  const secret = createSecret()
  // One statement, so concurrent rotations replace each other's secrets.
  await db.exec(sql`
    update clients set old_secret_hash = secret_hash, old_secret_until = ${oldSecretUntil},
      secret_hash = ${sha256(secret)}, public_keys = ${keys}, revision = revision + 1
    where id = ${id}`)
  const row = await findClient(db, id)
  return row === null ? null : { row, secret: keys === null ? secret : null }
}

/** Finds a client by id, or null. */
export async function findClient(db: Database, id: string): Promise<ClientRow | null> {
  const [row] = await readRows<ClientRow>(
    db,
    sql`select ${raw(COLUMNS)} from clients where id = ${id}`,
  )
  return row ?? null
}

/** Lists a tenant's clients, oldest first. */
export async function listClients(db: Database, tenantId: string): Promise<readonly ClientRow[]> {
  return await readRows(
    db,
    sql`select ${raw(COLUMNS)} from clients where tenant_id = ${tenantId} order by id`,
  )
}

/** Deletes a client; returns whether it existed. */
export async function deleteClient(db: Database, id: string): Promise<boolean> {
  return (await db.exec(sql`delete from clients where id = ${id}`)).affectedRows > 0
}

/** Stores when a client was used. */
export async function touchClient(db: Database, { id }: ClientRow, now: number): Promise<void> {
  await db.exec(sql`update clients set last_used_at = ${now} where id = ${id}`)
}

/** Returns the revision of a client's secret; null if it is not valid. The hashes are compared in constant time. */
export function revisionOf(row: ClientRow, secret: string, now: number): number | null {
  const hash = sha256(secret)
  const isCurrent = isSameHash(row.secret_hash, hash)
  const isOld = row.old_secret_hash !== null && isSameHash(row.old_secret_hash, hash)
  if (isCurrent) return row.revision
  return isOld && isValidRevision(row, row.revision - 1, now) ? row.revision - 1 : null
}

/** Whether a revision's secret is valid: the current one, or the one before it for some time. */
export function isValidRevision(
  { revision, old_secret_until }: Pick<ClientRow, 'revision' | 'old_secret_until'>,
  wanted: number,
  now: number,
): boolean {
  if (wanted === revision) return true
  return wanted === revision - 1 && old_secret_until !== null && now < old_secret_until
}

/** The key that signs access tokens. */
export async function readAccessTokenKey(db: Database): Promise<string> {
  const row = await readRow<{ readonly value: string }>(
    db,
    sql`select value from settings where name = 'access_token_key'`,
  )
  if (row === null) {
    throw new Error('access_token_key is missing in the settings of the database')
  }
  return row.value
}

function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

const COLUMNS = `id, tenant_id, name, profile, access, user_id, secret_hash, revision, old_secret_hash,
  old_secret_until, public_keys, created_at, last_used_at`
