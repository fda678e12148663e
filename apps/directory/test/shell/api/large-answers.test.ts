import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { recordChanges } from '../../../src/features/connections/record-changes.ts'
import { readStoredRun } from '../../../src/features/recordings/stored-run.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { connect } from '../../support/harness.ts'
import { memberChange } from '../../support/heavy-requests.ts'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

it('pages with changes are rejected with 503 while a consumer does not read earlier ones', async () => {
  const { adminToken, tenantId } = await connect(store, { role: 'admin' })
  // The directory of `connect` reads every answer to check it.
  const directory = createDirectory({ store })
  // A server keeps the requests of open connections: the signal of a collected one would not abort.
  const requests: Request[] = []
  const ask = (signal = new AbortController().signal): Promise<Response> => {
    const url = `http://localhost/api/tenants/${tenantId}/changes?count=1000`
    const headers = { Authorization: `Bearer ${adminToken}` }
    const request = new Request(url, { headers, signal })
    requests.push(request)
    return directory.fetch(request)
  }
  await store.write(async (db) => {
    for (let at = 0; at < 900; at += 1) await recordChanges(db, memberChange(tenantId))
  })
  const closing = new AbortController()
  const asked = Array.from({ length: 40 }, () => ask(closing.signal))
  const answers = await Promise.all(asked)
  const served = answers.filter(({ status }) => status === 200)
  expect(served.length).toBeGreaterThan(1)
  expect(served.length).toBeLessThan(20)
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(40 - served.length)
  const { changes, hasMore } = JSON.parse((await served[0]?.text()) ?? '')
  expect(hasMore).toBe(true)
  expect(changes.length).toBeGreaterThan(100)
  await served[1]?.body?.cancel()
  for (let at = 0; at < 2; at += 1) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(503)
  closing.abort()
  expect((await ask()).status).toBe(200)
  expect(requests).toHaveLength(44)
})

const exchange = JSON.stringify({
  tokenId: null,
  method: 'GET',
  target: '/Users',
  route: '/Users',
  status: 400,
  contentType: null,
  answer: { detail: 'x'.repeat(20_000) },
})

it("a long recording's run is built in many event loop turns", async () => {
  let turns = 0
  const next = async () => {
    turns += 1
  }
  const scan: Store['scan'] = async <Value>() => Array(100).fill(exchange) as Value
  const slow: Store = { ...store, scan, turns: { next } }
  const run = await readStoredRun(slow, { tenantId: 'a', recordingId: 'b' })
  expect(JSON.parse(run?.join('') ?? '').steps).toHaveLength(100)
  expect(turns).toBeGreaterThan(20)
})

it('runs are built one at a time', async () => {
  const finish: (() => void)[] = []
  const scan: Store['scan'] = async <Value>() => {
    await new Promise<void>((resolve) => finish.push(resolve))
    return [exchange] as Value
  }
  const { directory, adminToken, send, tenantId } = await connect(
    { ...store, scan },
    { role: 'admin' },
  )
  const path = `/api/tenants/${tenantId}/recordings`
  const { body } = await send('POST', path)
  const headers = { Authorization: `Bearer ${adminToken}` }
  const url = `http://localhost${path}/${body.id}/run`
  const runs = Array.from({ length: 3 }, () => directory.fetch(new Request(url, { headers })))
  for (const run of runs) {
    await expect.poll(() => finish.length).toBe(1)
    await setImmediate()
    expect(finish).toHaveLength(1)
    finish.pop()?.()
    expect((await run).status).toBe(200)
  }
})
