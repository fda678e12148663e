import { describe } from 'vitest'
import { failingJobsContract } from '../../contract/failing-jobs.ts'
import { surveyContract } from '../../contract/survey.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

describe('on SQLite', () => {
  const { storeOf } = useSqliteStore()
  failingJobsContract(storeOf)
  surveyContract(storeOf)
})
