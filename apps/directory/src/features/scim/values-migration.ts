import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { countWithin, raw, sql } from '@plumbline/scim/internal'
import { type Database, execAll, readRow, readRows } from '../../kernel/store/database.ts'
import type { Migrated } from '../../kernel/store/migrations/migrated.ts'
import { MAX_PAGE_BYTES } from '../../kernel/store/sizes.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'
import { createValueIndex, ownerOf } from './value-index/value-index.ts'

/**
 * Builds the index of multi-valued attributes from the stored users, to replace the e-mail address index. Each
 * batch is a transaction and also stores the next position, so an interrupted run is continued.
 */
export async function indexValues({ transaction }: Migrated, dialect: SqlDialect): Promise<void> {
  const isNeeded = await transaction(async (tx) => {
    // Another process has finished.
    if ((await readRow(tx, dialect.hasTable('user_emails'))) === null) return false
    for (const statement of createIndex(dialect)) await tx.exec(raw(statement))
    const ending = raw(dialect.skipExisting(['name']))
    await tx.exec(
      sql`insert into settings (name, value) values (${POSITION}, ${JSON.stringify(FIRST)}) ${ending}`,
    )
    return true
  })
  if (!isNeeded) return
  while (await transaction((tx) => indexBatch(tx, dialect))) {
    // Each call indexes the next users.
  }
}

function createIndex({ text, clustered }: SqlDialect): readonly string[] {
  return [
    `create table if not exists user_values (
      tenant_id ${text} not null,
      resource_id ${text} not null,
      attribute ${text} not null,
      position integer not null,
      value_key ${text},
      type_key ${text},
      is_primary boolean,
      primary key (tenant_id, resource_id, attribute, position),
      foreign key (tenant_id, resource_id) references users (tenant_id, id) on delete cascade
    )${clustered}`,
    `create index if not exists user_values_by_value
      on user_values (tenant_id, attribute, value_key, resource_id, type_key)`,
  ]
}

/** Indexes the next users; returns whether others are left. */
async function indexBatch(db: Database, { name }: SqlDialect): Promise<boolean> {
  const position = await readPosition(db)
  if (position === null) return false
  const users = await readNext(db, position)
  const last = users.at(-1)
  if (last === undefined) {
    await db.exec(sql`drop table user_emails`)
    await db.exec(sql`delete from settings where name = ${POSITION}`)
    return false
  }
  const owned = users.map(({ tenant_id, id, resource }) => ({
    owner: ownerOf({ tenantId: tenant_id }, id),
    resource: JSON.parse(resource),
  }))
  await execAll(db, INDEX.insert(owned, name))
  const next = JSON.stringify([last.tenant_id, last.id])
  await db.exec(sql`update settings set value = ${next} where name = ${POSITION}`)
  return true
}

/** The user after which the next batch begins; null if all are indexed. */
async function readPosition(db: Database): Promise<Position | null> {
  const [row] = await readRows<{ readonly value: string }>(
    db,
    sql`select value from settings where name = ${POSITION}`,
  )
  return row === undefined ? null : JSON.parse(row.value)
}

/** Reads the next users, at most 1,000 and about 16 MiB of JSON, and at least one if others are left. */
async function readNext(db: Database, [tenant, id]: Position): Promise<readonly UserRow[]> {
  const from = sql`from users where (tenant_id, id) > (${tenant}, ${id}) order by tenant_id, id`
  const sizes = await readRows<{ readonly size: unknown }>(
    db,
    sql`select octet_length(resource) as size ${from} limit ${raw(String(MAX_TOGETHER))}`,
  )
  const count = countWithin(
    sizes.map(({ size }) => Number(size)),
    MAX_PAGE_BYTES,
  )
  return await readRows<UserRow>(db, sql`select tenant_id, id, resource ${from} limit ${count}`)
}

type Position = readonly [tenant: string, id: string]

interface UserRow {
  readonly tenant_id: string
  readonly id: string
  readonly resource: string
}

/** The setting that stores the next batch's position. */
const POSITION = 'values_indexed_to'
const FIRST: Position = ['', '']
const MAX_TOGETHER = 1_000
const INDEX = createValueIndex(
  {
    [USER_DEFINITION.id]: USER_DEFINITION,
    [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  },
  'user_values',
  // Users stored without an index may have more values.
  { most: Number.POSITIVE_INFINITY },
)
