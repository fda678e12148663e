import type { SqlDialect } from '../../kernel/store/store.ts'

/**
 * Creates tenants' webhooks, and their newest deliveries. A webhook refers to the changes with a position, so waiting
 * changes don't need rows. A lease names the process that does some work; its `beat` counts the renewals.
 */
export function createWebhooks({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table webhooks (
      tenant_id ${text} not null,
      id ${text} not null,
      url ${text} not null,
      kinds ${document},
      secret ${text} not null,
      old_secret ${text},
      old_secret_until bigint,
      created_at bigint not null,
      position bigint not null,
      attempts bigint not null,
      next_attempt_at bigint not null,
      failing_since bigint,
      disabled_at bigint,
      disabled_reason ${text},
      primary key (tenant_id, id)
    )`,
    'create index webhooks_by_attempt on webhooks (next_attempt_at) where disabled_at is null',
    `create table deliveries (
      tenant_id ${text} not null,
      webhook_id ${text} not null,
      id ${text} not null,
      position bigint not null,
      type ${text} not null,
      attempted_at bigint not null,
      duration bigint not null,
      status bigint,
      answer ${text} not null,
      primary key (tenant_id, webhook_id, id)
    )`,
    `create table leases (
      name ${text} primary key,
      holder ${text} not null,
      beat bigint not null
    )`,
  ]
}

/** Adds the audience for webhooks with Security Event Tokens. */
export function addAudience({ text }: SqlDialect): readonly string[] {
  return [`alter table webhooks add column audience ${text}`]
}
