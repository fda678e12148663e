import { sql } from '@plumbline/scim/internal'
import { createEpoch } from '../../kernel/store/cursor.ts'
import type { Database } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'

/**
 * Creates tenants' changes, numbered with a counter in each tenant's feed. Only waiting changes have a release time,
 * and only changes that take access from a user have a risk time, so both indexes are small.
 */
export function createChanges({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table change_feeds (
      tenant_id ${text} primary key,
      position bigint not null,
      deleted_to bigint not null default 0,
      bytes bigint not null,
      state ${text} not null default 'active',
      held_after bigint,
      counted_after bigint not null default 0,
      hold ${document},
      rule ${document}
    )`,
    `create table changes (
      tenant_id ${text} not null,
      position bigint not null,
      time bigint not null,
      risk_at bigint,
      releases_at bigint,
      type ${text} not null,
      resource_id ${text} not null,
      token_id ${text},
      change ${document} not null,
      before ${document},
      bytes bigint not null,
      primary key (tenant_id, position)
    )`,
    `create index changes_by_risk on changes (tenant_id, risk_at, resource_id)
      where risk_at is not null`,
    `create index changes_by_release on changes (tenant_id, releases_at, position)
      where releases_at is not null`,
  ]
}

/** Indexes changes that take access from a user by position, so waiting ones are found without reading the others. */
export function indexRiskyChanges(): readonly string[] {
  return [
    `create index changes_by_risky_position on changes (tenant_id, position)
      where risk_at is not null`,
  ]
}

/**
 * Gives each feed an epoch, and each tenant a feed. Cursors of the version before do not have an epoch, and belong to the first
 * one. All feeds share it: a statement per tenant would take minutes on a cluster.
 */
export async function addEpochs(db: Database): Promise<void> {
  const epoch = createEpoch()
  await db.exec(sql`update change_feeds set epoch = ${epoch}, first_epoch = ${epoch}`)
  await db.exec(
    sql`insert into change_feeds (tenant_id, position, bytes, epoch, first_epoch)
      select id, 0, 0, ${epoch}, ${epoch} from tenants
      where true on conflict (tenant_id) do nothing`,
  )
}

/** Adds the columns of `addEpochs`. */
export function addEpochColumns({ text }: SqlDialect): readonly string[] {
  return [
    `alter table change_feeds add column epoch ${text}`,
    `alter table change_feeds add column first_epoch ${text}`,
  ]
}

/** Keeps at which position the users that lost their access are counted again. */
export function addCountAt(): readonly string[] {
  return ['alter table change_feeds add column count_at bigint not null default 0']
}

/** Removes the values that a change overwrote: only the undo of changes, which no longer exists, has read them. */
export function dropOverwrittenValues(): readonly string[] {
  return ['alter table changes drop column before']
}

/** Adds the names of deleted resources, so an administrator sees whom the waiting changes concern. */
export function addDeletedNames({ text }: SqlDialect): readonly string[] {
  return [`alter table changes add column name ${text}`]
}

/** Keeps up to which position waiting changes are stored, if all need too many bytes. */
export function addStoredTo(): readonly string[] {
  return ['alter table change_feeds add column stored_to bigint']
}
