import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import { createFreshDatabase } from '../../../../support/fresh-postgres.ts'
import { start } from '../../../../support/spawned-server.ts'

// `citus.servers.test.ts` shows what it does on a cluster.
it('npm start -- --distribute fails with one line, and does not change the database, if the extension citus is missing', async () => {
  const database = await createFreshDatabase()
  onTestFinished(database.drop)
  await (await openPostgres(database.url)).close()
  const keys = async () => {
    const { rows } = await database.client.query(`select conname from pg_constraint order by 1`)
    return rows
  }
  const before = await keys()
  const { ended, errors, output } = start({ DATABASE_URL: database.url }, '--distribute')
  expect(await ended).toBe(1)
  expect(errors()).toMatch(
    /^The directory cannot be distributed: [^\n]+ extension citus is missing; run [^\n]+\n$/,
  )
  expect(output()).toBe('')
  expect(await keys()).toEqual(before)
})
