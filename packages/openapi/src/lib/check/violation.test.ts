import { isFailure } from '@plumbline/result'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { addressOfCode } from '../address.ts'
import { createDocument } from '../document/build.ts'
import { type Answers, Book, info, problems, request, violationsOf } from './check.cases.ts'
import { checkResponse } from './check-response.ts'
import { ConformanceError } from './violation.ts'

const NOT_FOUND = 'https://example.com/problems/not-found'
const declared = { responses: { 200: { description: 'The book', body: Book } } }
const failing = { problems: ['notFound', 'gone'] } as const

/** A declared response with one body schema for all text types. */
function textOf(body: z.ZodType): Answers {
  return { responses: { 200: { description: 'The book', body: { 'text/*': body } } } }
}

function throwing(thrown: unknown): z.ZodType {
  return z.string().refine(() => {
    throw thrown
  })
}

function answer(body: BodyInit | null, type: string, status = 200): Response {
  return new Response(body, { status, headers: { 'Content-Type': type } })
}

function problem(members: object): Response {
  const body = { type: NOT_FOUND, title: 'No such book', status: 404, ...members }
  return answer(JSON.stringify(body), 'application/problem+json', 404)
}

it.each<[what: string, answers: Answers, response: Response, message: string]>([
  [
    'a status that is not declared',
    declared,
    new Response(null, { status: 418 }),
    'undocumented-status: the status 418 is not declared',
  ],
  [
    'two headers that are missing',
    {
      responses: {
        204: {
          description: 'Done',
          headers: {
            ETag: { schema: z.string(), required: true },
            Link: { schema: z.string(), required: true },
          },
        },
      },
    },
    new Response(null, { status: 204 }),
    'missing-header: the header ETag is missing\nreadBook: missing-header: the header Link is missing',
  ],
  [
    'a body where none is declared',
    { responses: { 200: { description: 'Done' } } },
    answer('x', 'text/csv'),
    'undocumented-media-type: a body of text/csv was sent, but none is declared',
  ],
  [
    'a body without a media type where none is declared',
    { responses: { 200: { description: 'Done' } } },
    new Response(new Uint8Array(1)),
    'undocumented-media-type: a body of no media type was sent, but none is declared',
  ],
  [
    'a body of another media type',
    {
      responses: {
        200: { description: 'The book', body: { 'text/*': z.string(), 'application/json': Book } },
      },
    },
    answer('x', 'image/png'),
    'undocumented-media-type: image/png is not one of application/json, text/*',
  ],
  [
    'a body that is not JSON',
    declared,
    answer('{', 'application/json'),
    'body-mismatch: the body is not valid JSON',
  ],
  [
    'a body whose schema throws an error',
    textOf(throwing(new Error('no connection'))),
    answer('x', 'text/plain'),
    'body-mismatch: the schema threw an error: no connection',
  ],
  [
    'a body whose schema throws a string',
    textOf(throwing('no connection')),
    answer('x', 'text/plain'),
    'body-mismatch: the schema threw an error: a value of type string was thrown',
  ],
  [
    'a problem that is sent as JSON (RFC 9457 §3)',
    failing,
    answer('{}', 'application/json', 404),
    'undocumented-media-type: a problem must be application/problem+json, not application/json',
  ],
  [
    'a problem that is not JSON (RFC 9457 §3)',
    failing,
    answer('{', 'application/problem+json', 404),
    'body-mismatch: the body is not valid JSON',
  ],
  [
    'a problem that is a list (RFC 9457 §3)',
    failing,
    answer('[]', 'application/problem+json', 404),
    'body-mismatch: the body is not a JSON object',
  ],
  [
    'a problem of another type (RFC 9457 §3.1.1)',
    failing,
    problem({ type: 'about:blank' }),
    `undocumented-problem-type at /type: the type "about:blank" is not one of ${NOT_FOUND}, https://example.com/problems/gone`,
  ],
  [
    'a problem of another title (RFC 9457 §3.1.3)',
    failing,
    problem({ title: 'Gone' }),
    'body-mismatch at /title: must be No such book',
  ],
  [
    'a problem whose detail is a number (RFC 9457 §3.1.4)',
    failing,
    problem({ detail: 7 }),
    'body-mismatch at /detail: must be a string',
  ],
])('the message names the operation and the fault: %s', async (_, answers, response, message) => {
  const error = new ConformanceError(await violationsOf(answers, response))
  expect(error.name).toBe('ConformanceError')
  const [kind = ''] = message.split(/:| at /)
  expect(error.message).toBe(`readBook: ${message}\n${addressOfCode('openapi-tests', kind)}`)
})

it('the message names the method and path if no operation matches', async () => {
  const checked = await checkResponse(createDocument({ info, problems }), request, new Response())
  expect(isFailure(checked) && checked.error.message).toBe(
    `no operation: undocumented-operation: no operation is bound to GET /books/b1\n${addressOfCode('openapi-tests', 'undocumented-operation')}`,
  )
})
