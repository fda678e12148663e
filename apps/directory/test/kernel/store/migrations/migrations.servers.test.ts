import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgres } from '../../../../src/kernel/store/engines/postgres/postgres.ts'
import { migrationContract } from '../../../contract/migrations.ts'
import { createFreshDatabase, type FreshDatabase } from '../../../support/fresh-postgres.ts'

describe('a migration on PostgreSQL', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await createFreshDatabase()
  })
  afterAll(() => database.drop())
  migrationContract(
    () => openPostgres(database.url),
    (work) => work((statement) => database.client.query(statement)),
  )
})
