import { sql } from '@plumbline/scim/internal'
import { readRow } from '../../database.ts'
import type { History } from '../../history.ts'
import type { Store } from '../../store.ts'

/**
 * Creates the history of a PostgreSQL database. A restore includes the rows, so they are compared with facts no backup
 * contains: the cluster's identifier, the database's number in it, and the timeline. A promoted standby and a recovery
 * to a point in time start a new timeline; a restart after a crash does not.
 */
export function createClusterHistory(): History {
  const record = async (store: Store): Promise<void> => {
    const place = await readPlace(store)
    if (place === null) return
    if ((await readRecorded(store)) === place) return
    await store.write((db) =>
      db.exec(
        sql`insert into settings (name, value) values (${NAME}, ${place})
          on conflict (name) do update set value = excluded.value`,
      ),
    )
  }
  return {
    check: async (store) => {
      const recorded = await readRecorded(store)
      const place = recorded === null ? null : await readPlace(store)
      if (place === null || place === recorded) return null
      return 'a restored backup, a copy, or a standby that was promoted'
    },
    record,
    restart: record,
  }
}

async function readRecorded(store: Store): Promise<string | null> {
  const row = await store.read((db) =>
    readRow<{ readonly value: string }>(db, sql`select value from settings where name = ${NAME}`),
  )
  return row?.value ?? null
}

/** Reads where a database is; null if the server does not say it, as some managed ones. */
async function readPlace(store: Store): Promise<string | null> {
  try {
    const row = await store.read((db) =>
      readRow<{ readonly place: string }>(
        db,
        sql`select concat(
            (select system_identifier from pg_control_system()), ' ',
            (select oid from pg_database where datname = current_database()), ' ',
            substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
          ) as place`,
      ),
    )
    return row?.place ?? null
  } catch {
    return null
  }
}

const NAME = 'place'
