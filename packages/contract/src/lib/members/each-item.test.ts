import { createDocument, defineOperation } from '@plumbline/openapi'
import { defineProblems } from '@plumbline/problem'
import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createContractRecorder } from '../record/recorder.ts'

const problems = defineProblems('https://pets.example/problems/', {
  sold: { slug: 'sold', status: 409, title: 'Sold' },
})
/** An operation with every kind of item in its contract. */
const document = createDocument({
  info: { title: 'Pets', version: '1.0.0' },
  problems,
  defaults: {},
}).add(
  defineOperation('addPet', 'POST /pets/:kind', {
    summary: 'Add a pet',
    params: z.object({ kind: z.enum(['cat', 'dog']) }),
    query: z.object({ page: z.int().optional() }),
    headers: z.object({ 'X-Mode': z.enum(['fast', 'safe']).optional() }),
    cookies: z.object({ theme: z.string().optional() }),
    body: {
      'application/json': z.object({ names: z.array(z.string()) }),
      'text/plain': z.string(),
    },
    responses: {
      200: {
        description: 'The pet',
        headers: { ETag: { schema: z.string() } },
        body: z.object({
          note: z.string().nullable().optional(),
          pet: z.union([z.object({ purr: z.boolean() }), z.object({ bark: z.boolean() })]),
          size: z.enum(['s', 'm']),
          tags: z.array(z.string()),
        }),
      },
      204: { description: 'Added' },
    },
    problems: ['sold'],
  }),
)
unwrap(document.build())

/** A request and its answer, as differences from the first exchange. */
interface Change {
  readonly kind?: string
  readonly search?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly sent?: string
  readonly answer?: object
  readonly response?: () => Response
  readonly etag?: boolean
}

const answer = { pet: { purr: true }, size: 's', tags: [] }
const JSON_TYPE = 'application/json'

async function coveredBy(changes: readonly Change[]) {
  const recorder = createContractRecorder(document)
  for (const change of changes) {
    const { kind = 'cat', search = '', headers, sent = '{"names":[]}', etag = true } = change
    const request = new Request(`http://localhost/pets/${kind}${search}`, {
      method: 'POST',
      headers: { 'Content-Type': JSON_TYPE, ...headers },
      body: sent,
    })
    const json = Response.json(
      { ...answer, ...change.answer },
      { headers: etag ? { ETag: '"1"' } : {} },
    )
    await recorder.middleware({ request }, async () => change.response?.() ?? json)
  }
  const { operations, problems: defaults } = recorder.report()
  const items = [...operations.flatMap((one) => one.items), ...defaults]
  return {
    all: items.map(({ kind, name }) => `${kind} ${name}`),
    covered: items
      .filter(({ count }) => count > 0)
      .map(({ kind, name }) => `${kind} ${name}`)
      .sort(),
    violations: recorder.violations().length,
  }
}

/** The items of the first exchange. */
const FIRST = [
  'mediaType application/json',
  'members 200 /note absent',
  'members 200 /pet {purr}',
  'members 200 /size "s"',
  'members 200 /tags empty',
  'members 200 header:ETag present',
  'members cookie:theme absent',
  'members header:X-Mode absent',
  'members path:kind "cat"',
  'members query:page absent',
  'members request /names empty',
  'status 200',
]

/** Exchanges, each with the items that only it covers. */
const EXCHANGES: readonly (readonly [Change, ...items: string[]])[] = [
  [{ kind: 'dog' }, 'members path:kind "dog"'],
  [{ search: '?page=1' }, 'parameter query:page'],
  [{ headers: { 'X-Mode': 'fast' } }, 'parameter header:X-Mode', 'members header:X-Mode "fast"'],
  [{ headers: { 'X-Mode': 'safe' } }, 'parameter header:X-Mode', 'members header:X-Mode "safe"'],
  [{ headers: { Cookie: 'theme=dark' } }, 'parameter cookie:theme'],
  [{ headers: { 'Content-Type': 'text/plain' }, sent: 'a' }, 'mediaType text/plain'],
  [{ sent: '{"names":["a"]}' }, 'members request /names non-empty'],
  [{ answer: { note: 'n' } }, 'members 200 /note'],
  [{ answer: { note: null } }, 'members 200 /note null'],
  [{ answer: { pet: { bark: true } } }, 'members 200 /pet {bark}'],
  [{ answer: { size: 'm' } }, 'members 200 /size "m"'],
  [{ answer: { tags: ['a'] } }, 'members 200 /tags non-empty'],
  [{ etag: false }, 'members 200 header:ETag absent'],
  [{ response: () => new Response(null, { status: 204 }) }, 'status 204'],
  [{ response: () => problems.sold() }, 'problem sold'],
]

it('an exchange covers only the contract items it contains', async () => {
  const first = await coveredBy([{}])
  expect(first.covered).toEqual(FIRST)
  for (const [change, ...items] of EXCHANGES) {
    const { covered, violations } = await coveredBy([{}, change])
    expect([change, covered]).toEqual([change, [...FIRST, ...items].sort()])
    expect(violations).toBe(0)
  }
  const named = new Set([...FIRST, ...EXCHANGES.flatMap(([, ...items]) => items)])
  // The other items are the problems that the server answers by default.
  const others = first.all.filter((item) => !named.has(item))
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter((item) => !item.startsWith('problem '))).toEqual([])
})

it('an answer that violates the contract covers no request or response member', async () => {
  for (const [change] of EXCHANGES) {
    const broken: Change = { ...change, answer: { ...change.answer, size: 7 } }
    if (change.response) continue
    const { covered, violations } = await coveredBy([broken])
    expect(covered.filter((item) => item.startsWith('members '))).toEqual([])
    expect(violations).toBe(1)
  }
})

it('an accepted request whose query is not UTF-8 covers no parameter', async () => {
  const { covered, violations } = await coveredBy([{ search: '?page=%FF' }])
  expect(covered.filter((item) => item.includes('query:page'))).toEqual([])
  expect(violations).toBe(0)
})
