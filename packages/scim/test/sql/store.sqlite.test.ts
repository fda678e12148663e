import { DatabaseSync } from 'node:sqlite'
import { proveStore } from './store-suite.ts'

proveStore('SQLite', {
  dialect: 'sqlite',
  open: async () => {
    const database = new DatabaseSync(':memory:')
    return {
      execute: async (sql, parameters) => database.prepare(sql).all(...(parameters as never[])),
      close: async () => database.close(),
    }
  },
})
