import { describe, expect, it } from 'vitest'
import type { OperationFacts } from './manifest.ts'
import { readAnswer } from './read-answer.ts'

const manifest = { format: '', operations: {}, problems: {}, defaults: [] }

/** Reads a response of an operation that declares these media types by status. */
async function read(
  response: Response,
  responses: OperationFacts['responses'],
  facts: Partial<OperationFacts> = {},
) {
  const parts = { method: 'GET', pattern: '/', body: [], problems: [], responses, ...facts }
  return await readAnswer(parts, manifest, response)
}

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } }

describe('a response without content (RFC 9110 §6.4.1)', () => {
  it.each([204, 205, 304])(
    '%i is read whatever the media type, although default has a body',
    async (status) => {
      const answer = await read(new Response(null, { status }), { default: ['application/json'] })
      expect(answer).toMatchObject({ status, body: undefined, contentType: undefined })
    },
  )

  it('a response to HEAD is read whatever the media type', async () => {
    const responses = { 200: ['application/json'] }
    const answer = await read(new Response(null, JSON_BODY), responses, { method: 'HEAD' })
    expect(answer).toMatchObject({ status: 200, body: undefined, contentType: undefined })
  })
})

it('a problem missing from the catalog is an undeclared status', async () => {
  const response = new Response('', { status: 404 })
  await expect(read(response, {}, { problems: ['notFound'] })).rejects.toMatchObject({
    code: 'undeclared-status',
  })
})

it('the media type decides whether a shared status is a response or a problem', async () => {
  const gone = { type: 'https://example.com/gone', title: 'Gone', status: 410 }
  const known = { ...manifest, problems: { gone: { type: gone.type, status: 410 } } }
  const facts = { method: 'GET', pattern: '/', body: [], problems: ['gone'] }
  const responses = { 410: ['application/json'] }
  const readAs = async (type: string, body: object) => {
    const init = { status: 410, headers: { 'Content-Type': type } }
    const response = new Response(JSON.stringify(body), init)
    return await readAnswer({ ...facts, responses }, known, response)
  }
  expect(await readAs('application/problem+json', gone)).toMatchObject({ problem: 'gone' })
  expect(await readAs('application/json', { error: 'a' })).toMatchObject({ problem: undefined })
})

describe('the body by media type', () => {
  it.each([
    ['text/plain', 'string'],
    ['application/xml', 'string'],
    ['application/yaml', 'string'],
    ['application/x-www-form-urlencoded', 'string'],
    ['image/svg+xml', 'string'],
    ['application/vnd.book+yaml', 'string'],
    ['text/event-streams', 'string'],
    ['text/event-stream', 'stream'],
    ['application/jsonl', 'stream'],
    ['application/x-ndjson', 'stream'],
    ['application/json-seq', 'stream'],
    ['application/octet-stream', 'file'],
    ['x-text/plain', 'file'],
    ['x-text/event-stream', 'file'],
    ['x-application/xml', 'file'],
    ['x-application/jsonl', 'file'],
    ['application/xml-dtd', 'file'],
    ['application/json-sequence', 'file'],
    ['application/vnd.book+xml-dtd', 'file'],
  ])('%s is read as a %s', async (type, kind) => {
    const response = new Response('x', { headers: { 'Content-Type': type } })
    const { body, contentType } = await read(response, { 200: ['*/*'] })
    expect([contentType, kindOf(body)]).toEqual([type, kind])
  })

  it('an answer without a media type is read as a file', async () => {
    const response = new Response(new Uint8Array([120]))
    const { body, contentType } = await read(response, { 200: ['*/*'] })
    expect([contentType, kindOf(body)]).toEqual(['', 'file'])
  })
})

function kindOf(body: unknown): string {
  if (body instanceof Blob) return 'file'
  return body instanceof ReadableStream ? 'stream' : typeof body
}
