import type pg from 'pg'
import type { Migrated } from '../../migrations/migrated.ts'
import { findPending, migrate } from '../../migrations/migrations.ts'
import type { Layout } from '../engine.ts'
import { databaseOf } from './database.ts'
import { POSTGRES_DIALECT } from './dialect.ts'
import { requireWhole } from './distribute.ts'
import { withConnection } from './pools.ts'

/** Migrates a database if necessary. A distributed database then needs `distribute`. */
export async function migratePostgres(url: string): Promise<void> {
  await withConnection(url, (single) => migrate(migratedBy(single), POSTGRES_DIALECT))
}

/** The names of the migrations a database needs. */
export async function pendingPostgres(url: string): Promise<readonly string[]> {
  return await withConnection(url, (single) => findPending(migratedBy(single).db, POSTGRES_DIALECT))
}

/** Migrates a database if necessary, and rejects a partly distributed one. */
export async function prepareToServe(url: string, layout?: Layout): Promise<void> {
  await migratePostgres(url)
  if (layout !== undefined) await withConnection(url, (single) => requireWhole(single, layout))
}

/** Migrates over a pool with one connection, so every statement runs in the same session. */
export function migratedBy(single: pg.Pool): Migrated {
  const db = databaseOf((text, values) => single.query(text, values))
  return {
    db,
    transaction: async (work) => {
      await single.query('begin')
      try {
        const value = await work(db)
        await single.query('commit')
        return value
      } catch (error) {
        await single.query('rollback')
        throw error
      }
    },
  }
}
