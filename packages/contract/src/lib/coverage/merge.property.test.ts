import { createDocument, defineOperation } from '@plumbline/openapi'
import { defineProblems } from '@plumbline/problem'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createContractRecorder } from '../record/recorder.ts'
import type { ContractReport, EarlierReport } from '../report.ts'
import { mergeReports } from './merge.ts'

const problems = defineProblems('https://example.com', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
})
const Pet = z.object({ name: z.string().nullable().optional(), tags: z.array(z.enum(['a', 'b'])) })
const document = createDocument({
  info: { title: 'Pets', version: '1.0.0' },
  problems,
  defaults: {},
}).add(
  defineOperation('addPet', 'POST /pets', {
    summary: 'Add a pet',
    query: z.object({ dry: z.boolean().optional() }),
    body: Pet,
    responses: { 201: { description: 'Added', body: Pet } },
  }),
  defineOperation('readPet', 'GET /pets/:id', {
    summary: 'Read a pet',
    responses: { 200: { description: 'The pet', body: Pet } },
    problems: ['notFound'],
  }),
)

const pets = fc.record(
  {
    name: fc.option(fc.constantFrom('a', 7)),
    tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
  },
  { requiredKeys: ['tags'] },
)
/** The response of a problem without extension members. */
const respond = (entry: unknown): Response => (entry as () => Response)()

const responses = fc.oneof(
  fc.tuple(pets, fc.constantFrom(200, 201)).map(
    ([pet, status]) =>
      () =>
        Response.json(pet, { status }),
  ),
  fc.constant(() => problems.notFound()),
  fc.constantFrom('malformed' as const, 'internal' as const).map((name) => () => {
    const entry = document.defaults()?.[name].entry
    return entry === undefined ? new Response() : respond(entry)
  }),
)
const requests = fc.oneof(
  fc.tuple(pets, fc.constantFrom('', '?dry=true')).map(([pet, search]) => () => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(pet) }
    return new Request(`http://localhost/pets${search}`, init)
  }),
  fc.constant(() => new Request('http://localhost/pets/p1')),
)
const exchanges = fc.array(
  fc.tuple(requests, responses, fc.nat({ max: 2 })).map(([request, response, shard]) => ({
    request,
    response,
    shard,
  })),
  { maxLength: 12 },
)

/** The counts of a report, without the order of its violations. */
function countsOf({ exchanges, operations, problems, members, violationCount }: ContractReport) {
  return { exchanges, operations, problems, members, violationCount }
}

/** The report without what an earlier version did not count. */
function earlierOf({ problems: _, members: __, ...report }: ContractReport): EarlierReport {
  const operations = report.operations.map(({ items, ...operation }) => ({
    ...operation,
    items: items.filter(({ kind }) => kind !== 'members'),
  }))
  return { ...report, format: 'plumbline-contract/1', operations }
}

it("three shard reports, merged in any order, equal a single recorder's report", async () => {
  await fc.assert(
    fc.asyncProperty(
      exchanges,
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      async (sent, order) => {
        const whole = createContractRecorder(document)
        const shards = [0, 1, 2].map(() => createContractRecorder(document))
        for (const { request, response, shard } of sent) {
          for (const recorder of [whole, shards[shard]]) {
            await recorder?.middleware({ request: request() }, async () => response())
          }
        }
        const reports = order.flatMap((at) => shards[at]?.report() ?? [])
        const [first, ...others] = reports
        const nested = mergeReports([first ?? whole.report(), mergeReports(others)])
        expect(countsOf(mergeReports(reports))).toEqual(countsOf(whole.report()))
        expect(countsOf(nested)).toEqual(countsOf(whole.report()))

        const mixed = reports.map((report, at) => (at === 0 ? earlierOf(report) : report))
        const rest = mergeReports(others)
        const merged = mergeReports(mixed)
        // The earlier version did not count these.
        expect(merged.members).toEqual(rest.members)
        expect(merged.problems).toEqual(rest.problems)
        const statuses = ({ operations }: ContractReport) =>
          operations.map(({ items }) => items.filter(({ kind }) => kind !== 'members'))
        expect(statuses(merged)).toEqual(statuses(whole.report()))
      },
    ),
    { numRuns: 60 },
  )
})
