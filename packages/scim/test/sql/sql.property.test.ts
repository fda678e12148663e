import { PGLITE } from './openers.ts'
import { proveSql } from './proof.ts'
import { type Opened, openSqlite, POSTGRES_TABLES } from './tables.ts'

proveSql('SQLite', { dialect: 'sqlite', open: async () => openSqlite(), sets: 30, filters: 40 })
proveSql('an index on SQLite', {
  ...{ dialect: 'sqlite', open: async () => openSqlite() },
  ...{ sets: 30, filters: 40, isIndexed: true },
})
proveSql('PostgreSQL in-process', { dialect: 'postgres', open: openPglite, sets: 8, filters: 40 })
proveSql('an index on PostgreSQL in-process', {
  ...{ dialect: 'postgres', open: openPglite },
  ...{ sets: 8, filters: 40, isIndexed: true },
})

async function openPglite(): Promise<Opened> {
  const opened = await PGLITE.open()
  for (const statement of POSTGRES_TABLES) await opened.execute(statement, [])
  return opened
}
