import { expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { LogEntry } from '../../../src/shell/observe/request-log.ts'
import { connect } from '../../support/harness.ts'
import { watchStatements } from '../../support/watch-statements.ts'

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

it('an operation with a line break in the version answers 400, and does not log an error', async () => {
  const store = await openSqlite(':memory:')
  const log: LogEntry[] = []
  const { send } = await connect(store, { log: (entry) => log.push(entry) })
  const { status, body } = await send('POST', '/Bulk', {
    schemas: [BULK_REQUEST],
    Operations: [
      { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'anna' } },
      { method: 'DELETE', path: '/Users/a', version: 'secret\nsecret' },
      { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'bert' } },
    ],
  })
  expect(status).toBe(200)
  expect((body.Operations ?? []).map((one) => one.status)).toEqual(['201', '400', '201'])
  expect(body.Operations?.[1]?.response).toMatchObject({ scimType: 'invalidValue' })
  expect(log).toMatchObject([{ level: 'info', status: 200 }])
  expect(JSON.stringify(log)).not.toContain('secret')
  await store.close()
})

it('an operation that throws answers 500, the others run, and the error is logged', async () => {
  const inner = await openSqlite(':memory:')
  const log: LogEntry[] = []
  const failing = watchStatements(inner, ({ text }) => {
    if (text.startsWith('insert into users ')) throwOnce()
  })
  let isDue = false
  const throwOnce = (): void => {
    if (!isDue) return
    isDue = false
    throw new RangeError('secret')
  }
  const { send } = await connect(failing, { log: (entry) => log.push(entry) })
  isDue = true
  const { status, body } = await send('POST', '/Bulk', {
    schemas: [BULK_REQUEST],
    Operations: ['anna', 'bert', 'carl'].map((userName) => ({
      method: 'POST',
      path: '/Users',
      bulkId: userName,
      data: { userName },
    })),
  })
  expect(status).toBe(200)
  expect((body.Operations ?? []).map((one) => one.status)).toEqual(['500', '201', '201'])
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(log).toMatchObject([{ level: 'error', error: expect.stringContaining('RangeError') }])
  await inner.close()
})
