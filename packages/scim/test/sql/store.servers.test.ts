import mysql from 'mysql2/promise'
import pg from 'pg'
import { addressOf } from './servers.ts'
import { proveStore } from './store-suite.ts'

proveStore('PostgreSQL', {
  dialect: 'postgres',
  open: async () => {
    const client = new pg.Client({ connectionString: addressOf('PLUMBLINE_TEST_POSTGRES_URL') })
    await client.connect()
    await client.query('drop schema if exists sql_store cascade')
    await client.query('create schema sql_store')
    await client.query('set search_path to sql_store')
    return {
      execute: async (sql, parameters) => (await client.query(sql, [...parameters])).rows,
      close: async () => {
        await client.query('drop schema sql_store cascade')
        await client.end()
      },
    }
  },
})

proveStore('MariaDB', {
  dialect: 'mysql',
  open: async () => {
    const uri = addressOf('PLUMBLINE_TEST_MYSQL_URL')
    const connection = await mysql.createConnection({ uri, timezone: 'Z' })
    await connection.query('drop database if exists sql_store')
    await connection.query('create database sql_store character set utf8mb4')
    await connection.query('use sql_store')
    return {
      execute: async (sql, parameters) => {
        const [rows] = await connection.query(sql, [...parameters])
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
      },
      close: async () => {
        await connection.query('drop database sql_store')
        await connection.end()
      },
    }
  },
})
