import { describe, onTestFinished } from 'vitest'
import { openPostgres } from '../../../src/kernel/store/engines/postgres/postgres.ts'
import { firstStartContract } from '../../contract/first-start.ts'
import { createFreshDatabase } from '../../support/fresh-postgres.ts'

describe('the first start on PostgreSQL', () => {
  firstStartContract(async () => {
    const { url, drop } = await createFreshDatabase()
    onTestFinished(drop)
    return () => openPostgres(url)
  })
})
