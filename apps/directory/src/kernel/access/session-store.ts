import { sql } from '@plumbline/scim/internal'
import { type Database, readRows } from '../store/database.ts'

/** A console session. The secret in the browser's cookie is stored as a hash. */
export interface SessionRow {
  readonly hash: string
  /** Null for a session of `DIRECTORY_TOKEN`. */
  readonly token_id: string | null
  /** The hash of `DIRECTORY_TOKEN` with the session's secret; null for a token's session. */
  readonly proof: string | null
  readonly created_at: number
  readonly used_at: number
}

/** Stores a session. */
export async function insertSession(db: Database, row: SessionRow): Promise<void> {
  const { hash, token_id, proof, created_at, used_at } = row
  await db.exec(
    sql`insert into sessions (hash, token_id, proof, created_at, used_at)
    values (${hash}, ${token_id}, ${proof}, ${created_at}, ${used_at})`,
  )
}

/** Finds a session by the secret's hash, or null. */
export async function findSessionRow(db: Database, hash: string): Promise<SessionRow | null> {
  const statement = sql`
    select hash, token_id, proof, created_at, used_at from sessions where hash = ${hash}`
  const [row] = await readRows<SessionRow>(db, statement)
  if (row === undefined) return null
  // PostgreSQL may return a bigint as a string.
  return { ...row, created_at: Number(row.created_at), used_at: Number(row.used_at) }
}

/** Stores when a session was used. */
export async function touchSession(db: Database, hash: string, now: number): Promise<void> {
  await db.exec(sql`update sessions set used_at = ${now} where hash = ${hash}`)
}

/** Deletes a session. */
export async function deleteSession(db: Database, hash: string): Promise<void> {
  await db.exec(sql`delete from sessions where hash = ${hash}`)
}

/** Deletes the sessions created or used too long ago. */
export async function deleteSessionsBefore(
  db: Database,
  { created, used }: { readonly created: number; readonly used: number },
): Promise<void> {
  await db.exec(sql`delete from sessions where created_at <= ${created} or used_at <= ${used}`)
}
