import assert from 'node:assert/strict'
import test from 'node:test'
import { examine } from '@plumbline/doctor'
import { storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { createApp } from './app.ts'
import { createTransaction, openDatabase } from './schema.ts'
import { resourceTypes, toScimError } from './scim.ts'

const token = 'token-of-the-tests-1234'
const settings = { token, base: 'https://example.com/scim/v2' }

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

test('the server serves users', async () => {
  const app = createApp(openDatabase(), settings)
  const url = 'https://example.com/scim/v2/Users'
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
  const body = JSON.stringify({ userName: 'ada@example.com', active: 'True' })
  const created = await app.request(url, { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  const filter = encodeURIComponent('userName eq "ADA@example.com"')
  const list = await app.request(`${url}?filter=${filter}`, { headers })
  const { totalResults } = (await list.json()) as { totalResults: number }
  assert.equal(totalResults, 1)
  assert.equal((await app.request(url)).status, 401)
})

test('the server passes the doctor', async () => {
  const app = createApp(openDatabase(), settings)
  const options = { ...settings, profiles: ['entra'] as const }
  const { outcomes, left } = unwrap(await examine(async (request) => app.fetch(request), options))
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const findings = failed.filter(({ level }) => level !== 'MAY')
  assert.deepEqual(
    findings.map(({ id, finding }) => ({ id, ...finding })),
    [],
  )
  assert.deepEqual(left, [])
})
