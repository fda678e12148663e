import { createDocument, defineOperation, type OpenAPI } from '@plumbline/openapi'
import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import { createMatcher } from '@remix-run/route-pattern/match'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../src/lib/schema/standard-schema.ts'
import { type Field, fieldsOf, lists, nested, objectsOf, scalars } from './contracts.ts'
import { type Library, libraries } from './libraries.ts'
import {
  anyText,
  pick,
  REJECTED,
  readings,
  readingsOfAll,
  type Validator,
  validatorOf,
} from './oracle.ts'

/** The description of one parameter. */
interface Validated {
  readonly isRequired: boolean
  readonly accepts: Validator
}

interface Contract {
  readonly path: readonly Field[]
  readonly query: readonly Field[]
  readonly header: readonly Field[]
  readonly cookie: readonly Field[]
  readonly body: readonly Field[]
  readonly isBodyOptional: boolean
}

interface Sent {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly cookie: Readonly<Record<string, unknown>>
  /** The text of the body; null without a body. */
  readonly body: string | null
}

const segmentText = fc.constantFrom('a', 'B', '1', '%', '&', '=', '+', ',', 'ä', '😀')
const headerText = fc.constantFrom('a', 'B', '1', '%', '=', '+', '"', '-')

/** Kinds of one string, and a few lists, which a path or a cookie cannot contain. */
const oneText = fc.oneof({ weight: 40, arbitrary: scalars }, { weight: 1, arbitrary: lists })

const contracts: fc.Arbitrary<Contract> = fc.record({
  path: fieldsOf(oneText, 'p').map((fields) =>
    fields.map((field) => ({ ...field, name: field.name.replace('-', ''), isOptional: false })),
  ),
  query: fieldsOf(lists, 'q'),
  header: fieldsOf(lists, 'X-H'),
  cookie: fieldsOf(oneText, 'c'),
  body: fieldsOf(nested, 'b'),
  isBodyOptional: fc.boolean(),
})

const casesOf = ({ unitOf, fieldsFor }: Library) =>
  contracts.chain((generated) => {
    const contract = { ...generated, body: fieldsFor(generated.body) }
    const sent: fc.Arbitrary<Sent> = fc.record({
      path: objectsOf(contract.path, unitOf(segmentText)),
      query: objectsOf(contract.query, unitOf(anyText)),
      header: objectsOf(contract.header, headerText),
      cookie: objectsOf(contract.cookie, unitOf(anyText)),
      body: fc.oneof(
        { weight: 15, arbitrary: objectsOf(contract.body, unitOf(anyText)).map(jsonOf) },
        { weight: 1, arbitrary: fc.jsonValue().map(jsonOf) },
        { weight: 1, arbitrary: fc.constantFrom('', null) },
      ),
    })
    return fc.record({
      contract: fc.constant(contract),
      requests: fc.array(sent, { minLength: 6, maxLength: 6 }),
    })
  })

describe.each(libraries)('the law, for $name schemas', (library) => {
  it('parse accepts the requests that the document accepts, with the described values, and rejects all others', async () => {
    const seen = { accepted: 0, rejected: 0 }
    await fc.assert(
      fc.asyncProperty(casesOf(library), async ({ contract, requests }) => {
        const { operation, built, pattern } = prepare(contract, library)
        expect(isFailure(built)).toBe(holdsList([...contract.path, ...contract.cookie]))
        if (isFailure(built)) return
        const validators = await validatorsOf(unwrap(built))
        for (const sent of requests) {
          const url = `http://h${pathOf(contract, sent)}?${queryOf(sent.query)}`
          const params = createMatcher(pattern).match(url)?.params
          if (!params) continue
          const headers = new Headers({
            'Content-Type': 'application/json',
            ...headersOf(sent.header),
            Cookie: cookieOf(sent.cookie),
          })
          const request = new Request(url, { method: 'POST', headers, body: sent.body })

          const search = new URL(url).searchParams
          const expected = {
            params: check(contract.path, validators.path, (name) => readings(params[name] ?? '')),
            query: check(contract.query, validators.query, (name) =>
              readingsOfAll(search.getAll(name)),
            ),
            headers: check(contract.header, validators.header, (name) =>
              readingsOfList(headers.get(name)),
            ),
            cookies: check(contract.cookie, validators.cookie, (name) => {
              const value = sent.cookie[name]
              return value === undefined ? [] : readings(String(value))
            }),
            body: bodyMeant(contract, validators, sent.body),
          }
          const result = await operation.parse(request, params)
          const rejected = Object.entries(expected).find(([, part]) => part === REJECTED)
          if (rejected) {
            seen.rejected += 1
            expect(isFailure(result) && result.error.location).toBe(rejected[0])
          } else {
            seen.accepted += 1
            const read = unwrap(result)
            // ArkType keeps the keys that a schema does not name.
            const body = read.body === undefined ? undefined : pick(contract.body, read.body)
            expect({ ...read, body }).toEqual(expected)
          }
        }
      }),
      { numRuns: RUNS },
    )
    // Enough requests were accepted, and enough were rejected.
    expect(seen.accepted).toBeGreaterThan(RUNS / 2)
    expect(seen.rejected).toBeGreaterThan(RUNS / 2)
  })
})

/** `.ci/run` has more. A longer search: `LAW_RUNS=2000 npx vitest run --testTimeout=3600000 packages/openapi/test/law`. */
const RUNS = Number(process.env.LAW_RUNS ?? 20)

function jsonOf(value: unknown): string {
  return JSON.stringify(value)
}

/** A body of no bytes is absent, whatever the headers of the request. */
function bodyMeant(
  contract: Contract,
  { body }: Awaited<ReturnType<typeof validatorsOf>>,
  text: string | null,
): unknown {
  if (text === null || text === '') return body.isRequired ? REJECTED : undefined
  const value: unknown = JSON.parse(text)
  return body.accepts(value) ? pick(contract.body, value) : REJECTED
}

function holdsList(fields: readonly Field[]): boolean {
  return fields.some(({ kind }) => kind.kind === 'array' || kind.kind === 'int-or-words')
}

function prepare(contract: Contract, { objectOf, optionalObjectOf }: Library) {
  const pattern = `/x${contract.path.map(({ name }) => `/:${name}`).join('')}`
  const operation = defineOperation(
    'send',
    { method: 'POST', pattern },
    {
      summary: 'Send',
      params: objectOf(contract.path, 'params'),
      query: objectOf(contract.query, 'query'),
      headers: objectOf(contract.header, 'headers'),
      cookies: objectOf(contract.cookie, 'cookies'),
      body: (contract.isBodyOptional ? optionalObjectOf : objectOf)(contract.body, 'body'),
      responses: { 204: { description: 'Done' } },
    },
  )
  const builder = createDocument({ info: { title: 'Law', version: '1' } }).add(operation)
  return { operation, built: builder.build(), pattern }
}

/** Compiles the parameters and the body that the document describes for its only operation. */
async function validatorsOf(document: OpenAPI.Document) {
  const [item]: OpenAPI.PathItem[] = Object.values(document.paths ?? {})
  const { parameters = [], requestBody } = item?.post ?? {}
  const where: Record<'path' | 'query' | 'header' | 'cookie', Map<string, Validated>> = {
    path: new Map(),
    query: new Map(),
    header: new Map(),
    cookie: new Map(),
  }
  for (const parameter of parameters) {
    if (!('in' in parameter)) throw new Error('no such parameter')
    const { name, required = false, schema = {} } = parameter
    where[parameter.in].set(name, {
      isRequired: required,
      accepts: await validatorOf(document, schema),
    })
  }
  if (!requestBody || !('content' in requestBody)) throw new Error('no body')
  const { schema = {} } = requestBody.content['application/json'] ?? {}
  const body: Validated = {
    isRequired: requestBody.required === true,
    accepts: await validatorOf(document, schema),
  }
  return { ...where, body }
}

/** The only interpretation of each parameter that the document accepts. */
function check(
  fields: readonly Field[],
  validators: ReadonlyMap<string, Validated>,
  readingsFor: (name: string) => readonly unknown[],
): unknown {
  const values: [string, unknown][] = []
  for (const { name } of fields) {
    const validated = validators.get(name)
    if (!validated) throw new Error(`the document does not have ${name}`)
    const all = readingsFor(name)
    const accepted = all.filter(validated.accepts)
    expect(accepted.length).toBeLessThan(2)
    if (accepted.length === 0 && (all.length > 0 || validated.isRequired)) return REJECTED
    if (accepted.length > 0) values.push([name, accepted[0]])
  }
  return Object.fromEntries(values)
}

/** A header is one string, or a list of the strings between its commas (style simple). */
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

/** Style simple; an empty list is not sent. */
function headersOf(sent: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(sent).flatMap(([name, value]) => {
    const isAbsent = value === undefined || (Array.isArray(value) && value.length === 0)
    return isAbsent ? [] : [[name, [value].flat().join(', ')]]
  })
  return Object.fromEntries(entries)
}

/** A pair for each cookie. A list is not sent. */
function cookieOf(sent: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(sent).filter(([, value]) => value !== undefined)
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('; ')
}

describe('limits to the law', () => {
  /** Whether the document and `parse` accept a JSON body. */
  const verdicts = async (body: Schema, value: unknown) => {
    const operation = defineOperation(
      'send',
      { method: 'POST', pattern: '/x' },
      { summary: 'Send', body, responses: { 204: { description: 'Done' } } },
    )
    const builder = createDocument({ info: { title: 'Law', version: '1' } }).add(operation)
    const validators = await validatorsOf(unwrap(builder.build()))
    const init = { method: 'POST', body: JSON.stringify(value), headers: JSON_HEADERS }
    const result = await operation.parse(new Request('http://h/x', init))
    return { document: validators.body.accepts(value), parse: isSuccess(result) }
  }
  const JSON_HEADERS = { 'Content-Type': 'application/json' }

  it('a refinement is not documented, because JSON Schema cannot express code', async () => {
    const even = z.int().refine((value) => value % 2 === 0)
    expect(await verdicts(even, 3)).toEqual({ document: true, parse: false })
    expect(await verdicts(even, 4)).toEqual({ document: true, parse: true })
  })

  it.each([
    ['ArkType', type('string <= 2')],
    ['Valibot', toStandardJsonSchema(v.pipe(v.string(), v.maxLength(2)))],
  ])('%s counts a character beyond U+FFFF as two (RFC 8259 §7)', async (_, schema) => {
    expect(await verdicts(schema, '😀😀')).toEqual({ document: true, parse: false })
    expect(await verdicts(schema, 'éé')).toEqual({ document: true, parse: true })
  })

  it.each([
    ['ArkType', type({ 'a?': 'string' })],
    ['Valibot', toStandardJsonSchema(v.object({ a: v.optional(v.string()) }))],
  ])('%s accepts a list as an object whose keys are all optional', async (_, schema) => {
    expect(await verdicts(schema, [])).toEqual({ document: false, parse: true })
  })

  it('Valibot ignores the record key constructor', async () => {
    const record = toStandardJsonSchema(v.record(v.string(), v.number()))
    expect(await verdicts(record, { constructor: 'a' })).toEqual({ document: false, parse: true })
    expect(await verdicts(record, { toString: 'a' })).toEqual({ document: false, parse: false })
  })
})
