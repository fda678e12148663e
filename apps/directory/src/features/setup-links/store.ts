import { randomBytes } from 'node:crypto'
import { raw, sql } from '@plumbline/scim/internal'
import { createId } from '../../kernel/ids.ts'
import { type Database, insertRows, readRow, readRows } from '../../kernel/store/database.ts'
import { isSameHash, sha256 } from '../../kernel/store/sha256.ts'

/** A link for a customer's administrator to connect one tenant's provider. */
export interface SetupLinkRow {
  readonly id: string
  readonly tenant_id: string
  readonly name: string
  /** The secret's hash. */
  readonly hash: string
  readonly created_at: number
  readonly expires_at: number
  /** When a browser has opened it; null before. */
  readonly opened_at: number | null
  /** The hash of the secret in this browser's cookie. */
  readonly session_hash: string | null
  /** The token created with it. */
  readonly token_id: string | null
}

/** A new link. Only `text` has the secret. */
export interface CreatedSetupLink {
  readonly row: SetupLinkRow
  readonly text: string
}

/** Stores a link, and deletes the tenant's links that expired a month ago. */
export async function createSetupLink(
  db: Database,
  link: Pick<SetupLinkRow, 'tenant_id' | 'name' | 'created_at' | 'expires_at'>,
): Promise<CreatedSetupLink> {
  const { created_at, tenant_id } = link
  const secret = randomBytes(32).toString('base64url')
  const row: SetupLinkRow = {
    ...link,
    id: createId(created_at),
    hash: sha256(secret),
    opened_at: null,
    session_hash: null,
    token_id: null,
  }
  const old = created_at - MONTH
  await db.exec(
    sql`delete from setup_links where tenant_id = ${tenant_id} and expires_at <= ${old}`,
  )
  await insertRows(db, 'setup_links', [row])
  return { row, text: `${row.id}.${secret}` }
}

/** Lists a tenant's links, oldest first. */
export async function listSetupLinks(
  db: Database,
  tenantId: string,
): Promise<readonly SetupLinkRow[]> {
  return await readRows(
    db,
    sql`select ${raw(COLUMNS)} from setup_links where tenant_id = ${tenantId} order by id`,
  )
}

/** Deletes a link, and so ends its session; returns whether it existed. */
export async function deleteSetupLink(db: Database, id: string): Promise<boolean> {
  return (await db.exec(sql`delete from setup_links where id = ${id}`)).affectedRows > 0
}

/** Finds a link by its text; null if it is unknown. The secret is compared in constant time. */
export async function findSetupLink(db: Database, text: string): Promise<SetupLinkRow | null> {
  const [id = '', secret = '', ...others] = text.split('.')
  if (others.length > 0) return null
  const row = await readRow<SetupLinkRow>(
    db,
    sql`select ${raw(COLUMNS)} from setup_links where id = ${id}`,
  )
  return row !== null && isSameHash(row.hash, sha256(secret)) ? row : null
}

/** Stores a link's session, unless it has one or has expired; returns whether it was stored. */
export async function openSetupLink(
  db: Database,
  id: string,
  { sessionHash, now }: { readonly sessionHash: string; readonly now: number },
): Promise<boolean> {
  const { affectedRows } = await db.exec(
    sql`update setup_links set opened_at = ${now}, session_hash = ${sessionHash}
      where id = ${id} and opened_at is null and expires_at > ${now}`,
  )
  return affectedRows === 1
}

/** Finds a session's link; null if it does not exist. */
export async function findSetupSession(
  db: Database,
  sessionHash: string,
): Promise<SetupLinkRow | null> {
  return await readRow(
    db,
    sql`select ${raw(COLUMNS)} from setup_links where session_hash = ${sessionHash}`,
  )
}

/** Stores a link's token in place of the previous one; returns whether the link still had that one. */
export async function setSetupToken(
  db: Database,
  { id, token_id }: Pick<SetupLinkRow, 'id' | 'token_id'>,
  tokenId: string,
): Promise<boolean> {
  const { affectedRows } = await db.exec(
    sql`update setup_links set token_id = ${tokenId}
      where id = ${id} and coalesce(token_id, '') = ${token_id ?? ''}`,
  )
  return affectedRows === 1
}

const COLUMNS =
  'id, tenant_id, name, hash, created_at, expires_at, opened_at, session_hash, token_id'
const MONTH = 30 * 86_400_000
