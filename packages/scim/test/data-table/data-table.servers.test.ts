import { createDatabase } from '@remix-run/data-table'
import { createMysqlDatabaseAdapter } from '@remix-run/data-table-mysql'
import { createPostgresDatabaseAdapter } from '@remix-run/data-table-postgres'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { type Opened, proveFilters } from './proof.ts'
import { MARIADB_TABLE, POSTGRES_TABLE } from './tables.ts'

proveFilters('PostgreSQL', { open: openPostgres, sets: 150, filters: 60, dotted: true })
// MariaDB folds U+0130 to i without a dot above: with `caseExact: false`, columns must not contain it.
proveFilters('MariaDB', { open: openMariadb, sets: 150, filters: 60, dotted: false })

async function openPostgres(): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: addressOf('PLUMBLINE_TEST_POSTGRES_URL'), max: 1 })
  await pool.query('drop table if exists facts')
  await pool.query(POSTGRES_TABLE)
  return {
    db: createDatabase(createPostgresDatabaseAdapter(pool)),
    close: async () => {
      await pool.query('drop table facts')
      await pool.end()
    },
  }
}

async function openMariadb(): Promise<Opened> {
  const connection = await mysql.createConnection(addressOf('PLUMBLINE_TEST_MYSQL_URL'))
  await connection.query('drop table if exists facts')
  await connection.query(MARIADB_TABLE)
  return {
    db: createDatabase(createMysqlDatabaseAdapter(connection)),
    close: async () => {
      await connection.query('drop table facts')
      await connection.end()
    },
  }
}

function addressOf(name: string): string {
  const address = process.env[name]
  if (!address) throw new Error(`${name} must name a server; see .ci/servers`)
  return address
}
