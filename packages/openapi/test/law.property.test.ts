import { createDocument, defineOperation, type OpenAPI } from '@plumbline/openapi'
import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import { createMatcher } from '@remix-run/route-pattern/match'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Field, fieldsOf, lists, nested, objectOf, objectsOf, scalars } from './contracts.ts'
import { anyText, type Judge, judgeOf, pick, REFUSED, readings, readingsOfAll } from './law.ts'

/** What the document says of one parameter. */
interface Judged {
  readonly isRequired: boolean
  readonly takes: Judge
}

interface Contract {
  readonly path: readonly Field[]
  readonly query: readonly Field[]
  readonly header: readonly Field[]
  readonly body: readonly Field[]
}

type Sent = {
  readonly [Part in keyof Contract]: Part extends 'body'
    ? unknown
    : Readonly<Record<string, unknown>>
}

const segmentText = fc.constantFrom('a', 'B', '1', '%', '&', '=', '+', ',', 'ä', '😀')
const headerText = fc.constantFrom('a', 'B', '1', '%', '=', '+', '"', '-')

const contracts: fc.Arbitrary<Contract> = fc.record({
  path: fieldsOf(scalars, 'p').map((fields) =>
    fields.map((field, at) => ({ ...field, name: `p${at}`, isOptional: false })),
  ),
  query: fieldsOf(lists, 'q'),
  header: fieldsOf(lists, 'X-H'),
  body: fieldsOf(nested, 'b'),
})

const cases = contracts.chain((contract) => {
  const sent: fc.Arbitrary<Sent> = fc.record({
    path: objectsOf(contract.path, segmentText),
    query: objectsOf(contract.query, anyText),
    header: objectsOf(contract.header, headerText),
    body: fc.oneof({ weight: 15, arbitrary: objectsOf(contract.body, anyText) }, fc.jsonValue()),
  })
  return fc.record({
    contract: fc.constant(contract),
    requests: fc.array(sent, { minLength: 6, maxLength: 6 }),
  })
})

describe('the law', () => {
  it('what the document accepts, parse accepts with the values meant; what it refuses, parse refuses', async () => {
    const seen = { accepted: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async ({ contract, requests }) => {
        const { operation, document, pattern } = prepare(contract)
        const judges = await judgesOf(document)
        for (const sent of requests) {
          const url = `http://h${pathOf(contract, sent)}?${queryOf(sent.query)}`
          const params = createMatcher(pattern).match(url)?.params
          if (!params) continue
          const body = JSON.stringify(sent.body)
          const headers = new Headers({
            'Content-Type': 'application/json',
            ...headersOf(sent.header),
          })
          const request = new Request(url, { method: 'POST', headers, body })

          const search = new URL(url).searchParams
          const meant = {
            params: judge(contract.path, judges.path, (name) => readings(params[name] ?? '')),
            query: judge(contract.query, judges.query, (name) =>
              readingsOfAll(search.getAll(name)),
            ),
            headers: judge(contract.header, judges.header, (name) =>
              readingsOfList(headers.get(name)),
            ),
            body: judges.body(JSON.parse(body)) ? pick(contract.body, JSON.parse(body)) : REFUSED,
          }
          const result = await operation.parse(request, params)
          const refused = Object.entries(meant).find(([, part]) => part === REFUSED)
          if (refused) {
            seen.refused += 1
            expect(isFailure(result) && result.error.location).toBe(refused[0])
          } else {
            seen.accepted += 1
            expect(unwrap(result)).toEqual(meant)
          }
        }
      }),
      { numRuns: 120 },
    )
    // Neither half of the law holds for want of requests.
    expect(seen.accepted).toBeGreaterThan(100)
    expect(seen.refused).toBeGreaterThan(100)
  })
})

function prepare(contract: Contract) {
  const pattern = `/x${contract.path.map(({ name }) => `/:${name}`).join('')}`
  const operation = defineOperation(
    'send',
    { method: 'POST', pattern },
    {
      summary: 'Send',
      params: objectOf(contract.path, 'params'),
      query: objectOf(contract.query, 'query'),
      headers: objectOf(contract.header, 'headers'),
      body: objectOf(contract.body, 'body'),
      responses: { 204: { description: 'Done' } },
    },
  )
  const builder = createDocument({ info: { title: 'Law', version: '1' } }).add(operation)
  return { operation, document: unwrap(builder.build()), pattern }
}

/** Compiles what the document says of its one operation. */
async function judgesOf(document: OpenAPI.Document) {
  const [item]: OpenAPI.PathItem[] = Object.values(document.paths ?? {})
  const { parameters = [], requestBody } = item?.post ?? {}
  const where: Record<Exclude<keyof Contract, 'body'>, Map<string, Judged>> = {
    path: new Map(),
    query: new Map(),
    header: new Map(),
  }
  for (const parameter of parameters) {
    if (!('in' in parameter) || parameter.in === 'cookie') throw new Error('no such parameter')
    const { name, required = false, schema = {} } = parameter
    where[parameter.in].set(name, { isRequired: required, takes: await judgeOf(document, schema) })
  }
  if (!requestBody || !('content' in requestBody)) throw new Error('no body')
  const { schema = {} } = requestBody.content['application/json'] ?? {}
  return { ...where, body: await judgeOf(document, schema) }
}

/** The one reading of each parameter that the document takes. */
function judge(
  fields: readonly Field[],
  judges: ReadonlyMap<string, Judged>,
  readingsFor: (name: string) => readonly unknown[],
): unknown {
  const values: [string, unknown][] = []
  for (const { name } of fields) {
    const judged = judges.get(name)
    if (!judged) throw new Error(`the document lacks ${name}`)
    const all = readingsFor(name)
    const taken = all.filter(judged.takes)
    expect(taken.length).toBeLessThan(2)
    if (taken.length === 0 && (all.length > 0 || judged.isRequired)) return REFUSED
    if (taken.length > 0) values.push([name, taken[0]])
  }
  return Object.fromEntries(values)
}

/** A header is one text, and a list of what stands between its commas (style simple). */
function readingsOfList(text: string | null): readonly unknown[] {
  if (text === null) return []
  const parts = text.split(',').map((part) => part.trim())
  return [
    ...readings(text),
    ...(parts.length === 1 ? readingsOfAll(parts).filter(Array.isArray) : readingsOfAll(parts)),
  ]
}

function pathOf({ path }: Contract, sent: Sent): string {
  return `/x${path.map(({ name }) => `/${encodeURIComponent(String(sent.path[name] ?? ''))}`).join('')}`
}

/** Style form with explode (OpenAPI 3.1.1 §4.8.12.2.1). */
function queryOf(sent: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
  )
  return pairs.join('&')
}

/** Style simple; a list of nothing is no header. */
function headersOf(sent: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(sent).flatMap(([name, value]) => {
    const isAbsent = value === undefined || (Array.isArray(value) && value.length === 0)
    return isAbsent ? [] : [[name, [value].flat().join(', ')]]
  })
  return Object.fromEntries(entries)
}

describe('where the law ends', () => {
  const operation = (query: z.ZodObject) =>
    defineOperation(
      'read',
      { method: 'GET', pattern: '/x' },
      {
        summary: 'Read',
        query,
        responses: { 204: { description: 'Done' } },
      },
    )
  const documented = async (query: z.ZodObject) => {
    const built = createDocument({ info: { title: 'Law', version: '1' } })
      .add(operation(query))
      .build()
    const parameter = unwrap(built).paths?.['/x']?.get?.parameters?.[0]
    if (!parameter || !('in' in parameter)) throw new Error('no parameter')
    return await judgeOf(unwrap(built), parameter.schema ?? {})
  }

  it('a refinement is not documented: JSON Schema has no word for code', async () => {
    const query = z.object({ even: z.int().refine((value) => value % 2 === 0) })
    expect((await documented(query))(3)).toBe(true)
    const parse = async (search: string) =>
      operation(query).parse(new Request(`http://h/x?${search}`))
    expect(isFailure(await parse('even=3'))).toBe(true)
    expect(isSuccess(await parse('even=4'))).toBe(true)
  })
})
