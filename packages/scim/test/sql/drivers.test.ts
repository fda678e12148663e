import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { proveDriver } from './drivers-suite.ts'

describe('the guide shows', () => {
  const read = (file: string) =>
    readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8').replace(/\s+/g, ' ')
  const page = read('docs/pages/scim/existing-tables.md')
  const own = read('packages/scim/test/sql/drivers-suite.ts')

  it.each([
    [
      'pg',
      own,
      'async (sql, values, { client }) => (await (client ?? pool).query(sql, [...values])).rows',
    ],
    [
      'mysql2',
      own,
      'async (sql, values, { client }) => (await (client ?? pool).query(sql, [...values]))[0]',
    ],
    [
      'PGlite',
      own,
      'async (sql, values, { tx }) => (await (tx ?? db).query(sql, [...values])).rows',
    ],
    ['PGlite', own, '(context, work) => db.transaction((tx) => work({ ...context, tx }))'],
    [
      'Kysely',
      read('examples/express-kysely/scim.ts'),
      '(await db.executeQuery(CompiledQuery.raw(sql, [...values]))).rows',
    ],
    [
      'Kysely',
      read('examples/express-kysely/scim.ts'),
      'db.transaction().execute((db) => work({ db, org }))',
    ],
    [
      'Prisma',
      read('examples/prisma/scim.ts'),
      '(sql, values, { db }) => db.$queryRawUnsafe(sql, ...values)',
    ],
  ])('the guide shows code for %s that compiles', (_, program, code) => {
    expect(page).toContain(code)
    expect(program).toContain(code)
  })
})

proveDriver('node:sqlite', 'sqlite', async () => {
  const database = new DatabaseSync(':memory:')
  return { execute: (sql, values) => database.prepare(sql).all(...(values as never[])) }
})
