import { sql } from '@plumbline/scim/internal'
import { type Database, readRow } from '../../kernel/store/database.ts'
import { sha256 } from '../../kernel/store/sha256.ts'

/** An assertion a client used to authenticate, until it expires. */
export interface UsedAssertion {
  readonly clientId: string
  /** The assertion's `jti`. */
  readonly id: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * Stores the use of an assertion, and deletes expired ones. Returns `replayed` if the client has used it
 * before, and `full` if the client has too many unexpired ones.
 */
export async function useAssertion(
  db: Database,
  { clientId, id, expiresAt }: UsedAssertion,
  now: number,
): Promise<'used' | 'replayed' | 'full'> {
  await db.exec(sql`delete from used_assertions where expires_at <= ${now}`)
  const counted = await readRow<{ readonly used: unknown }>(
    db,
    sql`select count(*) as used from used_assertions where client_id = ${clientId}`,
  )
  if (Number(counted?.used) >= MAX_USED) return 'full'
  // One statement, so only one concurrent use succeeds.
  const { affectedRows } = await db.exec(sql`
    insert into used_assertions (client_id, id_hash, expires_at)
    values (${clientId}, ${sha256(id)}, ${expiresAt})
    on conflict (client_id, id_hash) do nothing`)
  return affectedRows > 0 ? 'used' : 'replayed'
}

/** The maximum number of a client's unexpired assertions: three per second for an hour. */
const MAX_USED = 10_000
