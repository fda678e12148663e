import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { examine } from '@plumbline/doctor'
import { storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { openDatabase } from './schema.ts'
import { type Context, resourceTypes, transactionOf } from './scim.ts'
import { createApp } from './server.ts'

const { db, close } = await openDatabase()
const context: Context = { db }
const transaction = transactionOf(db)
const app = await createApp(db, { token: 'secret' })
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/scim/v2`
after(async () => {
  await app.close()
  await close()
})

const makeStores = async () => {
  await db.$executeRaw`truncate accounts, teams, team_members restart identity`
  return { resourceTypes, transaction, context }
}
for (const { name, run } of storeContract(makeStores)) {
  test(name, async (context) => {
    const { skipped } = await run()
    if (skipped !== null) context.skip(skipped)
  })
}

test('the application reads with Prisma what an identity provider has written over HTTP', async () => {
  await makeStores()
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/scim+json' }
  const body = JSON.stringify({ userName: 'ada', active: 'False' })
  const created = await fetch(`${url}/Users`, { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  const [{ username, isEnabled } = assert.fail()] = await db.account.findMany()
  assert.deepEqual({ username, isEnabled }, { username: 'ada', isEnabled: false })
  const filter = encodeURIComponent('userName eq "ADA"')
  const list = await fetch(`${url}/Users?filter=${filter}`, { headers })
  const { totalResults } = (await list.json()) as { totalResults: number }
  assert.equal(totalResults, 1)
  assert.equal((await fetch(`${url}/Users`)).status, 401)
})

test('the server passes the doctor', async () => {
  await makeStores()
  const options = { token: 'secret', profiles: ['entra'], limits: { rate: 10_000 } } as const
  const { outcomes, left } = unwrap(await examine(url, options))
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const findings = failed.filter(({ id, level }) => level !== 'MAY' && !Object.hasOwn(ACCEPTED, id))
  assert.deepEqual(
    findings.map(({ id, finding }) => ({ id, ...finding })),
    [],
  )
  assert.deepEqual(left, [])
})

/** The findings that this application accepts, with the reason. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'patch-add.multi-valued': 'A user has one email, in a column.',
  'patch-add.no-path-multi-valued': 'A user has one email, in a column.',
}
