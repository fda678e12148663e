import { PGlite } from '@electric-sql/pglite'
import { proveStore } from './store-suite.ts'

proveStore('PostgreSQL in-process', {
  dialect: 'postgres',
  open: async () => {
    const postgres = await PGlite.create()
    return {
      execute: async (sql, parameters) => {
        const { rows } = await postgres.query<Record<string, unknown>>(sql, [...parameters])
        return rows
      },
      close: () => postgres.close(),
    }
  },
})
