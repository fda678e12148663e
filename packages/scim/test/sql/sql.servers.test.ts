import mysql from 'mysql2/promise'
import pg from 'pg'
import { proveSql } from './proof.ts'
import { addressOf } from './servers.ts'
import { MARIADB_TABLES, type Opened, POSTGRES_TABLES } from './tables.ts'

proveSql('PostgreSQL', { dialect: 'postgres', open: openPostgres, sets: 100, filters: 60 })
proveSql('MariaDB', { dialect: 'mysql', open: openMariadb, sets: 100, filters: 60 })

const TABLES = ['facts', 'fact_tags', 'fact_items']

async function openPostgres(): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: addressOf('PLUMBLINE_TEST_POSTGRES_URL'), max: 1 })
  // The other proof has a table of the same name.
  await pool.query('create schema if not exists sql_proof')
  await pool.query('set search_path to sql_proof')
  for (const table of TABLES) await pool.query(`drop table if exists ${table}`)
  for (const statement of POSTGRES_TABLES) await pool.query(statement)
  return {
    execute: async (sql, parameters) => (await pool.query(sql, [...parameters])).rows,
    close: async () => {
      await pool.query('drop schema sql_proof cascade')
      await pool.end()
    },
  }
}

async function openMariadb(): Promise<Opened> {
  const uri = addressOf('PLUMBLINE_TEST_MYSQL_URL')
  const connection = await mysql.createConnection({ uri, timezone: 'Z' })
  await connection.query('create database if not exists sql_proof')
  await connection.query('use sql_proof')
  for (const table of TABLES) await connection.query(`drop table if exists ${table}`)
  for (const statement of MARIADB_TABLES) await connection.query(statement)
  return {
    execute: async (sql, parameters) => {
      const [rows] = await connection.query(sql, [...parameters])
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
    },
    close: async () => {
      await connection.query('drop database sql_proof')
      await connection.end()
    },
  }
}
