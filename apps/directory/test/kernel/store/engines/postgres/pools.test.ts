import { expect, it } from 'vitest'
import { POSTGRES_DIALECT } from '../../../../../src/kernel/store/engines/postgres/dialect.ts'
import { createPools, type Pools } from '../../../../../src/kernel/store/engines/postgres/pools.ts'

const LIMITS = { connections: 7, scanConnections: 3, answerTimeout: 400, scanTimeout: 900 }

/** Creates pools, whose connections are not opened, and ends them. */
async function withPools(check: (pools: Pools) => void): Promise<void> {
  const pools = createPools('postgres://user@localhost:1/none', LIMITS)
  check(pools)
  await pools.end()
}

it('each pool has its own connection count and time limits', async () => {
  await withPools(({ lookups, scans, control }) => {
    const common = { connectionTimeoutMillis: 5_000, keepAlive: true, pipeline: true }
    expect(lookups.options).toMatchObject({ ...common, max: 7, query_timeout: 1_400 })
    expect(scans.options).toMatchObject({ ...common, max: 3, query_timeout: 1_900 })
    expect(control.options).toMatchObject({ ...common, max: 1, query_timeout: 1_400 })
  })
})

it('a failing idle connection does not end the process', async () => {
  await withPools(({ lookups }) => {
    expect(() => lookups.emit('error', new Error('gone'), Object())).not.toThrow()
  })
})

// PostgreSQL §13.3.2: `for key share` conflicts with `for update`, and not with `for no key update`.
it('a member that a group refers to can be changed, but not deleted', () => {
  expect(POSTGRES_DIALECT.locks).toEqual({
    delete: 'for update',
    change: 'for no key update',
    reference: 'for key share',
  })
})
