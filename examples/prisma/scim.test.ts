import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
const token = 'token-of-the-tests-1234'
const port = await freePort()
const url = `http://127.0.0.1:${port}/scim/v2`
const app = await createApp(db, { token, base: url })
await app.listen({ host: '127.0.0.1', port })
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
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
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
  const options = { token, profiles: ['entra'], limits: { rate: 10_000 } } as const
  const { outcomes, left } = unwrap(await examine(url, options))
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const findings = failed.filter(({ level }) => level !== 'MAY')
  assert.deepEqual(
    findings.map(({ id, finding }) => ({ id, ...finding })),
    [],
  )
  assert.deepEqual(left, [])
})

/** A free port, whose URL the server needs before it starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
