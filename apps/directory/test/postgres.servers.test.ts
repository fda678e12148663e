import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgres } from '../src/store/postgres.ts'
import type { Store } from '../src/store/store.ts'
import { boundContract } from './contract/bounds.ts'
import { bulkContract } from './contract/bulk.ts'
import { cursorContract } from './contract/cursors.ts'
import { groupContract } from './contract/groups.ts'
import { injectionContract } from './contract/injection.ts'
import { listContract } from './contract/lists.ts'
import { runContract } from './contract/runs.ts'
import { seedContract } from './contract/seed.ts'
import { userContract } from './contract/users.ts'

describe('on PostgreSQL', () => {
  let store: Store
  beforeAll(async () => {
    const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
    if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
    store = await openPostgres(url)
  })
  afterAll(() => store.close())
  describe('users', () => userContract(() => store))
  describe('lists', () => listContract(() => store))
  describe('bounds', () => boundContract(() => store))
  describe('cursors', () => cursorContract(() => store))
  describe('groups', () => groupContract(() => store))
  describe('a filled directory', () => seedContract(() => store))
  describe('runs', () => runContract(() => store))
  describe('bulk', () => bulkContract(() => store))
  describe('an injection', () => injectionContract(() => store))
})
