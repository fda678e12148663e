import { failure, type Result, success } from '@plumbline/result'
import { sql } from '@plumbline/scim/internal'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import {
  type CreatedToken,
  insertToken,
  isExpired,
  selectToken,
} from '../../kernel/access/token-store.ts'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'
import type { TokenRow } from '../../kernel/store/tables.ts'

/** A rotation's options. */
export interface RotationOptions {
  /** How long (ms) the old token is still accepted; 0 revokes it immediately. */
  readonly overlap: number
  /** When the new token expires, or null for never. Defaults to the old one's lifetime. */
  readonly expiresAt?: number | null | undefined
  readonly now: number
}

/** A token cannot be rotated. */
export class RotationError extends Error {
  override readonly name: string = 'RotationError'
  readonly code: 'not-found' | 'expired' | 'replaced'

  constructor(code: RotationError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Creates a token with an old one's properties. The old one expires after the overlap, or when it expires anyway, if
 * that is earlier. It runs in a transaction: if one token is rotated concurrently, one rotation succeeds.
 */
export async function rotateToken(
  db: Database,
  { locks }: Pick<SqlDialect, 'locks'>,
  id: string,
  { overlap, expiresAt, now }: RotationOptions,
): Promise<Result<CreatedToken, RotationError>> {
  const [old] = await readRows<TokenRow>(db, selectToken(id, locks?.change))
  if (old === undefined || (await isOfDeletedTenant(db, old))) {
    return failure(new RotationError('not-found', 'Token not found.'))
  }
  if (isExpired(old, now)) {
    return failure(new RotationError('expired', 'The token has expired: create a new one.'))
  }
  const replacement = await readRow<Pick<TokenRow, 'id'>>(
    db,
    sql`select id from tokens where replaces = ${id}`,
  )
  if (replacement !== null) {
    const text = `Token ${replacement.id} has already replaced it: rotate or revoke that one.`
    return failure(new RotationError('replaced', text))
  }
  const end = now + overlap
  if (old.expires_at === null || end < old.expires_at) {
    await db.exec(sql`update tokens set expires_at = ${end} where id = ${id}`)
  }
  const { tenant_id, name, role, profile, user_id, access, lifetime } = old
  const inherited = lifetime === null ? null : now + lifetime
  return success(
    await insertToken(db, {
      tenant_id,
      name,
      role,
      profile,
      user_id,
      access,
      created_at: now,
      expires_at: expiresAt === undefined ? inherited : expiresAt,
      replaces: id,
    }),
  )
}

/** Whether a token's tenant is marked for deletion: its rows are deleted later. */
async function isOfDeletedTenant(
  db: Database,
  { tenant_id }: Pick<TokenRow, 'tenant_id'>,
): Promise<boolean> {
  return tenant_id !== null && (await findTenant(db, tenant_id)) === null
}
