import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA } from '../constants.ts'
import { parseBulk } from './parse.ts'
import { runBulk } from './run.ts'
import type { Call, Outcome } from './types.ts'

it('20,000 groups in chains and cycles are accepted', async () => {
  const execute = async ({ path }: Call): Promise<Outcome> => ({
    status: 201,
    location: `${path}/1`,
  })
  // Each group contains the next one, and the last one the first.
  const Operations = Array.from({ length: 20_001 }, (_, at) => ({
    method: 'POST',
    path: '/Groups',
    bulkId: `g${at}`,
    data: { displayName: `g${at}`, members: [{ value: `bulkId:g${(at + 1) % 20_001}` }] },
  }))
  const limits = { maxOperations: 100_000, maxPayloadSize: 100_000_000 }
  const request = unwrap(parseBulk({ schemas: [BULK_REQUEST_SCHEMA], Operations }, limits))
  const response = await runBulk(request, execute)
  expect(response.Operations).toHaveLength(20_001)
  expect(response.Operations.every(({ status }) => status === '201')).toBe(true)
})
