// Runs a bulk request whose two groups refer to each other (RFC 7644 §3.7.1).

import { unwrap } from '@plumbline/result'
import { BULK_REQUEST_SCHEMA } from '@plumbline/scim'
import { type Bulk, parseBulk, runBulk } from '@plumbline/scim/bulk'
import { serviceProviderConfig } from '@plumbline/scim/discovery'

const limits = { maxOperations: 1_000, maxPayloadSize: 1_048_576 }
serviceProviderConfig({ bulk: { supported: true, ...limits } })

// Pass each call to the handler of single requests. Here it only counts.
let count = 0
const execute: Bulk.Execute = async ({ method, path }) => {
  count += 1
  return method === 'POST'
    ? { status: 201, location: `https://example.com${path}/${count}` }
    : { status: 200 }
}
const group = (bulkId: string, value: string) => {
  const data = { displayName: bulkId, members: [{ value }] }
  return { method: 'POST', path: '/Groups', bulkId, data }
}
const Operations = [group('a', 'bulkId:b'), group('b', 'bulkId:a')]
const request = unwrap(parseBulk({ schemas: [BULK_REQUEST_SCHEMA], Operations }, limits))
const response = await runBulk(request, execute)
response.Operations.map(({ status }) => status) //=> ['201', '201']
count //=> 3
