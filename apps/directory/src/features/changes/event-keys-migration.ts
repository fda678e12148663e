import { sql } from '@plumbline/scim/internal'
import type { Database } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'
import { createEventKey } from './event-key-store.ts'

/** Creates the receivers of Security Event Tokens. Each has acknowledged the changes up to its position. */
export function createEventReceivers({ text }: SqlDialect): readonly string[] {
  return [
    `create table event_receivers (
      tenant_id ${text} not null,
      id ${text} not null,
      name ${text} not null,
      audience ${text} not null,
      position bigint not null,
      created_at bigint not null,
      primary key (tenant_id, id)
    )`,
  ]
}

/** Deletes the receivers: webhooks push tokens, and receivers don't poll them any more. */
export function dropEventReceivers(): readonly string[] {
  return ['drop table event_receivers']
}

/** All processes share the keys used to sign Security Event Tokens. */
export async function createEventKeys(db: Database): Promise<void> {
  const keys = JSON.stringify([await createEventKey()])
  await db.exec(sql`insert into settings (name, value) values (${'event_keys'}, ${keys})`)
}
