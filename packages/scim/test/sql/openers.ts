import { DatabaseSync } from 'node:sqlite'
import type { Dialect } from '@plumbline/scim/sql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { addressOf } from './servers.ts'
import type { Opened } from './tables.ts'

/** A database that tests open empty. */
export interface Openable {
  readonly dialect: Dialect
  readonly open: () => Promise<Opened>
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

/** A schema of the PostgreSQL server. */
export function postgresServer(schema: string): Openable {
  return {
    dialect: 'postgres',
    open: async () => {
      const client = new pg.Client({ connectionString: addressOf('PLUMBLINE_TEST_POSTGRES_URL') })
      await client.connect()
      await client.query(`drop schema if exists ${schema} cascade`)
      await client.query(`create schema ${schema}`)
      await client.query(`set search_path to ${schema}`)
      return {
        execute: async (sql, parameters) => (await client.query(sql, [...parameters])).rows,
        close: async () => {
          await client.query(`drop schema ${schema} cascade`)
          await client.end()
        },
      }
    },
  }
}

/** A database of the MariaDB server. */
export function mariaDbServer(database: string): Openable {
  return {
    dialect: 'mysql',
    open: async () => {
      const uri = addressOf('PLUMBLINE_TEST_MYSQL_URL')
      const connection = await mysql.createConnection({ uri, timezone: 'Z' })
      await connection.query(`drop database if exists ${database}`)
      await connection.query(`create database ${database} character set utf8mb4`)
      await connection.query(`use ${database}`)
      return {
        execute: async (sql, parameters) => {
          const [rows] = await connection.query(sql, [...parameters])
          return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
        },
        close: async () => {
          await connection.query(`drop database ${database}`)
          await connection.end()
        },
      }
    },
  }
}
