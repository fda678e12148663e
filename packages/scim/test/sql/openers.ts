import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import type { Dialect } from '@plumbline/scim/sql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { addressOf } from './servers.ts'
import type { Execute, Opened } from './tables.ts'

/** A database that tests open empty. */
export interface Openable {
  readonly dialect: Dialect
  readonly open: () => Promise<Opened>
}

/** A server that tests also use through a pool of connections. */
export interface OpenablePool extends Openable {
  readonly openPool: (size: number) => Promise<OpenedPool>
}

export interface OpenedPool extends Opened {
  /** Runs work on one connection, in a transaction. */
  readonly transact: <Value>(work: (execute: Execute) => Promise<Value>) => Promise<Value>
}

/** SQLite in memory. */
export const SQLITE: Openable = {
  dialect: 'sqlite',
  open: async () => {
    const database = new DatabaseSync(':memory:')
    return {
      execute: async (sql, parameters) => database.prepare(sql).all(...(parameters as never[])),
      close: async () => database.close(),
    }
  },
}

let pglite: Promise<PGlite> | undefined

/** PostgreSQL in this process, which starts once: a start takes as long as a file of tests. */
export function startPglite(): Promise<PGlite> {
  pglite ??= PGlite.create()
  return pglite
}

/** The empty database of PostgreSQL in this process, for one user at a time. */
export const PGLITE: Openable = {
  dialect: 'postgres',
  open: async () => {
    const postgres = await startPglite()
    await postgres.exec('drop schema public cascade; create schema public')
    return {
      execute: async (sql, parameters) =>
        (await postgres.query<Record<string, unknown>>(sql, [...parameters])).rows,
      close: async () => undefined,
    }
  },
}

/** A schema of the PostgreSQL server. */
export function postgresServer(schema: string): OpenablePool {
  const openPool = async (max: number): Promise<OpenedPool> => {
    const connectionString = addressOf('PLUMBLINE_TEST_POSTGRES_URL')
    const options = `-c search_path=${schema}`
    const pool = new pg.Pool({ connectionString, max, options })
    await pool.query(`drop schema if exists ${schema} cascade`)
    await pool.query(`create schema ${schema}`)
    const executeOn =
      (client: pg.Pool | pg.PoolClient): Execute =>
      async (sql, parameters) =>
        (await client.query(sql, [...parameters])).rows
    return {
      execute: executeOn(pool),
      transact: async (work) => {
        const client = await pool.connect()
        try {
          return await inTransaction(executeOn(client), work)
        } finally {
          client.release()
        }
      },
      close: async () => {
        await pool.query(`drop schema ${schema} cascade`)
        await pool.end()
      },
    }
  }
  return { dialect: 'postgres', open: () => openPool(1), openPool }
}

/** A database of the MariaDB server, whose transactions are at `repeatable read` by default. */
export function mariaDbServer(
  database: string,
  {
    isolation = 'repeatable read',
  }: { readonly isolation?: 'read committed' | 'repeatable read' } = {},
): OpenablePool {
  const openPool = async (connectionLimit: number): Promise<OpenedPool> => {
    const uri = addressOf('PLUMBLINE_TEST_MYSQL_URL')
    const server = await mysql.createConnection({ uri })
    await server.query(`drop database if exists ${database}`)
    await server.query(`create database ${database} character set utf8mb4`)
    const pool = mysql.createPool({ uri, database, connectionLimit, timezone: 'Z' })
    pool.on('connection', (connection) =>
      connection.query(`set session transaction isolation level ${isolation}`),
    )
    const executeOn =
      (connection: mysql.Pool | mysql.PoolConnection): Execute =>
      async (sql, parameters) =>
        (await connection.query<mysql.RowDataPacket[]>(sql, [...parameters]))[0]
    return {
      execute: executeOn(pool),
      transact: async (work) => {
        const connection = await pool.getConnection()
        try {
          return await inTransaction(executeOn(connection), work)
        } finally {
          connection.release()
        }
      },
      close: async () => {
        await pool.end()
        await server.query(`drop database ${database}`)
        await server.end()
      },
    }
  }
  return { dialect: 'mysql', open: () => openPool(1), openPool }
}

async function inTransaction<Value>(
  execute: Execute,
  work: (execute: Execute) => Promise<Value>,
): Promise<Value> {
  await execute('begin', [])
  try {
    const value = await work(execute)
    await execute('commit', [])
    return value
  } catch (error) {
    await execute('rollback', [])
    throw error
  }
}
