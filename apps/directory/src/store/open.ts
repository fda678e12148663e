import type { DatabaseLocation } from '../config.ts'
import { openPostgres } from './engines/postgres/postgres.ts'
import { openSqlite } from './engines/sqlite/sqlite.ts'
import type { Store } from './store.ts'

/** Opens the database that the configuration names. */
export async function openStore(location: DatabaseLocation): Promise<Store> {
  return location.kind === 'sqlite'
    ? await openSqlite(location.path)
    : await openPostgres(location.url)
}
