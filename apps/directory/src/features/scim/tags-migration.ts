import { bindList, joinFragments, raw, sql } from '@plumbline/scim/internal'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import type { Migrated } from '../../kernel/store/migrations/migrated.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'
import { createTag } from './tags.ts'

/**
 * Replaces the entity tags of users with registered extensions. They were digests of the whole user, from which a client
 * could guess values that are never returned. Each batch is a transaction and also stores the next position, so an
 * interrupted run is continued.
 */
export async function renewTags({ transaction }: Migrated, dialect: SqlDialect): Promise<void> {
  const ending = raw(dialect.skipExisting(['name']))
  await transaction((tx) =>
    tx.exec(
      sql`insert into settings (name, value) values (${POSITION}, ${JSON.stringify(FIRST)}) ${ending}`,
    ),
  )
  while (await transaction(renewBatch)) {
    // Each call renews the tags of the next users.
  }
}

/** Renews the tags of the next users; returns whether others are left. */
async function renewBatch(db: Database): Promise<boolean> {
  const setting = await readRow<{ readonly value: string }>(
    db,
    sql`select value from settings where name = ${POSITION}`,
  )
  // Another process has finished.
  if (setting === null) return false
  const [tenant, id]: Position = JSON.parse(setting.value)
  const users = await readRows<UserRow>(
    db,
    sql`select tenant_id, id from users
      where extensions is not null and (tenant_id, id) > (${tenant}, ${id})
      order by tenant_id, id limit ${raw(String(MAX_USERS_TOGETHER))}`,
  )
  const last = users.at(-1)
  if (last === undefined) {
    await db.exec(sql`delete from settings where name = ${POSITION}`)
    return false
  }
  for (const tenantId of new Set(users.map(({ tenant_id }) => tenant_id))) {
    const ids = users.flatMap((row) => (row.tenant_id === tenantId ? [row.id] : []))
    const tags = ids.map((one) => sql`when ${one} then ${createTag()}`)
    await db.exec(
      sql`update users set version = case id ${joinFragments(tags, ' ')} end
        where tenant_id = ${tenantId} and id in (${bindList(ids)})`,
    )
  }
  const next = JSON.stringify([last.tenant_id, last.id])
  await db.exec(sql`update settings set value = ${next} where name = ${POSITION}`)
  return true
}

type Position = readonly [tenant: string, id: string]

interface UserRow {
  readonly tenant_id: string
  readonly id: string
}

/** The setting that stores the next batch's position. */
const POSITION = 'tags_renewed_to'
const FIRST: Position = ['', '']
const MAX_USERS_TOGETHER = 500
