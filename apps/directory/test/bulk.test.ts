import { errorResponse, ScimError } from '@plumbline/scim'
import { expect, it } from 'vitest'
import type { LogEntry } from '../src/request-log.ts'
import { bulkHandler } from '../src/scim/bulk.ts'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import { connect } from './harness.ts'

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

it('answers 400 for an operation whose version has a line break, and does not log an error', async () => {
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

it('answers 500 for an operation that throws, and runs the others', async () => {
  const operation = (id: string) => ({ method: 'DELETE', path: `/Users/${id}` })
  const thrown: unknown[] = []
  const response = await bulkHandler({
    base: 'http://localhost/scim/v2',
    body: async () => ({ schemas: [BULK_REQUEST], Operations: ['a', 'b', 'c'].map(operation) }),
    dispatch: async ({ url }) => {
      if (url.endsWith('b')) throw new RangeError('secret')
      return new Response(null, { status: 204 })
    },
    fail: (error) => {
      thrown.push(error)
      return errorResponse(new ScimError(500, 'Internal server error'))
    },
  })
  const { Operations } = (await response.json()) as { readonly Operations: readonly object[] }
  expect(Operations).toMatchObject([{ status: '204' }, { status: '500' }, { status: '204' }])
  expect(thrown).toEqual([new RangeError('secret')])
})
