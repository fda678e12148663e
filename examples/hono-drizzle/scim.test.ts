import assert from 'node:assert/strict'
import test from 'node:test'
import { storeContract } from '@plumbline/scim/testing'
import { createApp } from './app.ts'
import { createTransaction, openDatabase } from './schema.ts'
import { resourceTypes, toScimError } from './scim.ts'

const checks = storeContract(() => {
  const db = openDatabase()
  return { resourceTypes: resourceTypes(db), transaction: createTransaction(db), toScimError }
})
for (const { name, run } of checks) {
  test(name, async (context) => {
    const { skipped } = await run()
    if (skipped !== null) context.skip(skipped)
  })
}

test('serves users', async () => {
  const app = createApp(openDatabase(), { token: 'secret' })
  const url = 'https://example.com/scim/v2/Users'
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/scim+json' }
  const body = JSON.stringify({ userName: 'ada@example.com', active: 'True' })
  const created = await app.request(url, { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  const filter = encodeURIComponent('userName eq "ADA@example.com"')
  const list = await app.request(`${url}?filter=${filter}`, { headers })
  const { totalResults } = (await list.json()) as { totalResults: number }
  assert.equal(totalResults, 1)
  assert.equal((await app.request(url)).status, 401)
})
