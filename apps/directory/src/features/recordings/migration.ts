import { raw } from '@plumbline/scim/internal'
import type { Database } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'

/** Creates the tables for recordings and their requests. */
export function createRecordings({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table recordings (
      tenant_id ${text} not null,
      id ${text} not null,
      created_at bigint not null,
      ends_at bigint not null,
      stopped_at bigint,
      requests bigint not null,
      length bigint not null,
      primary key (tenant_id, id)
    )`,
    `create table recorded_requests (
      tenant_id ${text} not null,
      recording_id ${text} not null,
      position bigint not null,
      exchange ${document} not null,
      primary key (tenant_id, recording_id, position)
    )`,
  ]
}

/** Earlier recordings may contain values that tenants' extensions never return. */
export async function eraseRecordings(
  db: Database,
  { erase }: Pick<SqlDialect, 'erase'>,
): Promise<void> {
  for (const table of ['recorded_requests', 'recordings']) {
    for (const statement of erase(table)) await db.exec(raw(statement))
  }
}
