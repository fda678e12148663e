import type { SqlDialect } from '../../kernel/store/store.ts'

/**
 * Creates the table for set-up links. A link's and the browser's secrets are stored as hashes. `token_id` is the token
 * created with the link.
 */
export function createSetupLinks({ text }: SqlDialect): readonly string[] {
  return [
    `create table setup_links (
      id ${text} primary key,
      tenant_id ${text} not null references tenants (id),
      name ${text} not null,
      hash ${text} not null,
      created_at bigint not null,
      expires_at bigint not null,
      opened_at bigint,
      session_hash ${text},
      token_id ${text}
    )`,
    'create index setup_links_by_tenant on setup_links (tenant_id)',
    'create unique index setup_links_by_session on setup_links (session_hash)',
  ]
}
