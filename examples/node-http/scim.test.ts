import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { examine } from '@plumbline/doctor'
import { storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { createTransaction, openDatabase } from './schema.ts'
import { resourceTypes, toScimError } from './scim.ts'
import { createScimServer } from './server.ts'

const token = 'token-of-the-tests-1234'

const checks = storeContract(() => {
  const db = openDatabase()
  const stores = { resourceTypes: resourceTypes(db), transaction: createTransaction(db) }
  return { ...stores, toScimError, close: () => db.close() }
})
for (const { name, run } of checks) {
  test(name, async (context) => {
    const { skipped } = await run()
    if (skipped !== null) context.skip(skipped)
  })
}

async function serve() {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/scim/v2`
  const server = createScimServer(openDatabase(), { token, base }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, base }
}

/** A free port, whose URL the server needs before it starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('the server serves users over HTTP', async () => {
  const { server, base } = await serve()
  const url = `${base}/Users`
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
  const body = JSON.stringify({ userName: 'ada', active: 'True' })
  const created = await fetch(url, { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  const list = await fetch(`${url}?filter=${encodeURIComponent('userName eq "ADA"')}`, { headers })
  const { totalResults } = (await list.json()) as { totalResults: number }
  assert.equal(totalResults, 1)
  assert.equal((await fetch(url)).status, 401)
  server.close()
})

test('the server passes the doctor', async () => {
  const { server, base } = await serve()
  const options = { token, profiles: ['entra'], limits: { rate: 10_000 } } as const
  const examination = await examine(base, options)
  server.close()
  const { outcomes, left } = unwrap(examination)
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const findings = failed.filter(({ level }) => level !== 'MAY')
  assert.deepEqual(
    findings.map(({ id, finding }) => ({ id, ...finding })),
    [],
  )
  assert.deepEqual(left, [])
})
