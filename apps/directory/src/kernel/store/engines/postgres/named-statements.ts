import type pg from 'pg'
import { memoize } from '../../../memoize.ts'
import type { Database } from '../../database.ts'
import { sha256 } from '../../sha256.ts'
import { databaseOf, type Query } from './database.ts'
import { createOneStatement, type OneStatement } from './one-statement.ts'

/** A connection's database objects: for any number of statements, and for one. */
export interface Databases {
  readonly db: Database
  readonly one: OneStatement
}

/**
 * Creates each connection's database objects. The server plans a named statement once per connection, and
 * planning takes longer than finding a row. It keeps one plan for each name: only the first short statements
 * get a name.
 *
 * A pooler may send one connection's statements to several servers, which do not know the name or know it from
 * another process. `stopNaming` reports the first such failure in one line, and names are not used from then
 * on.
 */
export function createDatabases(warn: (line: string) => void): {
  readonly databasesOf: (client: pg.PoolClient) => Databases
  /** For a server error about a statement's name. */
  readonly stopNaming: () => void
} {
  const names = new Map<string, string>()
  let isNaming = true
  const nameOf = (text: string): string | undefined => {
    // A plan for all columns would fail after a migration.
    const isNameable = text.length <= MAX_NAMED_LENGTH && !text.includes('*')
    if (isNameable && names.size < MAX_NAMES && !names.has(text)) {
      // Another process behind the same pooler must not use the name for another text.
      names.set(text, `directory_${sha256(text).slice(0, 32)}`)
    }
    return names.get(text)
  }
  const databases = memoize((client: pg.PoolClient) => {
    const query: Query = (text, values, { isPlannedForValues }) => {
      const name = isNaming && !isPlannedForValues ? nameOf(text) : undefined
      return client.query(name === undefined ? { text, values } : { name, text, values })
    }
    return { db: databaseOf(query), one: createOneStatement(query) }
  })
  const stopNaming = (): void => {
    if (isNaming) warn(POOLED)
    isNaming = false
  }
  return { databasesOf: databases.get, stopNaming }
}

const MAX_NAMES = 500
const MAX_NAMED_LENGTH = 1_000
const POOLED =
  'A pooler in front of PostgreSQL, such as PgBouncer with pool_mode = transaction, does not keep prepared statements: the directory continues without them. PgBouncer 1.21 or later with max_prepared_statements keeps them.'
