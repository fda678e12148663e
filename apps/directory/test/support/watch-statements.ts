import type { Database } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Statement, statementOf } from './statement.ts'

/** The same store, which reports each statement of its requests. */
export function watchStatements(store: Store, take: (statement: Statement) => void): Store {
  const watchers = new WeakMap<Database, Database>()
  const watch = <Value>(work: (db: Database) => Promise<Value>) => {
    return async (db: Database): Promise<Value> => {
      const watcher = watchers.get(db) ?? {
        exec: (statement) => {
          take(statementOf(statement))
          return db.exec(statement)
        },
      }
      watchers.set(db, watcher)
      return await work(watcher)
    }
  }
  return {
    ...store,
    read: (work, options) => store.read(watch(work), options),
    scan: (work, options) => store.scan(watch(work), options),
    write: (work, options) => store.write(watch(work), options),
  }
}
