import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LAYOUT } from '../../../../../src/features/tenants/tables.ts'
import { distribute } from '../../../../../src/kernel/store/engines/postgres/distribute.ts'
import { migratePostgres } from '../../../../../src/kernel/store/engines/postgres/migrate.ts'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import type { Store } from '../../../../../src/kernel/store/store.ts'
import { distributionContract } from '../../../../contract/distribution.ts'
import { hangingWorkerContract } from '../../../../contract/hanging-worker.ts'
import { killedWorkerContract } from '../../../../contract/killed-worker.ts'
import { isOfAllTenants, largeStoreContract, storeContract } from '../../../../contract/store.ts'
import {
  CITUS_URL,
  type CitusDatabase,
  createCitusDatabase,
  logSpreadStatements,
  ON_CITUS,
} from '../../../../support/citus-cluster.ts'
import { PATIENT } from '../../../../support/harness.ts'

// One file, because a killed worker fails every test that uses the cluster at the same time.
describe.skipIf(CITUS_URL === undefined)(ON_CITUS, () => {
  describe('npm start -- --distribute', distributionContract)

  describe('the store', () => {
    let database: CitusDatabase
    let store: Store
    let spread: () => readonly string[]
    beforeAll(async () => {
      database = await createCitusDatabase()
      await migratePostgres(database.url)
      await distribute(database.url, LAYOUT)
      spread = await logSpreadStatements(database)
      store = await openPostgres(database.url, PATIENT)
    })
    afterAll(async () => {
      await store.close()
      await database.drop()
    })
    storeContract(() => store)
    largeStoreContract(() => store)

    it("the store sends no tenant's statement to more than one shard, as the coordinator's log shows", async () => {
      const probe = new pg.Client({ connectionString: database.url })
      await probe.connect()
      await probe.query('select count(*) from users')
      await probe.end()
      const found = new Set(spread().filter((text) => !isOfAllTenants(text)))
      expect([...found]).toEqual(['select count(*) from users'])
    })
  })

  describe('the nodes', () => {
    killedWorkerContract()
    hangingWorkerContract()
  })
})
