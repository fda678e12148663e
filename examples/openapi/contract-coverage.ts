/** A recorder counts the parts of a contract that a test suite covers, and what its bodies and parameters contained. */

import {
  checkCoverage,
  createContractRecorder,
  formatReport,
  mergeReports,
} from '@plumbline/contract'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { z } from 'zod'

const listBooks = defineOperation('listBooks', 'GET /books', {
  summary: 'List books',
  query: z.object({ page: z.int().optional(), author: z.string().optional() }),
  responses: {
    200: { description: 'The books', body: z.array(z.string()) },
    503: { description: 'The database is not available' },
  },
})
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(listBooks)

// Each test file, worker or shard has a recorder of its own.
async function runTestFile(path: string) {
  const recorder = createContractRecorder(builder)
  const request = new Request(`http://localhost${path}`)
  await recorder.middleware({ request }, async () => Response.json(['Emma']))
  return recorder.report()
}
const report = mergeReports([await runTestFile('/books'), await runTestFile('/books?page=2')])

const ignore = [{ operationId: 'listBooks', name: '503', reason: 'No test stops the database.' }]
checkCoverage(report, { ignore, thresholds: 100 }).failures //=> ['parameters: 50 % covered, expected 100 %']
checkCoverage(report, { ignore, thresholds: { members: 90 } }).failures //=> ['members: 75 % covered, expected 90 %']
report.members //=> { total: 4, covered: 3, cut: [] }
formatReport(report, { ignore }).split('\n') //=> [
//     'operation      | statuses | problems | media types | parameters | members | not covered',
//     '---------------|----------|----------|-------------|------------|---------|------------',
//     'all operations |      1/1 |        - |           - |        1/2 |     3/4 |',
//     'listBooks      |      1/1 |        - |           - |        1/2 |     3/4 | query:author, 200 empty',
//     '',
//     'Ignored:',
//     '  listBooks 503: No test stops the database.',
//     '',
//     '',
//   ]
