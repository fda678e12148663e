import { readFileSync } from 'node:fs'
import { describe, onTestFinished } from 'vitest'
import { upgradeContract } from '../../../contract/upgrade.ts'
import { createFreshDatabase } from '../../../support/fresh-postgres.ts'

// `pg_dump --inserts` of a database that version 2026.11.21 has created, without comments.
const DUMP = new URL('../../../fixtures/2026.11.21.postgres.sql', import.meta.url)

describe('a PostgreSQL database from version 2026.11.21', () => {
  const create = async () => {
    const { url, client, drop } = await createFreshDatabase()
    onTestFinished(drop)
    await client.query(readFileSync(DUMP, 'utf8'))
    return url
  }
  upgradeContract(create, {
    admin: '01a1fb67-2b88-74a3-bae9-dc74a57b344a.UajR6_2XWGJEcqdAqr8EbR3WxrSF1Y42vRqrM-H3wcY',
    client: '01a1fb67-3358-773a-960b-c21e7cc5636f.A23cZCNu2-iyDooA1NhRrJgJPR15DinXUw6K68mKPv4',
  })
})
