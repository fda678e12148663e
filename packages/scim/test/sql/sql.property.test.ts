import { proveSql } from './proof.ts'
import { openSqlite } from './tables.ts'

proveSql('SQLite', { dialect: 'sqlite', open: async () => openSqlite(), sets: 30, filters: 40 })
proveSql('an index on SQLite', {
  dialect: 'sqlite',
  open: async () => openSqlite(),
  sets: 30,
  filters: 40,
  isIndexed: true,
})
