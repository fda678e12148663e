import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.ts'
import type { Store } from '../../../../src/store/store.ts'
import { planContract } from '../../../contract/plans.ts'
import { provisioningPlanContract } from '../../../contract/provisioning-plans.ts'
import { PATIENT } from '../../../support/harness.ts'

describe('on PostgreSQL, among 10,000 users', () => {
  // A database of its own: rows of other tests would change the plans.
  const name = `plans_${crypto.randomUUID().replaceAll('-', '')}`
  let server: pg.Client
  let store: Store
  beforeAll(async () => {
    const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
    if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
    server = new pg.Client({ connectionString: url })
    await server.connect()
    await server.query(`create database ${name}`)
    store = await openPostgres(Object.assign(new URL(url), { pathname: `/${name}` }).href, PATIENT)
  })
  afterAll(async () => {
    await store.close()
    await server.query(`drop database ${name}`)
    await server.end()
  })
  planContract(() => store)
  describe('the provisioning log', () => provisioningPlanContract(() => store))
})
