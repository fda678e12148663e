import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { examine } from '@plumbline/doctor'
import { storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { openDatabase } from './schema.ts'
import { resourceTypes, toScimError } from './scim.ts'
import { createScimServer } from './server.ts'

const checks = storeContract(() => {
  const db = openDatabase()
  return { resourceTypes: resourceTypes(db), toScimError, close: () => db.close() }
})
for (const { name, run } of checks) {
  test(name, async (context) => {
    const { skipped } = await run()
    if (skipped !== null) context.skip(skipped)
  })
}

test('serves users over HTTP', async () => {
  const server = createScimServer(openDatabase(), { token: 'secret' }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/scim/v2/Users`
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/scim+json' }
  const body = JSON.stringify({ userName: 'ada', active: 'True' })
  const created = await fetch(url, { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  const list = await fetch(`${url}?filter=${encodeURIComponent('userName eq "ADA"')}`, { headers })
  const { totalResults } = (await list.json()) as { totalResults: number }
  assert.equal(totalResults, 1)
  assert.equal((await fetch(url)).status, 401)
  server.close()
})

test('passes the doctor', async () => {
  const server = createScimServer(openDatabase(), { token: 'secret' }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const options = { token: 'secret', profiles: ['entra'], limits: { rate: 10_000 } } as const
  const examination = await examine(`http://127.0.0.1:${port}/scim/v2`, options)
  server.close()
  const { outcomes, left } = unwrap(examination)
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
  'representation.meta-dates-present':
    'Its tables do not have the times at which a row was changed.',
  'filters.date-order': 'So these times cannot be used in a filter.',
}
