/**
 * Returns the attribute whose value is taken, for an error of a unique constraint; null for a constraint that
 * does not belong to an attribute, such as the key of a table.
 */
export function takenAttribute(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const { constraint } = at as { readonly constraint?: unknown }
    const [, columns] = SQLITE_MESSAGE.exec(at.message) ?? []
    const attribute = ATTRIBUTES.get(String(constraint ?? columns))
    if (attribute !== undefined) return attribute
    at = at.cause
  }
  return null
}

/** Keyed by the constraint, which PostgreSQL reports, and by its columns, which SQLite reports. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['users_by_user_name', 'userName'],
  ['users.tenant_id, users.user_name_key', 'userName'],
])
const SQLITE_MESSAGE = /UNIQUE constraint failed: ([\w., ]+)$/
