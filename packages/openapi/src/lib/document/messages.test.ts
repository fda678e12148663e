import { defineProblems } from '@plumbline/problem'
import { isFailure } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AnyOperation } from '../operation.ts'
import { operation, posting } from './build.cases.ts'
import { createDocument } from './build.ts'
import type { DocumentOptions } from './builder.ts'

/** The messages of all faults of a document, in their order. */
function messagesOf(
  operations: readonly AnyOperation[],
  options: Partial<DocumentOptions> = {},
): readonly string[] {
  const info = { title: 'Books', version: '1' }
  const result = createDocument({ info, ...options })
    .add(...operations)
    .build()
  return isFailure(result) ? result.error.errors.map(({ message }) => message) : []
}

const problems = defineProblems('https://example.com/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
})
const at = (pattern: string, method = 'GET') => operation('a', {}, { method, pattern })

// A message names the part at fault and the change that fixes it.
describe('the build fault message names the part', () => {
  it.each<readonly [message: string, messages: readonly string[]]>([
    [
      'OpenAPI 3.1 does not support the method CONNECT; use another method',
      messagesOf([at('/books', 'CONNECT')]),
    ],
    [
      "OpenAPI 3.1 does not support the method QUERY; give createDocument the option openapi: '3.2.0'",
      messagesOf([at('/books', 'QUERY')]),
    ],
    ['the operationId a is used twice; rename one operation', messagesOf([at('/a'), at('/b')])],
    [
      'two operations are bound to GET /books; remove one',
      messagesOf([operation('a'), operation('b')]),
    ],
    [
      'the path differs from /books/{id} only in the names of its variables; use the same names',
      messagesOf([
        at('/books/:id'),
        operation('b', {}, { method: 'PUT', pattern: '/books/:bookId' }),
      ]),
    ],
    [
      'the status 404 is declared as a response and as a problem; remove one',
      messagesOf(
        [operation('a', { responses: { 404: { description: '' } }, problems: ['notFound'] })],
        { problems },
      ),
    ],
    [
      'the cookie parameter c may be a list, which cannot be sent as text; remove the list',
      messagesOf([
        operation('a', { cookies: z.object({ c: z.union([z.string(), z.array(z.string())]) }) }),
      ]),
    ],
    [
      'the header parameter h accepts no value; remove it',
      messagesOf([operation('a', { headers: z.object({ h: z.never().optional() }) })]),
    ],
    [
      'x-AT is the same header as X-At (RFC 9110 §5.1); remove one',
      messagesOf([
        operation('a', { headers: z.object({ 'X-At': z.string(), 'x-AT': z.string() }) }),
      ]),
    ],
    [
      'json is not a valid media type; write it as type/subtype',
      messagesOf([posting('a', { json: z.string() })]),
    ],
    [
      'Text/CSV is the same media type as text/csv; remove one',
      messagesOf([posting('a', { 'text/csv': z.string(), 'Text/CSV': z.string() })]),
    ],
    [
      'application/json cannot carry files; send them in multipart/form-data',
      messagesOf([posting('a', { 'application/json': z.object({ file: z.file() }) })]),
    ],
    [
      '99 is not a valid status; use 100 to 599, a range such as 4XX, or default',
      messagesOf([operation('a', { responses: { 99: { description: '' } } })]),
    ],
    [
      "the problem gone is not defined; add it to the document's problem catalog",
      messagesOf([operation('a', { problems: ['gone'] })]),
    ],
    [
      'the schema name Problem is reserved for the problem catalog; rename it',
      messagesOf([posting('a', z.object({}).meta({ id: 'Problem' }))], { problems }),
    ],
    [
      'the schema name NotFoundProblem is reserved for the problem notFound; rename it',
      messagesOf([posting('a', z.object({}).meta({ id: 'NotFoundProblem' }))], { problems }),
    ],
    [
      'the schema name "a b" must match ^[a-zA-Z0-9._-]+$; rename it',
      messagesOf([posting('a', z.object({}).meta({ id: 'a b' }))]),
    ],
    [
      'the component name "a b" must match ^[a-zA-Z0-9._-]+$; rename it',
      messagesOf([], { securitySchemes: { 'a b': { type: 'http', scheme: 'bearer' } } }),
    ],
    [
      'the security scheme key is not defined; add it to securitySchemes',
      messagesOf([], { security: [{ key: [] }] }),
    ],
  ])('the message is %s', (message, messages) => {
    expect(messages).toEqual([message])
  })

  it('the message names each parameter the route has or lacks', () => {
    const params = z.object({ c: z.string(), d: z.string() })
    const route = { method: 'GET', pattern: '/:a/:b' } as const
    expect(messagesOf([operation('a', { params }, route)])).toEqual([
      'params does not have a, b, which the route has; add it',
      'params has c, d, which the route does not have; remove it',
    ])
  })

  it('the message names the kind of value a parameter accepts', () => {
    const query = z.object({
      object: z.object({}),
      rows: z.array(z.array(z.string())),
      none: z.null(),
      file: z.file(),
    })
    const cookies = z.object({ list: z.array(z.string()) })
    const rest = 'which cannot be sent as text; use a string or the body'
    expect(messagesOf([operation('a', { query, cookies })])).toEqual([
      `the query parameter object accepts only an object, ${rest}`,
      `the query parameter rows accepts only a list of lists, objects or files, ${rest}`,
      `the query parameter none accepts only null, ${rest}`,
      `the query parameter file accepts only a file, ${rest}`,
      `the cookie parameter list accepts only a list, ${rest}`,
    ])
  })

  it('the message names the remedy for each header OpenAPI ignores (OpenAPI 3.1.1 §4.8.12.1)', () => {
    const headers = z.object({
      Accept: z.string(),
      'content-type': z.string(),
      Authorization: z.string(),
    })
    const start = 'OpenAPI ignores a header parameter named'
    expect(messagesOf([operation('a', { headers })])).toEqual([
      `${start} Accept; declare a response body for each media type`,
      `${start} content-type; declare a schema of the body for each media type`,
      `${start} Authorization; use a security scheme`,
    ])
  })
})
