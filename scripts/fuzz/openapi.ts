import {
  createDocument,
  defineOperation,
  OpenAPIParseError,
  OpenAPIStringifyError,
  OperationInputError,
  parse,
  stringify,
} from '@plumbline/openapi'
import { ConformanceError, checkResponse } from '@plumbline/openapi/testing'
import { issuesFrom } from '@plumbline/problem'
import { isFailure, type Result } from '@plumbline/result'
import { type } from 'arktype'
import fc from 'fast-check'
import { z } from 'zod'
import { expectSame, expectTyped, jsonOf, type Target, target } from './target.ts'

const fields = {
  n: z.number().optional(),
  flag: z.boolean().optional(),
  tags: z.array(z.int()).optional(),
  text: z.string().optional(),
}
const body = z.object({ ...fields, list: z.array(z.object(fields)).optional() })
const ark = type({ 'n?': 'number', 'tags?': 'number[]', 'kind?': '"a"|"b"', '[string]': 'unknown' })
const route = { method: 'POST', pattern: '/x/:n' } as const
const operations = [
  defineOperation('strict', route, {
    summary: 'Everything in one operation',
    params: z.object({ n: z.number() }),
    query: z.object(fields),
    headers: z.object({ tags: z.array(z.int()).optional() }),
    cookies: z.object({ n: z.number().optional() }),
    body: { 'application/json': body, 'multipart/form-data': body, 'text/plain': z.string() },
    responses: { 200: { description: 'The same', body } },
  }),
  defineOperation(
    'ark',
    { method: 'PUT', pattern: '/x/:n' },
    {
      summary: 'The same with ArkType',
      query: ark,
      body: { 'application/json': ark, 'application/x-www-form-urlencoded': ark },
      responses: { 200: { description: 'The same', body: ark } },
    },
  ),
]
const builder = createDocument({ info: { title: 'Fuzz', version: '1' } }).add(...operations)

const key = fc.oneof(
  fc.constantFrom(
    'n',
    'flag',
    'tags',
    'text',
    'kind',
    'list',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
const text = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1e999',
    'true',
    'null',
    '%',
    '%E0%A4%A',
    '"',
    '{"a":',
    '[{},[]]',
    '{"__proto__":{}}',
  ),
  fc.string({ unit: 'binary', maxLength: 10 }),
)
const pairs = fc.array(fc.tuple(key, text), { maxLength: 5 })
const header = fc
  .oneof(
    text,
    pairs.map((all) => all.map((one) => one.join('=')).join('; ')),
  )
  .map((value) => value.replace(/[^\t\x20-\xff]/g, '?').trim())
const json = jsonOf(['n', 'flag', 'tags', 'text', 'list', 'kind'], [1, 1.5, '1', 'a', [1], ['1']])
const payload = fc.oneof(
  json.map((value) => ['application/json', JSON.stringify(value)] as const),
  pairs.map(
    (all) => ['application/x-www-form-urlencoded', new URLSearchParams(all).toString()] as const,
  ),
  pairs.map((all) => ['multipart/form-data; boundary=X', multipart(all)] as const),
  fc.tuple(header, text),
)
const message = fc.record({
  method: fc.constantFrom('POST', 'PUT'),
  search: fc.oneof(
    text,
    pairs.map((all) => new URLSearchParams(all).toString()),
  ),
  header,
  cookie: header,
  payload,
})

function multipart(all: readonly (readonly [string, string])[]): string {
  const parts = all.map(
    ([name, value]) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--X--\r\n`
}

const schema = jsonOf(
  ['type', '$ref', 'properties', 'items', 'const'],
  ['object', '#/components/schemas/A'],
)
const documents = fc
  .tuple(json, schema, fc.constantFrom('3.1.0', '3.1.1', '3.0.0', 3.1))
  .map(([paths, A, openapi]) => ({
    openapi,
    info: { title: 'Fuzz', version: '1' },
    paths: typeof paths === 'object' ? paths : {},
    components: { schemas: { A } },
  }))
const yaml = fc.array(
  fc.constantFrom(
    'openapi: 3.1.0',
    'info:',
    '  title: T',
    '  version: "1"',
    'paths: {}',
    '- a',
    '? b',
    '&a',
    '*a',
    '<<:',
    '"',
    '{',
    '}',
    '\t',
    '---',
    '!!map',
    '|',
    '>',
    '# c',
    'x: 1e999',
  ),
  { maxLength: 12 },
)
const source = fc.oneof(
  yaml.map((lines) => lines.join('\n')),
  documents.map((value) => JSON.stringify(value)),
  documents.map((value) => JSON.stringify(value).slice(0, -2)),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

export const openapiTargets: readonly Target[] = [
  target(
    'openapi: a request is parsed or rejected, and its issues are readable',
    message,
    async (one) => {
      const request = new Request(new URL(`http://h/x/1?${one.search}`), {
        method: one.method,
        body: one.payload[1],
      })
      request.headers.set('Content-Type', one.payload[0])
      request.headers.set('Tags', one.header)
      request.headers.set('Cookie', one.cookie)
      for (const operation of operations) {
        const result: Result<unknown, OperationInputError> = await operation.parse(
          request.clone(),
          { n: one.search },
        )
        expectTyped(result, OperationInputError)
        if (isFailure(result)) JSON.stringify(issuesFrom(result.error))
      }
    },
  ),
  target('openapi: a response conforms or its violations are listed', message, async (one) => {
    const request = new Request('http://h/x/1', { method: one.method })
    const headers = { 'Content-Type': one.payload[0] }
    const response = new Response(one.payload[1], { status: 200, headers })
    const result = await checkResponse(builder, request, response)
    const failed = isFailure(result) ? result.error : null
    if (failed !== null && !(failed instanceof ConformanceError)) throw failed
  }),
  target(
    'openapi: a document that is parsed is written so that it parses to the same',
    source,
    (one) => {
      const document = expectTyped(parse(one), OpenAPIParseError)
      if (document === undefined) return
      for (const format of ['json', 'yaml'] as const) {
        const options = format === 'yaml' ? { format } : {}
        const written = expectTyped(stringify(document, options), OpenAPIStringifyError)
        if (written === undefined) throw new Error('a parsed document cannot be written')
        const again = expectTyped(parse(written), OpenAPIParseError)
        expectSame(JSON.stringify(document), again, 'the document')
      }
    },
  ),
]
