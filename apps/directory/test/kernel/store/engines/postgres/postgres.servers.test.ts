import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import type { Store } from '../../../../../src/kernel/store/store.ts'
import { largeStoreContract, storeContract } from '../../../../contract/store.ts'
import { PATIENT } from '../../../../support/harness.ts'

describe('on PostgreSQL', () => {
  let store: Store
  beforeAll(async () => {
    const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
    if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
    store = await openPostgres(url, PATIENT)
  })
  afterAll(() => store.close())
  storeContract(() => store)
  largeStoreContract(() => store)
})
