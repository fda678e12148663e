import { describe } from 'vitest'
import { failingJobsContract } from '../contract/failing-jobs.ts'
import { useSqliteStore } from '../support/sqlite-store.ts'

describe('on SQLite', () => {
  failingJobsContract(useSqliteStore().storeOf)
})
