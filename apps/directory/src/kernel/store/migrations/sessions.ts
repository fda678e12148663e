import type { SqlDialect } from '../store.ts'

/**
 * Creates the table for console sessions. A session belongs to a token, or to `DIRECTORY_TOKEN`, whose proof is
 * a hash over it and the session's secret: it cannot be guessed from the table.
 */
export function createSessions({ text }: SqlDialect): readonly string[] {
  return [
    `create table sessions (
      hash ${text} primary key,
      token_id ${text},
      proof ${text},
      created_at bigint not null,
      used_at bigint not null
    )`,
  ]
}
