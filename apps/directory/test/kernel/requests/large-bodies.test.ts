import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { connect } from '../../support/harness.ts'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

it('large management API bodies are read 16 at a time, and small ones immediately', async () => {
  const { directory, adminToken, tenantId } = await connect(store, { role: 'admin' })
  const reading: (() => void)[] = []
  const post = (length: string): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) =>
          new Promise((resolve) => {
            reading.push(() => {
              controller.enqueue(new TextEncoder().encode('{}'))
              controller.close()
              resolve()
            })
          }),
      },
      { highWaterMark: 0 },
    )
    const headers = {
      Authorization: `Bearer ${adminToken}`,
      'Content-Type': 'application/json',
      'Content-Length': length,
    }
    const url = `http://localhost/api/tenants/${tenantId}/schemas`
    const init = { method: 'POST', headers, body, duplex: 'half' }
    return directory.fetch(new Request(url, init))
  }
  const answers = Array.from({ length: 20 }, () => post('1000000'))
  await expect.poll(() => reading.length).toBe(16)
  answers.push(post('2'))
  await expect.poll(() => reading.length).toBe(17)
  for (let left = answers.length; left > 0; ) {
    await expect.poll(() => reading.length).toBeGreaterThan(0)
    left -= reading.length
    for (const end of reading.splice(0)) end()
  }
  for (const answer of answers) expect((await answer).status).toBe(422)
})
