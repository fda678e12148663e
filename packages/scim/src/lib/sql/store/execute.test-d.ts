import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { SqlValue } from '../fragment.ts'
import type { Execute } from './types.ts'

// The results of drivers that `execute` may return, and the usual mistakes that it must not.

const pool = new pg.Pool()
const mysqlPool = mysql.createPool('')
const sqlite = new DatabaseSync('')
const pglite = new PGlite()

/** As `$queryRawUnsafe` of Prisma, whose result type is that which the caller expects. */
declare function queryRaw<Result = unknown>(sql: string, ...values: unknown[]): Promise<Result>
/** As the rows of Kysely and better-sqlite3, whose types are not known. */
declare function queryUnknown(sql: string, values: readonly SqlValue[]): Promise<unknown[]>

export const valid: readonly Execute<unknown>[] = [
  async (sql, values) => (await pool.query(sql, [...values])).rows,
  async (sql, values) => (await pglite.query(sql, [...values])).rows,
  async (sql, values) => (await mysqlPool.query(sql, [...values]))[0],
  (sql, values) => sqlite.prepare(sql).all(...(values as never[])),
  (sql, values) => queryRaw(sql, ...values),
  queryUnknown,
  () => [],
  async () => ({ affectedRows: 1, insertId: 7n }),
]

export const invalid: readonly Execute<unknown>[] = [
  // @ts-expect-error: the result object of pg, and not its rows
  (sql, values) => pool.query(sql, [...values]),
  // @ts-expect-error: the result object of PGlite, and not its rows
  (sql, values) => pglite.query(sql, [...values]),
  // @ts-expect-error: nothing is returned
  async (sql, values) => {
    await pool.query(sql, [...values])
  },
  // @ts-expect-error: undefined is not a list of rows
  () => undefined,
]
