import { it } from 'vitest'
import { expectNothingMissed } from '../contract/changes-killed.ts'
import { startPair } from '../support/two-processes.ts'

it('a consumer has the state after 3,000 writes, while processes on PostgreSQL are killed every 100', async () => {
  const pair = await startPair()
  const run = (statement: string) => pair.database.query(statement)
  try {
    await expectNothingMissed(pair, { writes: 3_000, every: 100, run })
  } finally {
    await pair.stop()
  }
}, 900_000)
