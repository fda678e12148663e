// The tables' rows, which the migrations create. Times are in milliseconds since 1970.

/** A customer of the directory. A tenant never sees another's data. */
export interface TenantRow {
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly disabled_at: number | null
  readonly deleted_at: number | null
}

/** A stored token: its hash, not the token itself. An administrator's token does not belong to a tenant. */
export interface TokenRow {
  readonly id: string
  readonly tenant_id: string | null
  readonly name: string
  readonly hash: string
  readonly role: string
  readonly profile: string
  readonly user_id: string | null
  readonly created_at: number
  readonly last_used_at: number | null
  readonly expires_at: number | null
  readonly lifetime: number | null
  readonly access: string
  readonly replaces: string | null
}

/**
 * A stored OAuth client (RFC 6749 §2): the hashes of its secrets, not the secrets themselves. A client with
 * keys does not know its secret.
 */
export interface ClientRow {
  readonly id: string
  readonly tenant_id: string
  readonly name: string
  readonly profile: string
  readonly access: string
  readonly user_id: string | null
  readonly secret_hash: string
  readonly revision: number
  readonly old_secret_hash: string | null
  readonly old_secret_until: number | null
  /** The public keys as a JSON list; null if it authenticates with a secret. */
  readonly public_keys: string | null
  readonly created_at: number
  readonly last_used_at: number | null
}
