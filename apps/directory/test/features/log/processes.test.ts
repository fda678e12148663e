import { afterAll, beforeAll, describe } from 'vitest'
import { provisioningProcessesContract } from '../../contract/provisioning-processes.ts'
import { type Processes, startSqlitePair } from '../../support/two-processes.ts'

describe('two processes on one SQLite file', () => {
  let processes: Processes
  beforeAll(async () => {
    processes = await startSqlitePair()
  })
  afterAll(() => processes.stop())

  provisioningProcessesContract(() => processes)
})
